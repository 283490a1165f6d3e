package analysis

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// hoverName describes what the word under the cursor names, where no more than
// the text around it says that it is a name: a secret, a template, a function, a
// variable.
func hoverName(w Workspace, c Cursor) (Hover, bool) {
	source := c.File.Doc.Text()
	line := c.File.Doc.Lines().LineText(c.File.Doc.Lines().Line(c.Offset))
	for _, find := range []func(Workspace, Cursor, string, text.Span) (Hover, bool){
		hoverSecret, hoverTemplate, hoverFunction, hoverVariable,
	} {
		if h, ok := find(w, c, source, line); ok {
			return h, true
		}
	}
	return Hover{}, false
}

var (
	secretNamed   = regexp.MustCompile(`\bsecrets\.([A-Za-z_][\w-]*)`)
	templateNamed = regexp.MustCompile(`\bTEMPLATE\([ \t]*["']?([A-Za-z_][\w.-]*)`)
	functionNamed = regexp.MustCompile(`((?:abl\.)?[A-Za-z_]\w*)[ \t]*\(`)
)

// hoverSecret says whether a secret is there. Its value is nobody's business.
func hoverSecret(w Workspace, c Cursor, source string, line text.Span) (Hover, bool) {
	at, ok := GroupAt(secretNamed, source, line, 1, c.Offset)
	if !ok || !inBraces(c, at.Start) {
		return Hover{}, false
	}
	return Hover{at, aboutSecret(w, c.File.Path, source[at.Start:at.End])}, true
}

// aboutSecret says who has a secret that a file names.
func aboutSecret(w Workspace, path, name string) string {
	names, known := Secrets(w, path)
	where := "Where it comes from is known when the tool runs."
	switch {
	case slices.Contains(names, name):
		where = "The environment or the `.env` has it."
	case known:
		where = "Neither the environment nor a `.env` has it."
	}
	return Paragraphs("**"+name+"** · secret", where+" It is looked up last and never shown.")
}

// hoverTemplate shows a template where it is used, or declared.
func hoverTemplate(w Workspace, c Cursor, source string, line text.Span) (Hover, bool) {
	if at, ok := GroupAt(templateNamed, source, line, 1, c.Offset); ok {
		n, ok := c.File.Template(source[at.Start:at.End])
		return Hover{at, TemplateMarkdown(n)}, ok
	}
	if c.Section == nil || c.Section.Name() != "TEMPLATES" {
		return Hover{}, false
	}
	for _, n := range c.File.Templates() {
		if at := n.Node.At(KeyOf(n.Node.Node)).Span(); at.Touches(c.Offset) {
			return Hover{at, TemplateMarkdown(n)}, true
		}
	}
	return Hover{}, false
}

// hoverFunction describes a built-in function. Elsewhere than in an expression
// or between braces its name is a word like any other.
func hoverFunction(w Workspace, c Cursor, source string, line text.Span) (Hover, bool) {
	at, ok := GroupAt(functionNamed, source, line, 1, c.Offset)
	if !ok || !inExpression(c) && !inBraces(c, at.Start) {
		return Hover{}, false
	}
	name := source[at.Start:at.End]
	f, ok := expression.LookupFunction(name)
	if !ok || name != strings.ToUpper(name) && !strings.HasPrefix(name, expression.Prefix) {
		return Hover{}, false
	}
	return Hover{at, FunctionMarkdown(f)}, true
}

// hoverVariable describes a variable, or a member of one, as far as something
// says what it is.
func hoverVariable(w Workspace, c Cursor, source string, line text.Span) (Hover, bool) {
	at, ok := GroupAt(PathNamed, source, line, 0, c.Offset)
	if !ok {
		return Hover{}, false
	}
	if v, ok := introducedVariable(c); ok {
		return Hover{v.Span, Paragraphs(VariableMarkdown(v), resultNote(w, c.File, v))}, true
	}
	t, path, part, ok := pathHere(w, c, source, at)
	if !ok {
		return Hover{}, false
	}
	said := describePath(t, path)
	if t.Scope != nil {
		said = describeScoped(t, path)
	}
	return Hover{part, said}, said != "" && part.Len() > 0
}

