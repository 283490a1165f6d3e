// Package exactjson encodes and decodes JSON without changing values: it does not escape the
// characters of HTML, and numbers keep every digit.
package exactjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"
)

// Encode returns a value as JSON, without white space around it. The result is nil if there is an
// error.
func Encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Append appends a value as JSON to b.
func Append(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case string:
		return AppendString(b, v), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case nil:
		return append(b, "null"...), nil
	}
	raw, err := Encode(v)
	return append(b, raw...), err
}

// AppendString appends a text as JSON to b.
func AppendString(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return append(b, EncodeOrNil(text)...)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

// whiteSpace is allowed before and after a value.
const whiteSpace = " \t\r\n"

// Decode reads raw, which must be one JSON value and nothing else but white space. Numbers in an
// `any` are json.Number.
func Decode[T any](raw []byte) (v T, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err = d.Decode(&v); err != nil {
		return v, err
	}
	if len(bytes.TrimLeft(raw[d.InputOffset():], whiteSpace)) > 0 {
		return v, errors.New("something follows the value")
	}
	return v, nil
}

// EncodeOrNil is [Encode] for values that can be encoded; nil for any other.
func EncodeOrNil(v any) json.RawMessage {
	raw, _ := Encode(v)
	return raw
}
