package executor

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// Envelope is the result of a run. Encode it with SetEscapeHTML(false), so that the value stays
// as the tool wrote it.
type Envelope struct {
	Run         string          `json:"run"` // the id of the run
	OK          bool            `json:"ok"`
	Tool        string          `json:"tool"`
	Kind        tool.Kind       `json:"kind"`
	Value       json.RawMessage `json:"value"` // as the tool gave it, number for number
	Text        string          `json:"text"`  // a result that is not JSON; Value also holds it, as a string
	ContentType string          `json:"content_type"`
	Encoding    string          `json:"encoding,omitempty"` // [Base64] if the answer is not valid text
	Content     Blocks          `json:"content,omitempty"`  // see [Result.Content]
	Render      *Render         `json:"render"`
	Set         tool.Object     `json:"set"` // session variables, in the order of the tool
	Error       *Error          `json:"error"`
	Needs       *Needs          `json:"needs"`
	Warnings    []string        `json:"warnings"`
	Attempts    []Attempt       `json:"attempts"`
	Response    *Response       `json:"response"` // of the last attempt; nil if it is no HTTP request or has no answer
	Request     json.RawMessage `json:"request"`  // as a preview shows it
	Console     string          `json:"console"`

	ConsoleLevels ConsoleLevels `json:"-"` // of the lines of Console

	Breaker     *string     `json:"breaker"` // closed, open, half-open; nil without one
	Verified    *bool       `json:"verified"`
	Cached      bool        `json:"cached"`
	Truncated   *Truncation `json:"truncated"`
	DurationMS  float64     `json:"duration_ms"`
	CanRevert   bool        `json:"can_revert,omitzero"`   // the run can be undone
	Environment string      `json:"environment,omitempty"` // the environment of abl.yaml in which it ran
}

// Base64 is the Encoding of an answer whose bytes are not valid text.
const Base64 = "base64"

// Render says how a viewer should show the value.
type Render struct {
	Kind      string          `json:"kind"`
	Component string          `json:"component"`
	Props     json.RawMessage `json:"props"`
}

// Needs lists what the caller must supply before the run can go on.
type Needs struct {
	Arguments    json.RawMessage   `json:"arguments,omitempty"` // JSON Schema
	Confirmation *Confirmation     `json:"confirmation,omitempty"`
	Permission   []tool.Permission `json:"permission,omitempty"`
	Secrets      []string          `json:"secrets,omitempty"`
	Trust        bool              `json:"trust,omitzero"`
	Browser      string            `json:"browser,omitempty"` // the page where the person signs in
	Input        *InputNeeds       `json:"input,omitempty"`   // what a server asks while the tool runs
}

// Confirmation describes a call that a person must confirm. A [Request] for the same call makes
// the call if its Confirm is the Digest.
type Confirmation struct {
	Summary string `json:"summary"`
	Digest  string `json:"digest"`
}

// Attempt describes one attempt of a call.
type Attempt struct {
	Started    string  `json:"started"` // RFC 3339
	DurationMS float64 `json:"duration_ms"`
	Status     int     `json:"status"` // the HTTP status; 0: no answer
	Error      string  `json:"error"`
	Phases     []Phase `json:"phases"` // in the order of their start; only those that took place
}

// Truncation says that only a part of the answer was kept, and how large the answer is.
type Truncation struct {
	Kept  int64  `json:"kept"`
	Total *int64 `json:"total"` // nil: not known
}

// TruncationMetaKey is the key in `_meta` of the text block in which abl-lsp mcp tells a
// model that an answer was cut. The key's value holds the sizes, for programs. The block is not
// part of the answer.
const TruncationMetaKey = "abl-lsp/truncated"

func newEnvelope(t *tool.Tool, now time.Time) Envelope {
	e := Envelope{
		Run:      runID(now),
		Set:      tool.Object{},
		Warnings: []string{},
		Attempts: []Attempt{},
	}
	if t != nil {
		e.Tool, e.Kind, e.Render = t.QualifiedName(), t.Kind, renderOf(t)
	}
	return e
}