// pathHere is the part under the cursor of a path that stands at a span, with all that
// it is a member of.
func pathHere(w Workspace, c Cursor, source string, at text.Span) (t Typed, path string, part text.Span, ok bool) {
	if isUntemplated(c) || !inExpression(c) && !inBraces(c, at.Start) && !inNames(c) {
		return t, "", part, false
	}
	if t, ok = LineAt(w, c); !ok {
		return t, "", part, false
	}
	end := at.End
	if i := strings.IndexAny(source[c.Offset:at.End], ".["); i >= 0 {
		end = c.Offset + i
	}
	path = source[at.Start:end]
	t.Scope = ScopeOfPath(c, path)
	return t, path, text.Span{Start: at.Start + strings.LastIndexByte(path, '.') + 1, End: end}, true
}

// describePath documents a path; "" where nothing is known of it.
func describePath(t Typed, path string) string {
	rest, inSession := strings.CutPrefix(path, "session.")
	of := t.TypeOf(rest)
	title := "**" + path + "**"
	if of != nil {
		title += " · " + CodeSpan(OneLine(of.String(), MaxSignature))
	}
	v, known := t.File.Variable(rest)
	switch {
	case known && v.Name == rest:
		if v.Type == "" && of != nil && len(of.Fields) == 0 {
			v.Type = of.String()
		}
		return Paragraphs(VariableMarkdown(v), Expanded(of))
	case of != nil:
		return Paragraphs(title, Expanded(of))
	}
	if w, ok := SystemVariable(path); ok {
		return Paragraphs(title+" · system variable", w.Doc)
	}
	if inSession || strings.ContainsAny(path, ".[") {
		return ""
	}
	w, ok := tool.LookupWord(SpecialNames, path)
	if !ok || w.Name != path {
		return ""
	}
	return Paragraphs(title, w.Doc)
}

// resultNote shows the type of a result.
func resultNote(w Workspace, f *File, v Variable) string {
	if v.Tool == "" {
		return ""
	}
	s, ok := w.Callable(f.Path).Called(v.Tool)
	if !ok || s.Returns == nil {
		return ""
	}
	if e := Expanded(s.Returns); e != "" {
		return e
	}
	return Fenced(s.Returns.String())
}

// introducedVariable is the variable that the cursor stands on where it is introduced,
// with what is said of it elsewhere.
func introducedVariable(c Cursor) (Variable, bool) {
	all := c.File.AllVariables()
	i := slices.IndexFunc(all, func(v Variable) bool { return v.Span.Touches(c.Offset) })
	if i < 0 {
		return Variable{}, false
	}
	v, _ := c.File.Variable(all[i].Name)
	v.Span = all[i].Span
	return v, true
}

// inBraces reports whether an offset is inside of a placeholder.
func inBraces(c Cursor, offset int) bool {
	lines := c.File.Doc.Lines()
	line := lines.LineText(lines.Line(offset))
	for _, p := range Placeholders(lines.Text()[line.Start:line.End], false) {
		if inner := p.Inner.Shift(line.Start); inner.Start <= offset && offset <= inner.End {
			return true
		}
	}
	return false
}

// inExpression reports whether the cursor is in an expression, whole or not.
func inExpression(c Cursor) bool {
	if IsStepExpression(StepAt(c)) {
		return true
	}
	for n := c.Node(); !n.IsZero(); n.Node = n.Parent() {
		switch n.Kind() {
		case syntax.Expression, syntax.Rule, syntax.Assignment:
			return true
		case syntax.String, syntax.PipeBlock, syntax.Key, syntax.Comment:
			return false
		}
	}
	path := PropertiesAround(c)
	return len(path) > 0 && (path[0].Name() == "process" || path[len(path)-1].Field != nil && path[len(path)-1].Field.Type == tool.Expr)
}

