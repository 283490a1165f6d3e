package lsp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// orderKey is the name of a member that is added to objects in the answer of a command,
// for an editor with the setting keyOrder: many editors lose the order of an object's
// names. Its value is the list of the object's names in their order. An object whose names
// are in ascending order has no such member, because an editor can sort them. The character
// belongs to no script. A name that begins with it gets another one before it.
const orderKey = "\uE001"

// addKeyOrder adds the order of their names to the objects in raw that need it.
func addKeyOrder(raw []byte) []byte {
	w := orderWriter{jsonEditor: jsonEditor{raw: raw}}
	for i := 0; i < len(raw); {
		next := i + 1
		switch raw[i] {
		case '"':
			next = stringEnd(raw, i)
			if isName(raw, next) {
				w.addName(i, next)
			}
		case '{':
			w.objects = append(w.objects, objectOrder{first: len(w.names), sorted: true})
		case '}':
			w.endObject(i)
		}
		i = next
	}
	return w.result()
}

// orderWriter copies JSON and adds the order of names.
type orderWriter struct {
	jsonEditor
	names   [][]byte // of all open objects, in their order, as JSON
	objects []objectOrder
}

// objectOrder is an open object.
type objectOrder struct {
	first  int // the index of its first name
	sorted bool
}

// addName adds the name at [start, end) of raw to the innermost object.
func (w *orderWriter) addName(start, end int) {
	name := w.raw[start:end]
	if orderKeyLength(name) > 0 {
		w.copyTo(start + 1)
		w.out = append(w.out, orderKey...)
		name = slices.Concat([]byte(`"`+orderKey), name[1:])
	}
	if len(w.objects) == 0 {
		return // raw is no JSON
	}
	object := &w.objects[len(w.objects)-1]
	if len(w.names) > object.first && compareNames(w.names[len(w.names)-1], name) > 0 {
		object.sorted = false
	}
	w.names = append(w.names, name)
}

// endObject writes the order of the names of the innermost object, which ends at an offset.
func (w *orderWriter) endObject(end int) {
	if len(w.objects) == 0 {
		return
	}
	object := w.objects[len(w.objects)-1]
	if !object.sorted {
		w.copyTo(end)
		w.out = append(w.out, `,"`+orderKey+`":[`...)
		w.out = append(w.out, bytes.Join(w.names[object.first:], []byte(","))...)
		w.out = append(w.out, ']')
	}
	w.names = w.names[:object.first]
	w.objects = w.objects[:len(w.objects)-1]
}

// dropKeyOrder returns raw as it was before addKeyOrder.
func dropKeyOrder(raw []byte) []byte {
	if !bytes.Contains(raw, []byte(orderKey)) && !bytes.Contains(bytes.ToLower(raw), []byte(escapedOrderKey)) {
		return raw
	}
	var out []byte
	copied := 0
	for i := 0; i < len(raw); {
		if raw[i] != '"' {
			i++
			continue
		}
		start, end := i, stringEnd(raw, i)
		i = end
		length := orderKeyLength(raw[start:end])
		switch {
		case length == 0 || !isName(raw, end):
			continue
		case end-start > length+len(`""`): // the name of a value
			out = append(out, raw[copied:start+1]...)
			copied = start + 1 + length
		default:
			out = append(out, raw[copied:start]...)
			out, i = dropComma(out, raw, valueEnd(raw, skipSpace(raw, end)+1))
			copied = i
		}
	}
	return append(out, raw[copied:]...)
}

// dropComma removes one comma next to a member that has been removed: after it in raw, at
// an offset, else before it at the end of out. It returns the offset at which raw goes on.
func dropComma(out, raw []byte, at int) (left []byte, next int) {
	if next = skipSpace(raw, at); next < len(raw) && raw[next] == ',' {
		return out, next + 1
	}
	if left = bytes.TrimRight(out, jsonSpace); bytes.HasSuffix(left, []byte(",")) {
		return left[:len(left)-1], at
	}
	return out, at
}

// escapedOrderKey is orderKey as it may also be written in JSON, in small letters.
const escapedOrderKey = `\ue001`

// orderKeyLength returns how long orderKey is at the beginning of a string of JSON, 0 if
// the string begins otherwise.
func orderKeyLength(token []byte) int {
	return prefixLength(token, orderKey, escapedOrderKey)
}

// prefixLength returns how long a prefix is at the beginning of a string of JSON, 0 if the
// string begins otherwise. escaped is the prefix as an escape sequence in small letters.
func prefixLength(token []byte, prefix, escaped string) int {
	switch text := token[1:]; {
	case bytes.HasPrefix(text, []byte(prefix)):
		return len(prefix)
	case len(text) >= len(escaped) && strings.EqualFold(string(text[:len(escaped)]), escaped) && text[1] == 'u':
		return len(escaped)
	}
	return 0
}

const jsonSpace = " \t\r\n"

func skipSpace(raw []byte, at int) int {
	for at < len(raw) && strings.IndexByte(jsonSpace, raw[at]) >= 0 {
		at++
	}
	return at
}

// isName reports whether the string of JSON that ends at an offset is the name of a member.
func isName(raw []byte, end int) bool {
	end = skipSpace(raw, end)
	return end < len(raw) && raw[end] == ':'
}

// stringEnd returns the end of the string that begins at an offset.
func stringEnd(raw []byte, at int) int {
	for at++; at < len(raw) && raw[at] != '"'; at++ {
		if raw[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(raw))
}

// valueEnd returns the end of the value that begins at or after an offset.
func valueEnd(raw []byte, at int) int {
	depth := 0
	for at = skipSpace(raw, at); at < len(raw); at++ {
		switch raw[at] {
		case '"':
			at = stringEnd(raw, at) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at
			}
			depth--
		case ',':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}

// compareNames compares two names, written as JSON, by the bytes of their texts.
func compareNames(a, b []byte) int {
	if bytes.IndexByte(a, '\\') < 0 && bytes.IndexByte(b, '\\') < 0 {
		return bytes.Compare(a[:len(a)-1], b[:len(b)-1])
	}
	return strings.Compare(nameText(a), nameText(b))
}

// nameText returns the text of a name.
func nameText(name []byte) (text string) {
	_ = json.Unmarshal(name, &text) // the names are from valid JSON
	return text
}
