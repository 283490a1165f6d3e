package check

import (
	"maps"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/edit"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// undefinedTool: a tool that an agent calls, offers to a reasoning step, or waits for to recall
// something is one of its tools: declared, imported, or added by a behaviour profile that it uses.
// Reserved names and the tools of connectors are the platform's; of its built-in tools an agent
// declares the signature. If an import or a profile cannot be read, nothing is reported.
var undefinedTool = Check{
	Code: "undefined-tool",
	YAML: casesOfTools,
	File: func(out *findings, f File) {
		if !f.callsItsOwn() {
			return
		}
		u := toolLookup{File: f}
		for c := range f.Calls() {
			u.reportName(out, c.Tool, c.ToolSpan, c.Args)
		}
		for m := range f.OfferedTools() {
			u.reportName(out, m.Name, m.Span, nil)
		}
		for m := range f.RecallTriggers() {
			u.reportName(out, m.Name, m.Span, nil)
		}
	},
}

// callsItsOwn reports whether the file is an agent and no fragment of one: then the tools that it
// calls are its own.
func (f File) callsItsOwn() bool {
	isAgent := f.Kind == model.Agent || f.Kind == model.Supervisor
	return isAgent && (f.isAgent() || f.Doc.Sections().Has("TOOLS"))
}

// toolLookup looks up names. It reads the callable tools when the first name is looked up, and the
// unreadable lines when the first one is not found.
type toolLookup struct {
	File
	scope    model.Scope
	known    map[string]model.ScopedTool
	names    []string
	complete bool
	half     map[string]bool
}

func (u *toolLookup) reportName(out *findings, name string, at text.Span, args []model.Argument) {
	if isPlatformName(name) || len(*out) == maxFindings {
		return
	}
	if u.known == nil {
		u.scope = u.Workspace.Callable(u.Path)
		u.known, u.names, u.complete = u.scope.CallIndex(), u.scope.Names(), u.scope.Complete
		for _, t := range u.scope.Tools {
			if outside := t.QualifiedName(); outside != t.Name {
				u.names = append(u.names, outside)
			}
		}
	}
	if _, ok := u.known[name]; ok {
		return
	}
	if called := u.scope.Ambiguous(name); called != nil {
		out.addAmbiguous(at, name, called)
		return
	}
	if !u.complete || u.mayBeHalfDeclared(name) {
		return
	}
	near := model.NearestTool(name, u.names, maps.Values(u.known))
	if near == "" && strings.Contains(name, "-") {
		return // only another system's tool can be called so; it may as well be a difference
	}
	advice := "declare it below `TOOLS:`, or import it."
	if _, ok := tool.LookupPlatformTool(name); ok {
		near, advice = "", "it is one of the platform's: declare its signature below `TOOLS:`."
	}
	if near != "" {
		advice = "did you mean `" + near + "`?"
	}
	d := out.warn(at, "The agent has no tool `%s`; %s", name, advice)
	imports := edit.ImportFixes(u.Workspace, u.Path, name, at.Start)
	d.Fixes = imports
	if near != "" {
		fix := model.ReplaceFix("Change to `"+near+"`", at, near)
		fix.Best = len(imports) == 0
		d.Fixes = append(d.Fixes, fix)
	}
	if fix, ok := edit.DeclareTool(u.File.File, name, at.Start, args); ok && len(imports) == 0 {
		d.Fixes = append(d.Fixes, fix)
	}
}

// addAmbiguous warns of a name that tools of several services have, and offers the qualified names
// that differ.
func (f *findings) addAmbiguous(at text.Span, name string, called []string) {
	d := f.warn(at, "Several services have a tool `%s`; write `%s`.", name, strings.Join(called, "` or `"))
	for _, one := range called {
		fix := model.ReplaceFix("Change to `"+one+"`", at, one)
		fix.Best = false // it is unknown which one is meant
		d.Fixes = append(d.Fixes, fix)
	}
}

// isPlatformName reports whether a name need not be declared.
func isPlatformName(name string) bool {
	return name == "" || strings.HasPrefix(name, "__") || strings.Contains(name, ".")
}

var someWord = lazyregexp.New(`\w+`)

// mayBeHalfDeclared reports whether an incomplete line of TOOLS may be meant to declare the tool,
// here or in an imported file.
func (u *toolLookup) mayBeHalfDeclared(name string) bool {
	if u.half == nil {
		u.half = map[string]bool{}
		for _, path := range u.reachable() {
			for s := range u.Workspace.File(path).Doc.Sections().Named("TOOLS") {
				for _, e := range s.Entries {
					if e.Kind() != syntax.Tool && e.Kind() != syntax.Comment {
						u.addWords(e.Root())
					}
				}
			}
		}
	}
	return u.half[name]
}

func (u *toolLookup) addWords(n syntax.Node) {
	at := firstLine(n)
	for _, w := range someWord.FindAllString(n.Text()[:at.Len()], -1) {
		u.half[w] = true
	}
}
