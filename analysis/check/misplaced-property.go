package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/tool"
)

// misplacedProperty: what exists is where it counts. Errors are `PRIORITY:` and `WHEN:` at the top
// level of an agent, and `SECRET_ACCESS` in a tool that is not of `type: http`. Warnings are the
// properties of another kind of tool, a body together with a WSDL binding, shared defaults in an
// agent or below the first tool, and an import in a library; outside TOOLS, keys that belong below
// a CALL, and keys that count only in a step that reasons. A router does not delegate. In a tool
// without `type` no property is misplaced.
var misplacedProperty = Check{
	Code: "misplaced-property",
	YAML: yamlMisplaced,
	Entry: func(out *findings, e Entry) {
		for i := range e.Tools {
			misplacedInDecl(out, &e.Tools[i])
		}
		if !e.InTools() {
			for _, m := range e.Maps {
				misplacedKeys(out, m)
			}
		}
	},
	File: func(out *findings, f File) {
		if f.isAgent() {
			profileSections(out, f)
		}
		delegatingRouters(out, f)
		misplacedDefaults(out, f)
		if isLibrary(f.Path) {
			for _, i := range f.Imports {
				out.warn(i.InFile(i.KeyNode()).Span(), "A tool library does not import; let the agent import both files.")
			}
		}
	},
}

func misplacedInDecl(out *findings, t *model.ToolDecl) {
	if t.Kind() == "" {
		return
	}
	for _, p := range t.Properties() {
		misplacedInTool(out, t.Kind(), p)
	}
	misplacedBody(out, t)
	block, _ := t.Property("parameters")
	for _, p := range block.Properties() {
		if escape, has := findProperty(p.Properties(), "escape"); has && p.Describes() {
			out.warn(escape.Key.Span(), "`escape` is ignored: it is for template parameters; what is bound needs no quotes.")
		}
	}
}

// isLibrary decides by the name: a plain file that begins with TOOLS may be part of an agent.
func isLibrary(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".tools.abl") }

func misplacedInTool(out *findings, kind tool.Kind, p model.Property) {
	if p.Name() == "SECRET_ACCESS" && kind != tool.KindHTTP {
		out.err(p.Key.Span(), "`SECRET_ACCESS` works in tools of `type: http` only.")
		return
	}
	kinds := tool.BindingOnly(p.Name())
	if p.Field != nil || kinds == nil || isFormless(p) {
		return
	}
	out.warn(p.Key.Span(), "`%s` does nothing in a tool of `type: %s`; it belongs to `%s`.", p.Name(), kind, joinKinds(kinds))
}

func misplacedBody(out *findings, t *model.ToolDecl) {
	wsdl, ok := firstWSDL(t)
	if body, has := t.Property("body_template"); ok && has {
		out.warn(body.Key.Span(), "Beside `%s` the body comes from the WSDL file; delete this one.", wsdl.Name())
	}
}

// isAgent reports whether the file declares an agent: by its name, or by its first section.
func (f File) isAgent() bool {
	for _, end := range []string{".agent.abl", ".supervisor.abl"} {
		if strings.HasSuffix(strings.ToLower(f.Path), end) {
			return true
		}
	}
	isAgent := f.Kind == model.Agent || f.Kind == model.Supervisor
	return isAgent && (f.Doc.Sections().Has("AGENT") || f.Doc.Sections().Has("SUPERVISOR"))
}

func profileSections(out *findings, f File) {
	for i := range f.Parts() {
		part := &f.Parts()[i]
		for _, s := range part.Sections {
			if isProfileSection(s.Name()) && !part.IsProfileSection(s) {
				out.err(keywordOf(s), "`%s:` belongs to a behaviour profile, not to the top level of an agent.", s.Name())
			}
		}
	}
}

// isProfileSection reports whether only behaviour profiles have a section.
func isProfileSection(section string) bool { return section == "PRIORITY" || section == "WHEN" }

func misplacedDefaults(out *findings, f File) {
	agent := f.Kind == model.Agent || f.Kind == model.Supervisor
	for _, d := range f.Defaults {
		p := model.SharedDefault(d.Node)
		late := f.Kind == model.Library && len(f.Tools) > 0 && f.Tools[0].Offset < d.Offset
		switch {
		case p.Field == nil:
		case agent:
			out.warn(d.InFile(p.Key).Span(), "Shared defaults such as `%s` belong into a tool library, a `.tools.abl` file.", p.Name())
		case late:
			out.warn(d.InFile(p.Key).Span(), "Shared defaults such as `%s` stand before the first tool; move it up.", p.Name())
		}
	}
}