// isUntemplated reports whether the cursor is in a property of a tool in which braces
// are ordinary text.
func isUntemplated(c Cursor) bool {
	is := func(p Property) bool { return slices.Contains(Untemplated, p.Name()) }
	return InTools(c) && slices.ContainsFunc(PropertiesAround(c), is)
}

// inNames reports whether the cursor is in a list of variables.
func inNames(c Cursor) bool {
	path := PropertiesAround(c)
	if len(path) == 0 || path[len(path)-1].Field == nil {
		return false
	}
	f := path[len(path)-1].Field
	return f.Ref == tool.RefField || slices.Contains(VariableLists, f.Name) || slices.Contains(PersistentLists, f.Name)
}

// hoverExported says where the exported project has what a word names, and what a text
// says in each locale. The value of a variable is nobody's business.
func hoverExported(w Workspace, c Cursor) (Hover, bool) {
	e, ok := ExportedAt(w, c)
	if !ok {
		return Hover{}, false
	}
	parts := []string{"**" + e.Name + "** · " + e.What}
	if strings.HasSuffix(c.File.Doc.Text()[:e.Span.Start], "secrets.") {
		parts[0] = aboutSecret(w, c.File.Path, e.Name)
	}
	for _, l := range e.Places {
		f := w.AnyFile(l.Path)
		if e.IsText {
			said := yaml.Read(f.Doc.Lines()).Root().Get(e.Name)
			parts = append(parts, "`"+filepath.Base(filepath.Dir(l.Path))+"`: "+OneLine(said.Word(), MaxDoc))
		}
		parts = append(parts, WrittenIn(c.File, f, l.Span))
	}
	return Hover{e.Span, Paragraphs(parts...)}, true
}

// hoverPlatformTool describes a tool of the platform where a name means one that the file
// does not declare.
func hoverPlatformTool(w Workspace, c Cursor) (Hover, bool) {
	if c.Entry.Entry == nil {
		return Hover{}, false
	}
	for _, m := range c.File.Mentions(c.Entry) {
		if m.Kind != OfTool || !m.Span.Touches(c.Offset) {
			continue
		}
		if t, ok := tool.LookupPlatformTool(m.Name); ok {
			return Hover{m.Span, Paragraphs(Fenced(t.Signature()), PlatformMarkdown(t), "It is not declared below `TOOLS:`.")}, true
		}
	}
	return Hover{}, false
}

// hoverNumbered tells of the parameter that a statement names by its number.
func hoverNumbered(w Workspace, path string, offset int) (Hover, bool) {
	n, ok := NumberedAt(w, path, offset)
	if !ok {
		return Hover{}, false
	}
	return Hover{n.Span, ParamMarkdown(w, n.Tool.File, n.Tool, n.Tool.Param(n.Name))}, n.Tool.Param(n.Name) != nil
}

// describeScoped documents a path that begins with a name of the scope.
func describeScoped(t Typed, path string) string {
	of, doc := t.TypeOf(path), ""
	for _, n := range t.Scope {
		if n.Name == path {
			doc = n.Doc
		}
	}
	if of == nil && doc == "" {
		return ""
	}
	title := "**" + path + "**"
	if of != nil {
		title += " · " + CodeSpan(OneLine(of.String(), MaxSignature))
	}
	return Paragraphs(title, doc, Expanded(of))
}

// isDeclared reports whether the word under the cursor names what abl.yaml lists or a
// section of the file declares, which come before what the exported project has.
func isDeclared(w Workspace, c Cursor) bool {
	u, ok := UseAt(w, c.File.Path, c.Offset)
	return ok && (u.Subject.Kind == ProjectSubject || u.Subject.Kind == NamedSubject) && len(declaringReferences(w, c.File.Path, u.Subject)) > 0
}
