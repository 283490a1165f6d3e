package analysis

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// hoverName describes the word under the cursor if only the text around it shows that it is a name:
// a secret, a template, a function, a variable.
func hoverName(w model.Workspace, c model.Cursor) (Hover, bool) {
	source := c.File.Doc.Text()
	line := c.File.Doc.Lines().LineText(c.File.Doc.Lines().Line(c.Offset))
	for _, find := range []func(model.Workspace, model.Cursor, string, text.Span) (Hover, bool){
		hoverSecret, hoverTemplate, hoverFunction, hoverVariable,
	} {
		if h, ok := find(w, c, source, line); ok {
			return h, true
		}
	}
	return Hover{}, false
}

var (
	secretNamed   = lazyregexp.New(`\bsecrets\.([A-Za-z_][\w-]*)`)
	templateNamed = lazyregexp.New(`\bTEMPLATE\([ \t]*["']?([A-Za-z_][\w.-]*)`)
	functionNamed = lazyregexp.New(`((?:abl\.)?[A-Za-z_]\w*)[ \t]*\(`)
)

// hoverSecret says whether a secret is there. It never shows the value.
func hoverSecret(w model.Workspace, c model.Cursor, source string, line text.Span) (Hover, bool) {
	at, ok := cursor.GroupAt(secretNamed, source, line, 1, c.Offset)
	if !ok || !inBraces(c, at.Start) {
		return Hover{}, false
	}
	return Hover{at, secretMarkdown(w, c.File.Path, source[at.Start:at.End])}, true
}

// secretMarkdown says which provider has a secret that a file names.
func secretMarkdown(w model.Workspace, path, name string) string {
	names, known := model.SecretNames(w, path)
	where := "Where it comes from is known when the tool runs."
	switch {
	case slices.Contains(names, name):
		where = "The environment or the `.env` has it."
	case known:
		where = "Neither the environment nor a `.env` has it."
	}
	return describe.Paragraphs("**"+name+"** · secret", where+" It is looked up last and never shown.")
}

// hoverTemplate shows a template at a place that uses or declares it.
func hoverTemplate(w model.Workspace, c model.Cursor, source string, line text.Span) (Hover, bool) {
	if at, ok := cursor.GroupAt(templateNamed, source, line, 1, c.Offset); ok {
		n, ok := c.File.Template(source[at.Start:at.End])
		return Hover{at, describe.TemplateMarkdown(n)}, ok
	}
	if c.Section == nil || c.Section.Name() != "TEMPLATES" {
		return Hover{}, false
	}
	for _, n := range c.File.Templates() {
		if at := n.Node.InFile(model.KeyOf(n.Node.Node)).Span(); at.Touches(c.Offset) {
			return Hover{at, describe.TemplateMarkdown(n)}, true
		}
	}
	return Hover{}, false
}

// hoverFunction describes a built-in function. Outside expressions and braces, its name is a word
// like any other.
func hoverFunction(w model.Workspace, c model.Cursor, source string, line text.Span) (Hover, bool) {
	at, ok := cursor.GroupAt(functionNamed, source, line, 1, c.Offset)
	if !ok || !inExpression(c) && !inBraces(c, at.Start) {
		return Hover{}, false
	}
	name := source[at.Start:at.End]
	f, ok := expression.LookupFunction(name)
	if !ok || name != strings.ToUpper(name) && !strings.HasPrefix(name, expression.Prefix) {
		return Hover{}, false
	}
	return Hover{at, describe.FunctionMarkdown(f)}, true
}

// hoverVariable describes a variable, or a member of one, if anything is known of it.
func hoverVariable(w model.Workspace, c model.Cursor, source string, line text.Span) (Hover, bool) {
	at, ok := cursor.GroupAt(model.PathPattern, source, line, 0, c.Offset)
	if !ok {
		return Hover{}, false
	}
	if v, ok := variableAtCursor(c); ok {
		return Hover{v.Span, describe.Paragraphs(describe.VariableMarkdown(v), resultNote(w, c.File, v))}, true
	}
	t, path, part, ok := pathAtCursor(w, c, source, at)
	if !ok {
		return Hover{}, false
	}
	doc := describePath(t, path)
	if t.Scope != nil {
		doc = describeScoped(t, path)
	}
	return Hover{part, doc}, doc != "" && part.Len() > 0
}

