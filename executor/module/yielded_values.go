package module

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// yieldedValues collects the values that a generator yields. It is safe for concurrent use.
type yieldedValues struct {
	max  int64 // bytes
	full func()

	mu   sync.Mutex
	all  []json.RawMessage
	size int64
}

// perValue is the number of bytes that each value counts in addition to its length, since many
// small values use more memory than their bytes.
const perValue = 50

func (p *yieldedValues) addValue(piece json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.size += int64(len(piece)) + perValue; p.size > p.max {
		p.full()
		return
	}
	p.all = append(p.all, piece)
}

// liveText returns the text that is shown for a piece when it arrives: a string as it is, any other
// value as a line of JSON.
func liveText(piece json.RawMessage) string {
	var text string
	if json.Unmarshal(piece, &text) == nil && string(piece) != "null" {
		return text
	}
	return string(piece) + "\n"
}

// answer returns the answer that consists of the values. If all are strings, it is their
// concatenation, unless the tool declares a list. Otherwise it is the list of the values. If the
// tool declares a string and a value is not a string, answer returns an error.
func (p *yieldedValues) answer(t *tool.Tool) (executor.Result, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	declared := declaredResultType(t)
	text, wrong := joinTexts(p.all)
	switch {
	case declared == "string" && wrong >= 0:
		return executor.Result{}, executor.Errorf(executor.KindResult, "no-text",
			"piece %d of the answer is no string, and %s returns one: %s", wrong+1, t.Name, executor.Shorten(string(p.all[wrong]), 100))
	case declared == "string", declared != "array" && wrong < 0 && len(p.all) > 0:
		value, err := json.Marshal(text)
		return executor.Result{Value: value, Text: text, ContentType: "text/plain"}, err
	}
	list := p.all
	if list == nil {
		list = []json.RawMessage{}
	}
	value, err := json.Marshal(list)
	return executor.Result{Value: value, ContentType: "application/json"}, err
}

// pieceOf returns the result for an answer of one piece.
func pieceOf(piece json.RawMessage) executor.Result {
	if piece[0] == '"' {
		return executor.Result{Value: piece, Text: liveText(piece), ContentType: "text/plain"}
	}
	return executor.Result{Value: piece, ContentType: "application/json"}
}

// declaredResultType returns the JSON type of the answer that a tool declares. It is "" if the tool
// declares none.
func declaredResultType(t *tool.Tool) string {
	var s struct {
		Type any `json:"type"`
	}
	_ = json.Unmarshal(t.ReturnSchema(), &s) // an invalid schema declares nothing
	name, _ := s.Type.(string)
	return name
}

// joinTexts concatenates strings. wrong is the index of the first piece that is not a string, else
// -1.
func joinTexts(all []json.RawMessage) (text string, wrong int) {
	var b strings.Builder
	for i, piece := range all {
		if piece[0] != '"' {
			return "", i
		}
		b.WriteString(liveText(piece))
	}
	return b.String(), -1
}
