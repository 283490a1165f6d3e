package describe

import (
	"fmt"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// ToolMarkdown documents a tool to a reader of the file from.
func ToolMarkdown(w model.Workspace, from *model.File, s model.ScopedTool) string {
	l := model.LowerTool(w, s.File.Path, s)
	t := model.WithServiceHandler(w, from.Path, l.Tool)
	declared := t
	if len(l.Libraries) > 0 { // a call cannot give what only the library has
		declared.Params = t.Params[:len(s.Params)]
	}
	return Paragraphs(
		Fenced(signature(&declared)),
		t.Description,
		CodeSpan(bindingLine(t.Spec, model.BaseURLOf(w, l.Binding().File))),
		effectLine(t),
		stepsLine(t),
		serverNote(w, s, &t),
		l.LibrariesNote(from),
		platformNote(s.ToolDecl),
		definedIn(from, s),
		usageLine(w, s),
	)
}

// usageLine says how often s is named; "" if it is named nowhere.
func usageLine(w model.Workspace, s model.ScopedTool) string {
	places, files := countUsages(w, s)
	switch {
	case places == 0:
		return ""
	case files == 1:
		return "Named in " + Count(places, "place") + "."
	}
	return fmt.Sprintf("Named in %d places of %d files.", places, files)
}

// countUsages returns how often the tool is named, in its own file and in those that can call it,
// and in how many of them.
func countUsages(w model.Workspace, s model.ScopedTool) (places, files int) {
	for _, path := range append(w.Importers(s.File.Path), s.File.Path) {
		f := w.File(path)
		if f == nil || f.Doc == nil {
			continue
		}
		if t, ok := w.Callable(path).ToolByCallName(s.QualifiedName()); !ok || t.ToolDecl != s.ToolDecl {
			continue
		}
		before := places
		for _, m := range f.NameRefsOf(model.ToolRef) {
			if m.Name == s.Name || m.Name == s.QualifiedName() {
				places++
			}
		}
		if places > before {
			files++
		}
	}
	return places, files
}

// ParamMarkdown documents a parameter.
func ParamMarkdown(w model.Workspace, from *model.File, s model.ScopedTool, d *model.ParamDecl) string {
	p := tool.Param{Name: d.Name, Type: d.Type}
	t := model.LowerTool(w, s.File.Path, s).Tool
	for _, q := range t.Params {
		if q.Name == d.Name {
			p = q
			break
		}
	}
	return Paragraphs(Fenced(p.String()), p.Description, fmt.Sprintf("Parameter of `%s`, %s.", t.Name, RequirednessOf(p)), PlatformLimits(s.ToolDecl, d.Name), definedIn(from, s))
}

// ImportMarkdown lists the tools that i brings, or says why its file cannot be read.
func ImportMarkdown(w model.Workspace, i *model.Import) string {
	f := w.File(i.Target)
	if f == nil || f.Absent != model.Present {
		return Paragraphs(CodeSpan(i.Path), absenceText(f))
	}
	tools, _ := model.Imported(w, i)
	var lines []string
	for _, s := range tools {
		t := model.LowerTool(w, s.File.Path, s).Tool
		lines = append(lines, OneLine(t.Signature(), MaxSignature))
	}
	if len(lines) > MaxListed {
		lines = append(lines[:MaxListed], "…")
	}
	return Paragraphs(CodeSpan(i.Path), "Brings "+Count(len(tools), "tool")+".", Fenced(strings.Join(lines, "\n")))
}

const (
	// MaxSignature is how many characters of a signature are shown.
	MaxSignature = 100
	// MaxListed is how many tools of an import are shown.
	MaxListed = 20
)

func absenceText(f *model.File) string {
	if f == nil {
		return "Not read."
	}
	return [...]string{
		model.Present: "", model.NotFound: "There is no such file.", model.IsFolder: "This is a folder, not a file.",
		model.Unreadable: "The file cannot be read.", model.Forbidden: "The file lies outside of what may be read.",
	}[f.Absent]
}

// signature returns a tool's signature, on several lines if it is long.
func signature(t *tool.Tool) string {
	s := t.Signature()
	params := t.Arguments()
	if len(s) <= MaxSignature || len(params) == 0 {
		return s
	}
	var b strings.Builder
	b.WriteString(t.Name + "(")
	for i, p := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  " + p.String())
	}
	b.WriteString("\n)")
	if t.Returns != nil {
		b.WriteString(" -> " + t.Returns.String())
	}
	return b.String()
}