// pathAtCursor returns the part under the cursor of a path at a span, and the path up to that part.
func pathAtCursor(w model.Workspace, c model.Cursor, source string, at text.Span) (t cursor.Line, path string, part text.Span, ok bool) {
	if isUntemplated(c) || !inExpression(c) && !inBraces(c, at.Start) && !inNames(c) {
		return t, "", part, false
	}
	if t, ok = cursor.LineAt(w, c); !ok {
		return t, "", part, false
	}
	end := at.End
	if i := strings.IndexAny(source[c.Offset:at.End], ".["); i >= 0 {
		end = c.Offset + i
	}
	path = source[at.Start:end]
	t.Scope = cursor.ScopeOfPath(c, path)
	return t, path, text.Span{Start: at.Start + strings.LastIndexByte(path, '.') + 1, End: end}, true
}

// describePath documents a path; "" if nothing is known of it.
func describePath(t cursor.Line, path string) string {
	rest, inSession := strings.CutPrefix(path, "session.")
	of := t.TypeOf(rest)
	title := "**" + path + "**"
	if of != nil {
		title += " · " + describe.CodeSpan(describe.OneLine(of.String(), describe.MaxSignature))
	}
	v, known := t.File.Variable(rest)
	switch {
	case known && v.Name == rest:
		if v.Type == "" && of != nil && len(of.Fields) == 0 {
			v.Type = of.String()
		}
		return describe.Paragraphs(describe.VariableMarkdown(v), describe.ExpandedType(of))
	case of != nil:
		return describe.Paragraphs(title, describe.ExpandedType(of))
	}
	if w, ok := model.SystemVariable(path); ok {
		return describe.Paragraphs(title+" · system variable", w.Doc)
	}
	if inSession || strings.ContainsAny(path, ".[") {
		return ""
	}
	w, ok := tool.LookupWord(model.SpecialNames, path)
	if !ok || w.Name != path {
		return ""
	}
	return describe.Paragraphs(title, w.Doc)
}

// resultNote shows the type of a result.
func resultNote(w model.Workspace, f *model.File, v model.Variable) string {
	if v.Tool == "" {
		return ""
	}
	s, ok := w.Callable(f.Path).ToolByCallName(v.Tool)
	if !ok || s.Returns == nil {
		return ""
	}
	if e := describe.ExpandedType(s.Returns); e != "" {
		return e
	}
	return describe.Fenced(s.Returns.String())
}

// variableAtCursor returns the variable under the cursor at a place that gives it a value,
// completed by what other places say of it.
func variableAtCursor(c model.Cursor) (model.Variable, bool) {
	all := c.File.AllVariables()
	i := slices.IndexFunc(all, func(v model.Variable) bool { return v.Span.Touches(c.Offset) })
	if i < 0 {
		return model.Variable{}, false
	}
	v, _ := c.File.Variable(all[i].Name)
	v.Span = all[i].Span
	return v, true
}

// inBraces reports whether an offset is inside a placeholder.
func inBraces(c model.Cursor, offset int) bool {
	lines := c.File.Doc.Lines()
	line := lines.LineText(lines.Line(offset))
	for _, p := range model.Placeholders(lines.Text()[line.Start:line.End], false) {
		if inner := p.Inner.Shift(line.Start); inner.Start <= offset && offset <= inner.End {
			return true
		}
	}
	return false
}