// renderOf returns the tool's render, component and props. It returns nil if the tool has no
// render or one that is no string.
func renderOf(t *tool.Tool) *Render {
	kind := t.Extra["render"]
	if kind == nil {
		return nil
	}
	r := &Render{Props: json.RawMessage("{}")}
	if json.Unmarshal(kind, &r.Kind) != nil {
		return nil
	}
	_ = json.Unmarshal(t.Extra["component"], &r.Component) // no name, no component
	if props := t.Extra["props"]; json.Valid(props) {
		r.Props = props
	}
	return r
}

// clone returns a copy of r that the caller may change; nil Props become {} in the copy. It
// returns nil if r is nil.
func (r *Render) clone() *Render {
	if r == nil {
		return nil
	}
	mine := *r
	if mine.Props == nil {
		mine.Props = json.RawMessage("{}")
	}
	return &mine
}

// tableOf returns a table Render for a list of objects, and for an object that has only
// columns and rows. It is nil for any other value.
func tableOf(value json.RawMessage) *Render {
	if !areObjects(value) && !isGrid(value) {
		return nil
	}
	return &Render{Kind: "table", Props: json.RawMessage("{}")}
}

// areObjects reports whether a value is a list of objects.
func areObjects(value json.RawMessage) bool {
	return bytes.HasPrefix(value, []byte("[")) && allBegin(value, "{")
}

// isGrid reports whether a value is {"columns": [names], "rows": [lists or objects]}.
func isGrid(value json.RawMessage) bool {
	if !bytes.HasPrefix(value, []byte("{")) || !bytes.Contains(value, []byte(`"columns"`)) {
		return false
	}
	var grid map[string]json.RawMessage
	if json.Unmarshal(value, &grid) != nil || len(grid) != 2 || !allBegin(grid["columns"], `"`) {
		return false
	}
	return string(grid["rows"]) == "[]" || allBegin(grid["rows"], "[{")
}

// allBegin reports whether a value is a list that is not empty and whose items all begin with
// one of the characters in first. It reads the value once, since there may be millions of items.
func allBegin(value json.RawMessage, first string) bool {
	depth, isNext, found := 0, false, false // isNext: an item of the list is about to begin
	for i := 0; i < len(value); i++ {
		c := value[i]
		if isNext && strings.IndexByte(" \t\r\n", c) < 0 {
			if strings.IndexByte(first, c) < 0 {
				return false
			}
			isNext, found = false, true
		}
		switch c {
		case '"':
			i += exactjson.StringEnd(value[i:]) - 1
		case '[', '{':
			depth++
			isNext = depth == 1
		case ']', '}':
			depth--
		case ',':
			isNext = depth == 1
		}
	}
	return found && value[0] == '['
}

// runID returns a new id for a run. Ids sort by time.
func runID(now time.Time) string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	id := now.UTC().AppendFormat(make([]byte, 0, 40), "20060102T150405.000000Z-")
	return string(hex.AppendEncode(id, b[:]))
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// fillEnvelope writes the result or the error of the chain into the envelope.
func (r *run) fillEnvelope(result Result, err error) {
	e := &r.envelope
	e.Value, e.Text, e.ContentType, e.Encoding, e.Content = result.Value, result.Text, result.ContentType, result.Encoding, result.Content
	if e.Value == nil && e.Text != "" {
		e.Value = encode(e.Text)
	}
	if e.Value != nil {
		e.ContentType = r.contentType(result)
	}
	e.Console, e.ConsoleLevels = joinConsoles(result, r.logged)
	e.Truncated = result.Truncated
	e.Warnings = append(e.Warnings, result.Warnings...)
	e.OK = err == nil
	e.Render = cmp.Or(e.Render, result.Render.clone(), tableOf(result.Value))
	if err != nil {
		e.Error = asError(err)
		e.Needs = e.Error.needs
	}
}

// contentType returns the content type that the tool declares, else that of result, else
// text/plain for text and application/json for a value.
func (r *run) contentType(result Result) string {
	declared := ""
	if r.req.Tool != nil {
		declared = r.req.Tool.ContentType
	}
	usual := "application/json"
	if result.Text != "" {
		usual = "text/plain"
	}
	return cmp.Or(declared, result.ContentType, usual)
}
