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
func hoverName(w Workspace, c cursor) (Hover, bool) {
	source := c.file.Doc.Text()
	line := c.file.Doc.Lines().LineText(c.file.Doc.Lines().Line(c.offset))
	for _, find := range []func(Workspace, cursor, string, text.Span) (Hover, bool){
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
func hoverSecret(w Workspace, c cursor, source string, line text.Span) (Hover, bool) {
	at, ok := groupAt(secretNamed, source, line, 1, c.offset)
	if !ok || !inBraces(c, at.Start) {
		return Hover{}, false
	}
	return Hover{at, aboutSecret(w, c.file.Path, source[at.Start:at.End])}, true
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
	return paragraphs("**"+name+"** · secret", where+" It is looked up last and never shown.")
}

// hoverTemplate shows a template where it is used, or declared.
func hoverTemplate(w Workspace, c cursor, source string, line text.Span) (Hover, bool) {
	if at, ok := groupAt(templateNamed, source, line, 1, c.offset); ok {
		n, ok := c.file.template(source[at.Start:at.End])
		return Hover{at, templateMarkdown(n)}, ok
	}
	if c.section == nil || c.section.Name() != "TEMPLATES" {
		return Hover{}, false
	}
	for _, n := range c.file.templates() {
		if at := n.node.At(keyOf(n.node.Node)).Span(); at.Touches(c.offset) {
			return Hover{at, templateMarkdown(n)}, true
		}
	}
	return Hover{}, false
}

// hoverFunction describes a built-in function. Elsewhere than in an expression
// or between braces its name is a word like any other.
func hoverFunction(w Workspace, c cursor, source string, line text.Span) (Hover, bool) {
	at, ok := groupAt(functionNamed, source, line, 1, c.offset)
	if !ok || !inExpression(c) && !inBraces(c, at.Start) {
		return Hover{}, false
	}
	name := source[at.Start:at.End]
	f, ok := expression.LookupFunction(name)
	if !ok || name != strings.ToUpper(name) && !strings.HasPrefix(name, expression.Prefix) {
		return Hover{}, false
	}
	return Hover{at, functionMarkdown(f)}, true
}

// hoverVariable describes a variable, or a member of one, as far as something
// says what it is.
func hoverVariable(w Workspace, c cursor, source string, line text.Span) (Hover, bool) {
	at, ok := groupAt(pathNamed, source, line, 0, c.offset)
	if !ok {
		return Hover{}, false
	}
	if v, ok := introducedVariable(c); ok {
		return Hover{v.Span, paragraphs(variableMarkdown(v), resultNote(w, c.file, v))}, true
	}
	t, path, part, ok := pathHere(w, c, source, at)
	if !ok {
		return Hover{}, false
	}
	said := describePath(t, path)
	if t.scope != nil {
		said = describeScoped(t, path)
	}
	return Hover{part, said}, said != "" && part.Len() > 0
}

// pathHere is the part under the cursor of a path that stands at a span, with all that
// it is a member of.
func pathHere(w Workspace, c cursor, source string, at text.Span) (t typed, path string, part text.Span, ok bool) {
	if isUntemplated(c) || !inExpression(c) && !inBraces(c, at.Start) && !inNames(c) {
		return t, "", part, false
	}
	if t, ok = lineAt(w, c); !ok {
		return t, "", part, false
	}
	end := at.End
	if i := strings.IndexAny(source[c.offset:at.End], ".["); i >= 0 {
		end = c.offset + i
	}
	path = source[at.Start:end]
	t.scope = scopeOfPath(c, path)
	return t, path, text.Span{Start: at.Start + strings.LastIndexByte(path, '.') + 1, End: end}, true
}

// describePath documents a path; "" where nothing is known of it.
func describePath(t typed, path string) string {
	rest, inSession := strings.CutPrefix(path, "session.")
	of := t.typeOf(rest)
	title := "**" + path + "**"
	if of != nil {
		title += " · " + codeSpan(oneLine(of.String(), maxSignature))
	}
	v, known := t.file.variable(rest)
	switch {
	case known && v.Name == rest:
		if v.Type == "" && of != nil && len(of.Fields) == 0 {
			v.Type = of.String()
		}
		return paragraphs(variableMarkdown(v), expanded(of))
	case of != nil:
		return paragraphs(title, expanded(of))
	}
	if w, ok := systemVariable(path); ok {
		return paragraphs(title+" · system variable", w.Doc)
	}
	if inSession || strings.ContainsAny(path, ".[") {
		return ""
	}
	w, ok := tool.LookupWord(specialNames, path)
	if !ok || w.Name != path {
		return ""
	}
	return paragraphs(title, w.Doc)
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
	if e := expanded(s.Returns); e != "" {
		return e
	}
	return fenced(s.Returns.String())
}

// introducedVariable is the variable that the cursor stands on where it is introduced,
// with what is said of it elsewhere.
func introducedVariable(c cursor) (Variable, bool) {
	all := c.file.allVariables()
	i := slices.IndexFunc(all, func(v Variable) bool { return v.Span.Touches(c.offset) })
	if i < 0 {
		return Variable{}, false
	}
	v, _ := c.file.variable(all[i].Name)
	v.Span = all[i].Span
	return v, true
}

// inBraces reports whether an offset is inside of a placeholder.
func inBraces(c cursor, offset int) bool {
	lines := c.file.Doc.Lines()
	line := lines.LineText(lines.Line(offset))
	for _, p := range Placeholders(lines.Text()[line.Start:line.End], false) {
		if inner := p.Inner.Shift(line.Start); inner.Start <= offset && offset <= inner.End {
			return true
		}
	}
	return false
}

// inExpression reports whether the cursor is in an expression, whole or not.
func inExpression(c cursor) bool {
	if isStepExpression(stepAt(c)) {
		return true
	}
	for n := c.node(); !n.IsZero(); n.Node = n.Parent() {
		switch n.Kind() {
		case syntax.Expression, syntax.Rule, syntax.Assignment:
			return true
		case syntax.String, syntax.PipeBlock, syntax.Key, syntax.Comment:
			return false
		}
	}
	path := propertiesAround(c)
	return len(path) > 0 && (path[0].Name() == "process" || path[len(path)-1].Field != nil && path[len(path)-1].Field.Type == tool.Expr)
}

// isUntemplated reports whether the cursor is in a property of a tool in which braces
// are ordinary text.
func isUntemplated(c cursor) bool {
	is := func(p Property) bool { return slices.Contains(untemplated, p.Name()) }
	return inTools(c) && slices.ContainsFunc(propertiesAround(c), is)
}

// inNames reports whether the cursor is in a list of variables.
func inNames(c cursor) bool {
	path := propertiesAround(c)
	if len(path) == 0 || path[len(path)-1].Field == nil {
		return false
	}
	f := path[len(path)-1].Field
	return f.Ref == tool.RefField || slices.Contains(variableLists, f.Name) || slices.Contains(persistentLists, f.Name)
}

// hoverExported says where the exported project has what a word names, and what a text
// says in each locale. The value of a variable is nobody's business.
func hoverExported(w Workspace, c cursor) (Hover, bool) {
	e, ok := exportedAt(w, c)
	if !ok {
		return Hover{}, false
	}
	parts := []string{"**" + e.name + "** · " + e.what}
	if strings.HasSuffix(c.file.Doc.Text()[:e.span.Start], "secrets.") {
		parts[0] = aboutSecret(w, c.file.Path, e.name)
	}
	for _, l := range e.places {
		f := w.anyFile(l.Path)
		if e.isText {
			said := yaml.Read(f.Doc.Lines()).Root().Get(e.name)
			parts = append(parts, "`"+filepath.Base(filepath.Dir(l.Path))+"`: "+oneLine(said.Word(), maxDoc))
		}
		parts = append(parts, writtenIn(c.file, f, l.Span))
	}
	return Hover{e.span, paragraphs(parts...)}, true
}

// hoverPlatformTool describes a tool of the platform where a name means one that the file
// does not declare.
func hoverPlatformTool(w Workspace, c cursor) (Hover, bool) {
	if c.entry.Entry == nil {
		return Hover{}, false
	}
	for _, m := range c.file.Mentions(c.entry) {
		if m.Kind != OfTool || !m.Span.Touches(c.offset) {
			continue
		}
		if t, ok := tool.LookupPlatformTool(m.Name); ok {
			return Hover{m.Span, paragraphs(fenced(t.Signature()), platformMarkdown(t), "It is not declared below `TOOLS:`.")}, true
		}
	}
	return Hover{}, false
}

// hoverNumbered tells of the parameter that a statement names by its number.
func hoverNumbered(w Workspace, path string, offset int) (Hover, bool) {
	n, ok := numberedAt(w, path, offset)
	if !ok {
		return Hover{}, false
	}
	return Hover{n.span, paramMarkdown(w, n.tool.File, n.tool, n.tool.Param(n.name))}, n.tool.Param(n.name) != nil
}

// describeScoped documents a path that begins with a name of the scope.
func describeScoped(t typed, path string) string {
	of, doc := t.typeOf(path), ""
	for _, n := range t.scope {
		if n.Name == path {
			doc = n.Doc
		}
	}
	if of == nil && doc == "" {
		return ""
	}
	title := "**" + path + "**"
	if of != nil {
		title += " · " + codeSpan(oneLine(of.String(), maxSignature))
	}
	return paragraphs(title, doc, expanded(of))
}

// isDeclared reports whether the word under the cursor names what abl.yaml lists or a
// section of the file declares, which come before what the exported project has.
func isDeclared(w Workspace, c cursor) bool {
	u, ok := useAt(w, c.file.Path, c.offset)
	return ok && (u.subject.kind == ProjectSubject || u.subject.kind == NamedSubject) && len(declaringReferences(w, c.file.Path, u.subject)) > 0
}
