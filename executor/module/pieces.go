package module

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// pieces are what a generator has given so far.
type pieces struct {
	max  int64 // bytes
	full func()

	mu   sync.Mutex
	all  []json.RawMessage
	size int64
}

// perPiece are the bytes that a piece counts for besides its own: many small ones take
// more memory than they have bytes.
const perPiece = 50

func (p *pieces) addPiece(piece json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.size += int64(len(piece)) + perPiece; p.size > p.max {
		p.full()
		return
	}
	p.all = append(p.all, piece)
}

// liveText is a piece as it is shown while others are still to come: texts run on, other
// values have a line each.
func liveText(piece json.RawMessage) string {
	var text string
	if json.Unmarshal(piece, &text) == nil && string(piece) != "null" {
		return text
	}
	return string(piece) + "\n"
}

// answer is the answer that the pieces are: texts one after the other, where the tool
// returns a string or says nothing and all of them are; else the list of them.
func (p *pieces) answer(t *tool.Tool) (executor.Result, error) {
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

// pieceOf is the answer of one piece.
func pieceOf(piece json.RawMessage) executor.Result {
	if piece[0] == '"' {
		return executor.Result{Value: piece, Text: liveText(piece), ContentType: "text/plain"}
	}
	return executor.Result{Value: piece, ContentType: "application/json"}
}

// declaredResultType is the type that a tool says its answer has; "" where it says none.
func declaredResultType(t *tool.Tool) string {
	var s struct {
		Type any `json:"type"`
	}
	_ = json.Unmarshal(t.ReturnSchema(), &s) // what is no schema says nothing
	name, _ := s.Type.(string)
	return name
}

// joinTexts are texts one after the other; wrong is the first that is none, else -1.
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
