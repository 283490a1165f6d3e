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

// Short is the number of bytes below which a value is removed only where it
// stands as a word of its own: "ab" is in every other text.
const Short = 4

// Redactor replaces secrets by [Mark]s. Its zero value knows none. It is safe for
// concurrent use.
type Redactor struct {
	adding sync.Mutex
	known  atomic.Pointer[[]secret] // what it holds never changes; longer ones replace it
}

// expectedSecrets is how many values most runs have at most, stand-ins included.
const expectedSecrets = 4

// secrets are those that are known now.
func (r *Redactor) secrets() []secret {
	if list := r.known.Load(); list != nil {
		return *list
	}
	return nil
}

// Mark stands where the secret called name stood.
func Mark(name string) string { return MarkPrefix + name + ")" }

// MarkPrefix is how each mark begins.
const MarkPrefix = "••••("

// Add tracks a value. An empty one is nothing to hide.
func (r *Redactor) Add(name, value string) {
	mark := Mark(name)
	for _, one := range []string{value, strings.TrimSpace(value)} {
		r.add(mark, one, newSecret)
		r.add(mark, latin1Misreading(one), newSecret)
	}
}

// latin1Misreading is how a server has a text that takes what it got in UTF-8 for Latin-1, as
// many do with headers: "é" has become "Ã©".
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

// AddPlain tracks a value of letters and digits that is sent as it is, and never
// as base64 or hex. No escape changes it.
func (r *Redactor) AddPlain(name, value string) {
	r.add(Mark(name), value, newPlainSecret)
}

// add tracks what newSecret makes of a value, unless that is empty or tracked already.
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
	list := append(known, newSecret(mark, value)) // beyond what others see of it
	r.known.Store(&list)
}

// String gives s without the secrets. It takes time in proportion to s,
// whatever s is.
func (r *Redactor) String(s string) string { return replaceSpans(s, r.find(s, escapeDepth)) }

// escapeDepth is how many escapes may lie around each other, as where JSON is
// quoted in a query.
const escapeDepth = 2

// isAt reports whether an escape is looked for with that many still to come. Backslashes
// may lie around a secret once more: services put JSON into JSON, and gateways that into
// their own.
func (e escape) isAt(depth int) bool { return depth > 0 || depth == 0 && e.first == '\\' }

// find gives the places in text that mean a secret: as it is, or escaped.
func (r *Redactor) find(text string, depth int) []span {
	var out []span
	known := r.secrets()
	for i := range known {
		s := &known[i]
		if s.plain && depth < escapeDepth {
			continue // it was found before the text was decoded
		}
		if len(s.value) <= len(text) { // no form is shorter
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
			at := e.places(text)
			for _, p := range found {
				from, to := int(at[p.from]), int(at[p.to])
				if e.isWrap() { // the end of the line behind a secret is none of it
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

// maxWraps is how often a form of some bytes is broken into lines at most: what is on more
// lines is a list of something else.
func maxWraps(bytes int) int { return 1 + bytes/16 }

func (r *Redactor) mayHold(part string) bool {
	return slices.ContainsFunc(r.secrets(), func(s secret) bool { return strings.Contains(s.value, part) })
}

// JSON gives valid JSON without the secrets, in names as well as in values. A
// number that holds a secret becomes a string.
func (r *Redactor) JSON(raw json.RawMessage) json.RawMessage {
	if len(r.secrets()) == 0 {
		return raw
	}
	whole := unsafe.String(unsafe.SliceData(raw), len(raw)) // nobody changes it meanwhile, and an answer may be large
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

// inStrings reports whether spans of JSON text without backslashes all lie
// inside of strings, where marks can stand as they are.
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

// isEscaped reports what does not stand as it is in a JSON string.
func isEscaped(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError }

// tokens redacts JSON text part by part.
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

// sequences are the places of numbers that mean a secret.
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

// token redacts one string or number; the rest is as it was.
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

// tokenEnd is where the token at i ends: a string, a number, or one byte.
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

// Value gives a tree of strings, maps, lists and raw JSON without the secrets.
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

// list gives a list of numbers without the secrets that these mean; ok is false where
// there are none.
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
