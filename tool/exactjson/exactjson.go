// Package exactjson encodes and decodes JSON so that values stay as they are written: the
// signs of HTML without escapes, and numbers with every digit.
package exactjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Encode is a value as JSON, without white space around it; nil where there is an error.
func Encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Decode reads a text that is one JSON value. Numbers are json.Number.
func Decode[T any](raw []byte) (v T, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err = d.Decode(&v); err != nil {
		return v, err
	}
	if _, err = d.Token(); !errors.Is(err, io.EOF) {
		return v, errors.New("something follows the value")
	}
	return v, nil
}

// Of is [Encode] for what has JSON; nil for what has none.
func Of(v any) json.RawMessage {
	raw, _ := Encode(v)
	return raw
}
