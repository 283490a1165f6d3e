package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// NaoText is a text in a tool of a Nao file.
type NaoText struct {
	*yaml.Node
	Step      string // the key of the tool above it
	Key       string // its own key, or that of its list, as ABL spells it
	parentKey string // the key above Key

	Own []string // the names below `args` of the binding around it; nil: the run's arguments
}

// naoKeys are the keys of a tool whose texts may name its parameters.
var naoKeys = []string{"permissions", "binding", "verify", "revert"}

// NaoTexts returns the texts of the Nao tool t below the given keys; none for a tool of another
// system.
func NaoTexts(f *File, t PositionedTool, keys ...string) []NaoText {
	if f.Foreign == nil || f.Foreign.System != "nao" {
		return nil
	}
	var found []NaoText
	for _, root := range f.YAMLTree().Roots() {
		tools := root.Get("tools")
		if tools == nil {
			continue
		}
		for _, item := range partsReaching(tools.Items, t.NameSpan(), func(item *yaml.Node) int { return item.Span.Start }) {
			if !item.Span.Contains(t.NameSpan().Start) {
				continue
			}
			for _, key := range keys {
				n := item.Get(key)
				found = naoTextsIn(found, n, NaoText{Step: key, Own: ownArguments(key, n)}, key)
			}
		}
	}
	return found
}

// IsStep reports whether a property is `verify` or `revert`.
func IsStep(key string) bool { return key == "verify" || key == "revert" }

// ownArguments returns the names below `args` of a step.
func ownArguments(key string, n *yaml.Node) []string {
	args := n.Get("args")
	if !IsStep(key) || args == nil {
		return nil
	}
	names := []string{}
	for _, m := range args.OwnMembers() {
		names = append(names, m.Key.Text)
	}
	return names
}

// naoTextsIn appends the texts of a node below the given keys.
func naoTextsIn(found []NaoText, n *yaml.Node, in NaoText, keys ...string) []NaoText {
	if n == nil || n.Alias != "" {
		return found
	}
	if n.Kind == yaml.String {
		keys = append([]string{""}, keys...)
		in.Node, in.Key, in.parentKey = n, keys[len(keys)-1], keys[len(keys)-2]
		return append(found, in)
	}
	for _, item := range n.Items {
		found = naoTextsIn(found, item, in, keys...)
	}
	for _, m := range n.OwnMembers() {
		found = naoTextsIn(found, m.Value, in, append(keys[:len(keys):len(keys)], foreign.SnakeCase(m.Key.Text))...)
	}
	return found
}

// IsExpression reports whether the text is one that a run evaluates.
func (x NaoText) IsExpression() bool {
	return IsStep(x.Step) && (x.Key == x.Step || x.parentKey == "args" || x.Key == "expect")
}

// allowsUnqualified reports whether the text may name a parameter without a namespace.
func (x NaoText) allowsUnqualified() bool {
	if x.IsExpression() {
		return SeesParams(x.Step, x.Key) || x.Key == "revert" // the arguments of a further call
	}
	return x.Own == nil
}

// SeesParams reports whether an expression of a step sees the parameters as expressions before the
// call do. The expressions that build the request of the step see the run alone.
func SeesParams(step, key string) bool { return step == "verify" && (key == step || key == "expect") }

// escapedBlank matches an escape sequence of JSON that is no letter of a name.
var escapedBlank = lazyregexp.New(`\\(?:[bfnrt]|u[0-9A-Fa-f]{4})`)

// Source returns the text as written, and its offset in the file.
func (x NaoText) Source(f *File) (s string, offset int) { return writtenText(f, x.Node) }

// writtenText returns a text as written, and its offset. Escape sequences are replaced by blanks,
// so that a word begins after them.
func writtenText(f *File, n *yaml.Node) (s string, offset int) {
	inner := n.TextSpan()
	s = f.Doc.Text()[inner.Start:inner.End]
	if n.Style == yaml.DoubleQuoted {
		s = escapedBlank.ReplaceAllStringFunc(s, func(m string) string { return strings.Repeat(" ", len(m)) })
	}
	return s, inner.Start
}

// Names returns the dotted names in the text.
func (x NaoText) Names(s string) []Name {
	if x.IsExpression() {
		return expressionNames(s)
	}
	var out []Name
	for _, p := range Placeholders(s, x.Key == "endpoint") {
		out = append(out, Names(s, p.Inner)...)
	}
	return out
}

// expressionNames returns the names in an expression, without those of members.
func expressionNames(s string) []Name {
	return slices.DeleteFunc(Names(s, text.Span{End: len(s)}), func(n Name) bool {
		return n.Head().Start > 0 && s[n.Head().Start-1] == '.'
	})
}

// naoArguments returns the places in a tool's texts that may name its parameters.
func naoArguments(f *File, t PositionedTool) []ForeignPlaceholder {
	var out []ForeignPlaceholder
	for _, x := range NaoTexts(f, t, naoKeys...) {
		s, offset := x.Source(f)
		for _, at := range x.arguments(s) {
			out = append(out, ForeignPlaceholder{Name: s[at.Start:at.End], Span: at.Shift(offset), Key: x.Key})
		}
	}
	return out
}

func (x NaoText) arguments(s string) []text.Span {
	switch {
	case x.Key == "statement":
		return boundNames(s)
	case slices.Contains(UntemplatedProperties, x.Key):
		return nil
	}
	var out []text.Span
	if x.IsExpression() {
		out = indirectNames(s)
	}
	for _, n := range x.Names(s) {
		switch head := s[n.Head().Start:n.Head().End]; {
		case head == "args" && IsStep(x.Step) && len(n.Parts) > 1:
			out = append(out, n.Parts[1])
		case x.allowsUnqualified():
			out = append(out, n.argument(s))
		}
	}
	return out
}

// NaoTextAt returns the text of a Nao tool at an offset of f, with the tool, if the text can name
// parameters. ok is false if there is none.
func NaoTextAt(f *File, offset int) (t PositionedTool, x NaoText, ok bool) {
	t, ok = f.ForeignAround(offset)
	if !ok {
		return t, x, false
	}
	for _, x := range NaoTexts(f, t, naoKeys...) {
		if inner := x.TextSpan(); inner.Touches(offset) && (x.Key == "statement" || !slices.Contains(UntemplatedProperties, x.Key)) {
			return t, x, true
		}
	}
	return t, x, false
}