// ParamText returns a parameter as written, on one line.
func ParamText(d *model.ParamDecl) string {
	if d.Node.Kind() != syntax.Parameter { // it may have a block
		return d.Name + ": " + d.Type.String()
	}
	return strings.Join(strings.Fields(d.Node.Text()), " ")
}

// bindingLine says in one line what a run does; "" if nothing is known.
func bindingLine(spec tool.Spec, b model.BaseURL) string {
	return tool.Summary(spec, func(endpoint string) string { return b.PrefixFor(endpoint) + endpoint })
}

// effectLine says what a run changes and what happens before it.
func effectLine(t tool.Tool) string {
	if t.Spec == nil && t.Mutation == "" {
		return ""
	}
	effect := "Nothing says whether it changes anything"
	if mutates := t.Mutates(); mutates != nil {
		effect = map[bool]string{true: "Changes something", false: "Changes nothing"}[*mutates]
	}
	if t.Spec == nil { // nothing here runs it
		return effect + "."
	}
	switch t.Gate() {
	case tool.Confirm:
		return effect + "; you are asked before it runs."
	case tool.Blocked:
		return effect + "; it never runs."
	}
	return effect + "; runs at once."
}

// stepsLine says which steps follow a run, or may follow it; "" for none.
func stepsLine(t tool.Tool) string {
	var parts []string
	if t.CanVerify() {
		parts = append(parts, "Each run is verified.")
	}
	if t.CanRevert() {
		parts = append(parts, "A run can be reverted.")
	}
	if t.Version != "" {
		parts = append(parts, "Version "+t.Version+".")
	}
	return strings.Join(parts, " ")
}

// definedIn names the file of a tool, if it is another one than from.
func definedIn(from *model.File, s model.ScopedTool) string {
	where := DeclaredIn(from, s.File, s.NameSpan())
	if where != "" && s.IsForeign() {
		return strings.TrimSuffix(where, ".") + ", for " + model.SystemNames[s.File.Foreign.System] + "."
	}
	return where
}

// Fenced returns text as a code block of ABL; "" for none.
func Fenced(s string) string { return FencedAs("abl", s) }

// FencedAs returns text as a code block of a language; "" for none.
func FencedAs(language, s string) string {
	if s == "" {
		return ""
	}
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + language + "\n" + s + "\n" + fence
}

// CodeSpan returns text as a code span, whose fence is longer than any in the text.
func CodeSpan(s string) string {
	if s == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return fence + s + fence
}

// OneLine returns s on one line, cut to limit characters.
func OneLine(s string, limit int) string { return tool.OneLine(s, limit) }

// Count returns n with its noun, which is in the plural unless n is 1.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// PlatformMarkdown documents a tool of the platform: its parameters with their bounds, its
// result, and how it fails.
func PlatformMarkdown(t tool.PlatformTool) string {
	var params []string
	for _, p := range t.Params {
		line := "- `" + p.String() + "`"
		if limits := p.Limits(); limits != "" {
			line += ": " + limits
		}
		params = append(params, line)
	}
	return Paragraphs(
		"A tool of the platform, which runs there only. "+t.Doc,
		strings.Join(params, "\n"),
		"Returns "+CodeSpan(t.Returns)+". Fails with `"+strings.Join(t.Failures, "`, `")+"`.",
	)
}

// platformNote documents the platform's tool that a declaration means; "" for any other
// declaration.
func platformNote(d *model.ToolDecl) string {
	if t, ok := d.PlatformTool(); ok {
		return PlatformMarkdown(t)
	}
	return ""
}

// PlatformLimits says which values the platform accepts for the parameter param, if d declares one
// of the platform's own tools; "" if nothing is known.
func PlatformLimits(d *model.ToolDecl, param string) string {
	t, _ := d.PlatformTool()
	p, _ := t.Param(param)
	if limits := p.Limits(); limits != "" {
		return "The platform takes " + limits + "."
	}
	return ""
}

// RequirednessOf says what supplies a parameter, and whether a call must give it.
func RequirednessOf(p tool.Param) string {
	switch {
	case !p.Shown():
		return "not given by the caller"
	case p.Optional:
		return "optional"
	}
	return "required"
}
