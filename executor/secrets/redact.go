package secrets

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Short is the number of bytes below which a value is removed only if it appears as a separate
// word, since other text contains a value such as "ab" by chance.
const Short = 4

// Redactor replaces secrets by [Mark]s. The zero value knows no secrets. It is safe for
// concurrent use.
type Redactor struct {
	adding sync.Mutex
	known  atomic.Pointer[[]secret] // the list is never changed; a longer one replaces it
}

// expectedSecrets is the number of values that most runs do not exceed, stand-ins included.
const expectedSecrets = 4

// secrets returns the secrets that are known now.
func (r *Redactor) secrets() []secret {
	if list := r.known.Load(); list != nil {
		return *list
	}
	return nil
}

// Mark returns the text that replaces the secret called name.
func Mark(name string) string { return MarkPrefix + name + ")" }

// MarkPrefix is the beginning of each mark.
const MarkPrefix = "••••("

// Add adds a value that is to be replaced. It ignores an empty value.
func (r *Redactor) Add(name, value string) {
	mark := Mark(name)
	for _, one := range []string{value, strings.TrimSpace(value)} {
		r.add(mark, one, newSecret)
		r.add(mark, latin1Misreading(one), newSecret)
	}
}

// latin1Misreading returns what a text becomes on a server that reads its UTF-8 as Latin-1, as
// many do with headers: "é" becomes "Ã©".
func latin1Misreading(value string) string {
	if !strings.ContainsFunc(value, func(c rune) bool { return c >= utf8.RuneSelf }) {
		return value
	}
	var out strings.Builder
	for _, b := range []byte(value) {
		out.WriteRune(rune(b))
	}
	return out.String()
}

// AddPlain adds a value of letters and digits that never appears as base64 or hex, and that no
// escape changes.
func (r *Redactor) AddPlain(name, value string) {
	r.add(Mark(name), value, newPlainSecret)
}

// add adds the secret that newSecret makes, unless the value is empty or known already.
func (r *Redactor) add(mark, value string, newSecret func(mark, value string) secret) {
	r.adding.Lock()
	defer r.adding.Unlock()
	known := r.secrets()
	if value == "" || slices.ContainsFunc(known, func(s secret) bool { return s.value == value }) {
		return
	}
	if known == nil {
		known = make([]secret, 0, expectedSecrets)
	}
	list := append(known, newSecret(mark, value)) // others do not see the new element
	r.known.Store(&list)
}

// String returns s without the secrets. Its time is proportional to the length of s.
func (r *Redactor) String(s string) string { return replaceSpans(s, r.find(s, escapeDepth)) }

// escapeDepth is how many escapes may be nested, such as JSON that is quoted in a query.
const escapeDepth = 2

// isAt reports whether an escape is decoded when depth more levels may follow. Backslashes may be
// nested once more, because services put JSON into JSON, and gateways put that into their own.
func (e escape) isAt(depth int) bool { return depth > 0 || depth == 0 && e.first == '\\' }

// find returns the spans of text that mean a secret, in plain form or escaped.
func (r *Redactor) find(text string, depth int) []span {
	var out []span
	known := r.secrets()
	for i := range known {
		s := &known[i]
		if s.plain && depth < escapeDepth {
			continue // it was found before the text was decoded
		}
		if len(s.value) <= len(text) { // no form is shorter than the value
			out = s.find(out, text)
		}
	}
	out = append(append(out, r.sequences(text, &decimal)...), r.sequences(text, &hexadecimal)...)
	for _, e := range escapes {
		if !e.isAt(depth) || strings.IndexByte(text, e.first) < 0 || !r.mayHold(e.only) {
			continue
		}
		plain := e.decode(text)
		if plain == text {
			continue
		}
		if found := r.find(plain, depth-1); len(found) > 0 {
			at := e.offsets(text)
			for _, p := range found {
				from, to := int(at[p.from]), int(at[p.to])
				if e.isWrap() { // a line break after a secret is not part of it
					to = int(at[p.to-1]) + 1
					if strings.Count(text[from:to], "\n") > maxWraps(p.to-p.from) {
						continue
					}
				}
				out = append(out, span{from, to, p.mark})
			}
		}
	}
	return out
}

// maxWraps returns the most line breaks that base64 of that many bytes has. Text on more lines is a
// list of something else.
func maxWraps(bytes int) int { return 1 + bytes/16 }

func (r *Redactor) mayHold(part string) bool {
	return slices.ContainsFunc(r.secrets(), func(s secret) bool { return strings.Contains(s.value, part) })
}

