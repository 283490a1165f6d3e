package template

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// maxFilled is how long a text with blocks may become, in bytes: loops in loops make
// much of little.
const maxFilled = 10 << 20

// block is what a part of a text stands in: `{{#each list}}…{{/each}}` repeats the part
// for each element, `{{#if value}}…{{/if}}` takes it or leaves it out. After `{{else}}`
// stands what is written otherwise: where the list is empty, or the value is none, false,
// 0 or empty.
type block struct {
	name            string // as written between the braces: #each input.items
	word, of        string // each, input.items
	then, otherwise []piece
	into            *[]piece // one of them, while the text is read
}

// piece is a text, a placeholder, or a block.
type piece struct {
	text  string
	name  string
	block *block
}

// element is what the parts of `{{#each}}` are filled with.
type element struct {
	list  Value // where it comes from
	value any
	index int
	last  bool
}

// HasBlocks reports whether a text has parts that are repeated or left out.
func HasBlocks(text string) bool {
	found := false
	_, _ = placeholder.Fill(text, false, func(p placeholder.Place) (string, error) {
		found = found || strings.HasPrefix(p.Name, "#")
		return "", nil
	})
	return found
}

// ExpandBlocks is Expand for a text that may have blocks. write is told the text before
// the value as well.
func (s *Scope) ExpandBlocks(text string, write func(before string, v Value) (string, error)) (string, error) {
	pieces, err := piecesOf(text)
	if err != nil {
		return "", err
	}
	f := expansion{write: write}
	if err := f.pieces(s, pieces); err != nil {
		return "", err
	}
	return f.out.String(), nil
}

// piecesOf reads a text with blocks. The error is an [*Error].
func piecesOf(text string) ([]piece, error) {
	root := &block{}
	root.into = &root.then
	open, read := []*block{root}, 0
	rest, err := placeholder.Fill(text, false, func(p placeholder.Place) (string, error) {
		inner := open[len(open)-1]
		*inner.into = append(*inner.into, piece{text: p.Before[read:]})
		read = len(p.Before)
		word, of, _ := strings.Cut(p.Name, " ")
		switch {
		case word == "#each" || word == "#if":
			b := &block{name: p.Name, word: word[1:], of: strings.TrimSpace(of)}
			b.into = &b.then
			*inner.into = append(*inner.into, piece{block: b})
			open = append(open, b)
		case p.Name == "else" && inner != root:
			inner.into = &inner.otherwise
		case p.Name == "/each" || p.Name == "/if":
			if inner.word != p.Name[1:] {
				return "", &Error{p.Name, "ends nothing that was begun before it"}
			}
			open = open[:len(open)-1]
		default:
			*inner.into = append(*inner.into, piece{name: p.Name})
		}
		return "", nil
	})
	if err != nil {
		return nil, err
	}
	if inner := open[len(open)-1]; inner != root {
		return nil, &Error{inner.name, fmt.Sprintf("has no {{/%s}} behind it", inner.word)}
	}
	return append(root.then, piece{text: rest[read:]}), nil
}

// expansion is a text that grows.
type expansion struct {
	out   strings.Builder
	write func(before string, v Value) (string, error)
}

func (f *expansion) pieces(s *Scope, pieces []piece) error {
	for _, p := range pieces {
		f.out.WriteString(p.text)
		var err error
		switch {
		case p.block != nil:
			err = f.block(s, p.block)
		case p.name != "":
			err = f.value(s, p.name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *expansion) value(s *Scope, name string) error {
	v, err := s.Lookup(name)
	if err != nil {
		return err
	}
	text, err := f.write(f.out.String(), v)
	f.out.WriteString(text)
	return err
}

func (f *expansion) block(s *Scope, b *block) error {
	v, err := s.Lookup(b.of)
	if err != nil {
		return err
	}
	if _, err := f.write(f.out.String(), Value{Source: v.Source, Name: v.Name}); err != nil { // it has its place
		return err
	}
	if b.word == "if" {
		if isTrue(v.Data) {
			return f.pieces(s, b.then)
		}
		return f.pieces(s, b.otherwise)
	}
	list, ok := v.Data.([]any)
	switch {
	case !ok && v.Data != nil:
		return &Error{b.name, "wants a list, and " + b.of + " is none"}
	case len(list) == 0:
		return f.pieces(s, b.otherwise)
	}
	for i, item := range list {
		if err := f.pieces(s.at(element{v, item, i, i == len(list)-1}), b.then); err != nil {
			return err
		}
		if f.out.Len() > maxFilled {
			return &Error{b.name, fmt.Sprintf("makes more than %d MB", maxFilled>>20)}
		}
	}
	return nil
}

// isTrue is how `{{#if}}` takes a JSON value.
func isTrue(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case json.Number:
		f, err := v.Float64()
		return err != nil || f != 0
	case []any:
		return len(v) > 0
	}
	return true
}

// at is the scope inside of a loop, at one of its elements.
func (s *Scope) at(e element) *Scope {
	inner := *s
	inner.elements = append(slices.Clip(s.elements), e)
	return &inner
}

// element finds what a name means inside of loops: the innermost element, a part of one,
// or its number. A part that an element lacks, and that nothing else has for a name, is
// left out.
func (s *Scope) element(name string) (Value, bool) {
	if len(s.elements) == 0 {
		return Value{}, false
	}
	e := s.elements[len(s.elements)-1]
	found := Value{Source: e.list.Source, Name: e.list.Name, Given: true}
	switch {
	case name == "@index":
		found.Data = json.Number(strconv.Itoa(e.index))
		return found, true
	case name == "@first":
		found.Data = e.index == 0
		return found, true
	case name == "@last":
		found.Data = e.last
		return found, true
	case placeholder.Head(name) == "this":
		found.Data, found.Given = expression.Path(map[string]any{"this": e.value}, name)
		return found, true
	}
	for _, e := range slices.Backward(s.elements) {
		parts, isObject := e.value.(map[string]any)
		if _, has := parts[placeholder.Head(name)]; isObject && has {
			v, ok := expression.Path(parts, name)
			return Value{e.list.Source, e.list.Name, ok, v}, true
		}
	}
	_, isObject := e.value.(map[string]any)
	if !isObject || s.isKnownOutsideLoops(placeholder.Head(name)) {
		return Value{}, false
	}
	return Value{Source: e.list.Source, Name: e.list.Name}, true
}

// isKnownOutsideLoops reports whether a name means something outside of loops.
func (s *Scope) isKnownOutsideLoops(name string) bool {
	return s.Declared(name) || slices.Contains([]string{"secrets", "env", "config", "session", "input"}, name)
}