// inExpression reports whether the cursor is in an expression, whole or not.
func inExpression(c model.Cursor) bool {
	if cursor.IsStepExpression(cursor.StepAt(c)) {
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
	path := cursor.PropertiesAround(c)
	return len(path) > 0 && (path[0].Name() == "process" || path[len(path)-1].Field != nil && path[len(path)-1].Field.Type == tool.Expr)
}

// isUntemplated reports whether the cursor is in a property of a tool in which braces are ordinary
// text.
func isUntemplated(c model.Cursor) bool {
	is := func(p model.Property) bool { return slices.Contains(model.UntemplatedProperties, p.Name()) }
	return cursor.InTools(c) && slices.ContainsFunc(cursor.PropertiesAround(c), is)
}

// inNames reports whether the cursor is in a list of variables.
func inNames(c model.Cursor) bool {
	path := cursor.PropertiesAround(c)
	if len(path) == 0 || path[len(path)-1].Field == nil {
		return false
	}
	f := path[len(path)-1].Field
	return slices.Contains([]tool.Ref{tool.RefField, tool.RefVariable, tool.RefPersistent}, f.Ref)
}

// hoverExported says where the exported project has what a word names, and shows a text in each
// locale. It never shows the value of a variable.
func hoverExported(w model.Workspace, c model.Cursor) (Hover, bool) {
	e, ok := cursor.ExportedAt(w, c)
	if !ok {
		return Hover{}, false
	}
	parts := []string{"**" + e.Name + "** · " + e.Noun}
	if strings.HasSuffix(c.File.Doc.Text()[:e.Span.Start], "secrets.") {
		parts[0] = secretMarkdown(w, c.File.Path, e.Name)
	}
	for _, l := range e.Places {
		f := w.AnyFile(l.Path)
		if e.IsText {
			text := yaml.ParseLines(f.Doc.Lines()).Root().Get(e.Name)
			parts = append(parts, "`"+filepath.Base(filepath.Dir(l.Path))+"`: "+describe.OneLine(text.StringValue(), describe.MaxDoc))
		}
		parts = append(parts, describe.DeclaredIn(c.File, f, l.Span))
	}
	return Hover{e.Span, describe.Paragraphs(parts...)}, true
}

// hoverPlatformTool describes a tool of the platform at a name that means one which the file does
// not declare.
func hoverPlatformTool(c model.Cursor) (Hover, bool) {
	if c.Entry.Entry == nil {
		return Hover{}, false
	}
	for m := range c.File.NameRefs(c.Entry) {
		if m.Kind != model.ToolRef || !m.Span.Touches(c.Offset) {
			continue
		}
		if t, ok := tool.LookupPlatformTool(m.Name); ok {
			return Hover{m.Span, describe.Paragraphs(describe.Fenced(t.Signature()), describe.PlatformMarkdown(t), "It is not declared below `TOOLS:`.")}, true
		}
	}
	return Hover{}, false
}

// hoverNumbered documents the parameter that a statement names by its number.
func hoverNumbered(w model.Workspace, path string, offset int) (Hover, bool) {
	n, ok := cursor.NumberedParamAt(w, path, offset)
	if !ok {
		return Hover{}, false
	}
	return Hover{n.Span, describe.ParamMarkdown(w, n.Tool.File, n.Tool, n.Tool.Param(n.Name))}, n.Tool.Param(n.Name) != nil
}

// describeScoped documents a path that begins with a name of the scope.
func describeScoped(t cursor.Line, path string) string {
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
		title += " · " + describe.CodeSpan(describe.OneLine(of.String(), describe.MaxSignature))
	}
	return describe.Paragraphs(title, doc, describe.ExpandedType(of))
}

// isDeclared reports whether the word under the cursor names an entry of abl.yaml or of a section
// of the file. These come before what the exported project has.
func isDeclared(w model.Workspace, c model.Cursor) bool {
	u, ok := cursor.OccurrenceAt(w, c.File.Path, c.Offset)
	return ok && (u.Symbol.Kind == model.ProjectEntrySymbol || u.Symbol.Kind == model.SectionEntrySymbol) && len(declaringReferences(w, c.File.Path, u.Symbol)) > 0
}