// JSON returns valid JSON without the secrets, in names as well as in values. A number that
// contains a secret becomes a string.
func (r *Redactor) JSON(raw json.RawMessage) json.RawMessage {
	if len(r.secrets()) == 0 {
		return raw
	}
	whole := unsafe.String(unsafe.SliceData(raw), len(raw)) // saves a copy of a large answer; raw does not change meanwhile
	text := whole
	escaped := strings.IndexByte(text, '\\') >= 0
	if escaped {
		text = escape{first: '\\', read: readBackslash}.decode(text)
	}
	found := r.find(text, escapeDepth)
	switch {
	case len(found) == 0:
		return raw
	case !escaped && inStrings(text, found):
		return json.RawMessage(replaceSpans(text, found))
	}
	return r.tokens(whole)
}

// inStrings reports whether all spans of JSON text without backslashes are inside strings, where a
// mark can replace them directly.
func inStrings(text string, spans []span) bool {
	slices.SortFunc(spans, byPlace)
	quotes, done := 0, 0
	for _, s := range spans {
		quotes += strings.Count(text[done:s.from], `"`)
		done = s.from
		if quotes%2 == 0 || strings.Contains(text[s.from:s.to], `"`) || strings.ContainsFunc(s.mark, isEscaped) {
			return false
		}
	}
	return true
}

// isEscaped reports whether a JSON string cannot contain a character as it is.
func isEscaped(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError }

// tokens redacts JSON text token by token.
func (r *Redactor) tokens(text string) json.RawMessage {
	var out bytes.Buffer
	lists := mergeSpans(r.sequences(text, &decimal))
	for i := 0; i < len(text); {
		for len(lists) > 0 && lists[0].from < i { // it is within a string
			lists = lists[1:]
		}
		if len(lists) > 0 && lists[0].from == i {
			out.Write(exactjson.EncodeOrNil(lists[0].mark))
			i = lists[0].to
			continue
		}
		end := tokenEnd(text, i)
		out.WriteString(r.token(text[i:end]))
		i = end
	}
	return out.Bytes()
}

// sequences returns the spans of numbers that mean a secret.
func (r *Redactor) sequences(text string, q *sequence) []span {
	known := r.secrets()
	if !slices.ContainsFunc(known, func(s secret) bool { return s.isInSequences() }) {
		return nil
	}
	var out []span
	runs := q.runs(text)
	for i := range known {
		if s := &known[i]; len(runs) > 0 && s.isInSequences() {
			out = q.find(out, text, runs, s.value, s.mark)
		}
	}
	return out
}

// token redacts one string or number. It returns other tokens as they are.
func (r *Redactor) token(t string) string {
	if len(t) >= Short && isNumberByte(t[0]) {
		if s := r.String(t); s != t {
			return string(exactjson.EncodeOrNil(s))
		}
	}
	if t[0] != '"' {
		return t
	}
	text, ok := unquote(t)
	if s := r.String(text); ok && s != text {
		return string(exactjson.EncodeOrNil(s))
	}
	return t
}

func unquote(t string) (text string, ok bool) {
	if strings.IndexByte(t, '\\') < 0 && len(t) > 1 {
		return t[1 : len(t)-1], true
	}
	err := json.Unmarshal([]byte(t), &text)
	return text, err == nil
}

// tokenEnd returns the end of the token at i: a string, a number, or one byte.
func tokenEnd(raw string, i int) int {
	switch {
	case raw[i] == '"':
		return i + exactjson.StringEnd(raw[i:])
	case isNumberByte(raw[i]):
		j := i + 1
		for j < len(raw) && (isNumberByte(raw[j]) || strings.IndexByte(".eE+", raw[j]) >= 0) {
			j++
		}
		return j
	}
	return i + 1
}

func isNumberByte(c byte) bool { return '0' <= c && c <= '9' || c == '-' }

// Value returns a tree of strings, maps, lists and raw JSON without the secrets. It does not
// change v.
func (r *Redactor) Value(v any) any {
	if len(r.secrets()) == 0 {
		return v
	}
	switch v := v.(type) {
	case string:
		return r.String(v)
	case json.Number:
		if s := r.String(string(v)); len(v) >= Short && s != string(v) {
			return s
		}
	case json.RawMessage:
		return r.JSON(v)
	case []string:
		return mapSlice(v, r.String)
	case []any:
		if list, ok := r.list(v); ok {
			return list
		}
		return mapSlice(v, r.Value)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[r.String(k)] = r.Value(x)
		}
		return out
	}
	return v
}

// list returns v, a list of numbers, without the secrets that the numbers mean. ok is false if v
// contains none.
func (r *Redactor) list(v []any) (list []any, ok bool) {
	if len(v) < longSecret {
		return nil, false
	}
	raw, err := json.Marshal(v)
	if err != nil || len(r.sequences(string(raw), &decimal)) == 0 {
		return nil, false
	}
	list, err = exactjson.Decode[[]any](r.JSON(raw))
	return list, err == nil
}

func mapSlice[T any](list []T, f func(T) T) []T {
	out := make([]T, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}
