package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Signature is the signature of the tool or function whose arguments are at a cursor.
type Signature struct {
	Label  string
	Doc    string // Markdown
	Params []SignatureParam

	// Active is the index of the parameter that the cursor gives a value; len(Params) if it is none of
	// them.
	Active int
}

// SignatureParam is one parameter.
type SignatureParam struct {
	Span text.Span // within the label
	Doc  string    // Markdown
}

// SignatureHelp returns the signature of the tool or the function whose arguments contain the
// offset of the file at path: in brackets, or below WITH. ok is false outside arguments.
func SignatureHelp(w model.Workspace, path string, offset int) (s Signature, ok bool) {
	c, ok := w.Cursor(path, offset)
	if !ok {
		return Signature{}, false
	}
	t, ok := cursor.LineAt(w, c)
	if !ok {
		return Signature{}, false
	}
	if s, ok := signatureInCall(t); ok {
		return s, true
	}
	return signatureInWith(t)
}

// signatureInCall returns the signature of the call whose arguments in brackets the cursor is in,
// the innermost one of the line. The second result is false if there is none.
func signatureInCall(t cursor.Line) (Signature, bool) {
	line := t.Text()
	found := model.Placeholders(line, false)
	switch n := len(found); {
	case n > 0 && !found[n-1].Closed:
		line = line[found[n-1].Inner.Start:]
	case isProseValue(t):
		return Signature{}, false
	default:
		line, _ = cursor.WithoutOuterQuote(line)
	}
	calls := openCalls(line)
	for i, c := range slices.Backward(calls) {
		if f, ok := expression.LookupFunction(c.Tool); ok && (i > 0 || !strings.EqualFold(t.Key, "CALL")) {
			return functionSignature(f, len(c.Args)-1), true
		}
	}
	if len(calls) == 0 || !strings.EqualFold(t.Key, "CALL") {
		return Signature{}, false
	}
	s, ok := t.Workspace.Callable(t.File.Path).SeenFrom(t.File, t.Offset).ToolByCallName(calls[0].Tool)
	if !ok {
		return Signature{}, false
	}
	last := len(calls[0].Args) - 1
	active := last
	switch m := cursor.NamedArgument.FindStringSubmatch(calls[0].Args[last]); {
	case m != nil:
		active = activeParameter(s.ToolDecl, m[1])
	case last >= len(s.Params): // what is pasted is given by its name alone
		active = len(s.ArgumentNames())
	}
	return toolSignature(t, s, active), true
}

// isProseValue reports whether the line is text for people, in which a word before a bracket calls
// nothing.
func isProseValue(t cursor.Line) bool {
	field, _ := cursor.MemberSchema(t.KeySchema(), t.Key)
	return t.Pipe || field != nil && (field.Type == tool.String || field.Type == tool.CodeType)
}

// openCalls returns the calls whose bracket is open at the end of a text, the outermost first.
func openCalls(s string) []cursor.Call {
	var calls []cursor.Call
	for _, b := range model.OpenBrackets(s, model.PlainBrackets) {
		before := strings.TrimRight(s[:b.At], " \t")
		name := before[len(strings.TrimRight(before, model.NameBytes)):]
		if s[b.At] != '(' || name == "" {
			continue
		}
		c := cursor.Call{Tool: name}
		for i, from := range b.Parts {
			to := len(s)
			if i+1 < len(b.Parts) {
				to = b.Parts[i+1] - 1
			}
			c.Args = append(c.Args, s[from:to])
		}
		calls = append(calls, c)
	}
	return calls
}

// signatureInWith returns the signature of the tool whose arguments the cursor is in, below a WITH
// or in its inline map. The second result is false if there is none.
func signatureInWith(t cursor.Line) (Signature, bool) {
	with, key := t.Parent.Node, t.Key
	if strings.EqualFold(t.Key, "WITH") {
		with, key = t.Node().Node, model.BracketContextOf(t.Text()).Innermost().Key
		for !with.IsZero() && !strings.EqualFold(with.Key(), "WITH") {
			with = with.Parent()
		}
	} else if key == "" {
		key = t.Text()
	}
	call := cursor.CallOf(with)
	if call.IsZero() {
		return Signature{}, false
	}
	s, ok := t.Workspace.Callable(t.File.Path).SeenFrom(t.File, t.Offset).ToolByCallName(model.NewCall(call).Tool)
	if !ok {
		return Signature{}, false
	}
	if key == "" {
		return toolSignature(t, s, firstMissing(s.ToolDecl, with)), true
	}
	return toolSignature(t, s, activeParameter(s.ToolDecl, key)), true
}

// activeParameter returns the index of the argument that a name means, or begins; the number of
// arguments if there is none.
func activeParameter(d *model.ToolDecl, name string) int {
	names := d.ArgumentNames()
	if i := slices.Index(names, name); i >= 0 {
		return i
	}
	begins := func(arg string) bool { return strings.HasPrefix(arg, name) }
	if i := slices.IndexFunc(names, begins); i >= 0 {
		return i
	}
	return len(names)
}

// firstMissing returns the index of the first argument that a WITH does not give.
func firstMissing(d *model.ToolDecl, with syntax.Node) int {
	given := map[string]bool{}
	for p := range model.KeyedNodes(with, true) {
		given[model.UnquotedWord(model.KeyOf(p)).Text] = true
	}
	names := d.ArgumentNames()
	if i := slices.IndexFunc(names, func(name string) bool { return !given[name] }); i >= 0 {
		return i
	}
	return len(names)
}

// toolSignature returns the signature of a tool, on one line.
func toolSignature(t cursor.Line, s model.ScopedTool, active int) Signature {
	var b labelBuilder
	b.WriteString(s.Name + "(")
	for i := range s.Params {
		p := &s.Params[i]
		b.param(i, describe.ParamText(p), paramDoc(t.Workspace, s, p.Name))
	}
	for i, p := range model.TemplateParams(t.Workspace, s) {
		b.param(len(s.Params)+i, p.String(), p.Description)
	}
	named, _ := s.SchemaParams()
	for _, p := range named {
		b.param(len(b.params), p.String(), p.Description)
	}
	b.WriteString(")")
	if s.Returns != nil {
		b.WriteString(" -> " + s.Returns.String())
	}
	description, _ := s.Property("description")
	return Signature{Label: b.String(), Doc: description.Text(), Params: b.params, Active: active}
}

// paramDoc returns the description of a tool's parameter below `parameters`.
func paramDoc(w model.Workspace, s model.ScopedTool, name string) string {
	for _, p := range model.LowerTool(w, s.File.Path, s).Tool.Params {
		if p.Name == name {
			return p.Description
		}
	}
	return ""
}

// functionSignature returns the signature of a function of the language.
func functionSignature(f expression.Function, active int) Signature {
	var b labelBuilder
	b.WriteString(f.Name + "(")
	for i, p := range f.Params {
		b.param(i, p, "")
	}
	b.WriteString(") -> " + f.Returns)
	if n := len(f.Params); n > 0 && f.Params[n-1] == "…" {
		active = min(active, n-1)
	}
	return Signature{Label: b.String(), Doc: f.Doc, Params: b.params, Active: min(active, len(f.Params))}
}

// labelBuilder writes a label, and records the spans of its parameters.
type labelBuilder struct {
	strings.Builder
	params []SignatureParam
}

func (b *labelBuilder) param(i int, label, doc string) {
	if i > 0 {
		b.WriteString(", ")
	}
	start := b.Len()
	b.WriteString(label)
	b.params = append(b.params, SignatureParam{Span: text.Span{Start: start, End: b.Len()}, Doc: doc})
}
