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

// maxFilled is the most bytes that a text with blocks may become. Nested loops can make a long
// text of a short one.
const maxFilled = 10 << 20

// block is a part of a text between block placeholders. `{{#each list}}…{{/each}}` repeats the
// part for each element; `{{#if value}}…{{/if}}` includes it if the value is true. The part after
// `{{else}}` is used if the list is empty, or if the value is null, false, 0 or empty.
type block struct {
	name            string // as written between the braces: #each input.items
	word, of        string // each, input.items
	then, otherwise []piece
	into            *[]piece // then or otherwise, while the text is parsed
}

// piece is a plain text, a placeholder, or a block.
type piece struct {
	text  string
	name  string
	block *block
}

// element is the current element of an `{{#each}}` loop.
type element struct {
	list  Value // the list of the loop
	value any
	index int
	last  bool
}

// HasBlocks reports whether a text contains `{{#each}}` or `{{#if}}`.
func HasBlocks(text string) bool {
	found := false
	_, _ = placeholder.Fill(text, false, func(p placeholder.Lookup) (string, error) {
		found = found || strings.HasPrefix(p.Name, "#")
		return "", nil
	})
	return found
}

// ExpandBlocks is [Scope.Expand] for a text that may have blocks. write also gets the text before
// the value.
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

// piecesOf parses a text with blocks. The error is an [*Error].
func piecesOf(text string) ([]piece, error) {
	root := &block{}
	root.into = &root.then
	open, read := []*block{root}, 0
	rest, err := placeholder.Fill(text, false, func(p placeholder.Lookup) (string, error) {
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

// expansion builds the filled-in text.
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
	if _, err := f.write(f.out.String(), Value{Source: v.Source, Name: v.Name}); err != nil { // notes that the value is used
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

// isTrue reports whether `{{#if}}` takes a JSON value as true.
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

// at returns the scope inside a loop, at one of its elements.
func (s *Scope) at(e element) *Scope {
	inner := *s
	inner.elements = append(slices.Clip(s.elements), e)
	return &inner
}

// element returns the value that a name has inside a loop: the innermost element, a field of an
// element, or a loop variable such as @index. A name that the element lacks and that means nothing
// outside the loop gives a value that is not Given. The result is false if the name does not
// belong to a loop.
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
	case placeholder.RootName(name) == "this":
		found.Data, found.Given = expression.Path(map[string]any{"this": e.value}, name)
		return found, true
	}
	for _, e := range slices.Backward(s.elements) {
		parts, isObject := e.value.(map[string]any)
		if _, has := parts[placeholder.RootName(name)]; isObject && has {
			v, ok := expression.Path(parts, name)
			return Value{e.list.Source, e.list.Name, ok, v}, true
		}
	}
	_, isObject := e.value.(map[string]any)
	if !isObject || s.isKnownOutsideLoops(placeholder.RootName(name)) {
		return Value{}, false
	}
	return Value{Source: e.list.Source, Name: e.list.Name}, true
}

// isKnownOutsideLoops reports whether a name has a meaning outside loops.
func (s *Scope) isKnownOutsideLoops(name string) bool {
	return s.Declared(name) || slices.Contains([]string{"secrets", "env", "config", "session", "input"}, name)
}
