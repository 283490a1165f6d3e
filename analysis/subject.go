package analysis

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// subject is what a name means, the same value wherever it is named.
type subject struct {
	kind SubjectKind

	// path is of the file that declares it: for a secret and a name of abl.yaml
	// that one's, "" where there is none. A variable has none. Of an agent and a
	// profile it is the root of the workspace, "" where none is marked.
	path  string
	owner string // the tool of a parameter with its version, the part of a step, the table of a name in abl.yaml, the section of a declared one, where the schema of a part begins, or an anchor
	name  string
}

// SubjectKind is what a name may mean.
type SubjectKind int

// The kinds.
const (
	ToolSubject SubjectKind = iota + 1
	ParameterSubject
	StepSubject
	TemplateSubject
	VariableSubject
	FileSubject // an imported one
	SecretSubject
	ProjectSubject // a name in a table of abl.yaml
	AgentSubject   // or a supervisor
	ProfileSubject // a behaviour profile
	NamedSubject   // what a section of the file declares: a message, a handler, …
	PartSubject    // of a JSON Schema, by which it refers to itself
	AnchorSubject  // of YAML
)

// String is the kind as a message says it.
func (k SubjectKind) String() string {
	return [...]string{"", "tool", "parameter", "step", "template", "variable", "file", "secret", "name of abl.yaml", "agent", "behaviour profile", "name", "part of a schema", "anchor"}[k]
}

// Access is what a place does with what it names.
type Access int

// The kinds of access. What declares also writes.
const (
	Reads Access = iota
	Writes
	Declares
)

// use is a word that names a subject.
type use struct {
	subject subject
	span    text.Span
	access  Access
}

// resolver finds what the words of one file mean.
type resolver struct {
	w    Workspace
	f    *File
	want *subject // all else is left out; nil for everything
	word string   // that the cursor stands on, if there is one

	own   map[string]ScopedTool   // what the file can call, once asked
	users []map[string]ScopedTool // likewise, of the files that bring it
}

// wants reports whether a name may mean what is wanted.
func (r *resolver) wants(name string, kinds ...SubjectKind) bool {
	if r.want == nil {
		return true
	}
	ofService := r.want.kind == ToolSubject && strings.HasSuffix(name, "_"+r.want.name)
	return (r.want.name == name || ofService) && slices.Contains(kinds, r.want.kind)
}

// wanted are those uses that are asked for.
func (r *resolver) wanted(all []use) []use {
	if r.want == nil {
		return all
	}
	return slices.DeleteFunc(all, func(u use) bool { return u.subject != *r.want })
}

// uses are those of the whole file.
func (r *resolver) uses() []use {
	switch {
	case r.f.Doc == nil:
		return nil
	case r.f.Project != nil:
		return append(r.projectUses(), r.anchorUses()...)
	case IsCases(r.f.Path):
		return append(r.caseUses(), r.anchorUses()...)
	case IsManifest(r.f.Path):
		return r.manifestUses()
	case r.f.IsYAMLAgent():
		return r.wanted(r.placedUses(AgentSubject, r.f.public.agents, Declares))
	case r.f.Foreign != nil:
		return append(r.foreignUses(), r.anchorUses()...)
	}
	var out []use
	for _, s := range r.f.Doc.Sections() {
		for e := range entriesOf(s) {
			if r.want == nil || r.want.kind == FileSubject || strings.Contains(e.Text(), r.want.name) {
				out = append(out, r.entryUses(e)...)
			}
		}
	}
	return out
}

// entryUses are those of one entry.
func (r *resolver) entryUses(e syntax.Placed) []use {
	out := r.declared(e)
	if e.Kind() == syntax.Import {
		out = append(out, r.imported(newImport(r.f.Path, placed(e.Root(), e.Offset)))...)
	}
	for _, m := range slices.Concat(r.f.Mentions(e), r.f.names(e)) {
		for _, s := range r.meanings(m) {
			out = append(out, use{s, m.Span, m.Access})
		}
	}
	return r.wanted(out)
}

// declared are the tools, parameters and steps that an entry declares.
func (r *resolver) declared(e syntax.Placed) []use {
	var out []use
	path, decls := r.f.Path, r.f.decls[e.Entry]
	for i := range decls {
		t := PlacedTool{&decls[i], e.Offset}
		owner := t.owner()
		out = append(out, use{subject{ToolSubject, path, "", t.Name}, t.NameSpan(), Declares})
		out = append(out, r.scriptUses(t)...)
		for j := range t.Params {
			if p := &t.Params[j]; p.Name != "" {
				out = append(out, use{subject{ParameterSubject, path, owner, p.Name}, t.At(p.NameNode()).Span(), Declares})
			}
		}
	}
	known, _ := entryFacts(r.f, e.Entry)
	if flow := r.f.FlowAt(e.Offset); flow != nil && isFlow(known.section) {
		for i := range flow.Steps {
			if s := &flow.Steps[i]; e.Span().Start <= s.NameSpan.Start && s.NameSpan.End <= e.Span().End {
				out = append(out, use{stepSubject(r.f, s), s.NameSpan, Declares})
			}
		}
	}
	return out
}

// imported are the path of an import and the tools of its bracket list.
func (r *resolver) imported(i Import) []use {
	var out []use
	if i.Path != "" {
		out = append(out, use{subject{kind: FileSubject, path: i.Target}, bare(i.PathNode().Node).span.Shift(i.Offset), Reads})
	}
	for k, n := range i.Names {
		name := n.Plain()
		bare, _ := tool.SplitVersion(name)
		if !r.wants(name, ToolSubject) && !r.wants(bare, ToolSubject) {
			continue
		}
		exports, _ := exportsOf(r.w, i.Target, wanted{names: map[string]bool{name: true, bare: true}})
		if t, ok := (Scope{Tools: exports}).Called(name); ok {
			span := i.NameSpan(k)
			if _, version := tool.SplitVersion(name); version != "" {
				span.End -= len(name) - len(bare)
			}
			out = append(out, use{toolSubject(t), span, Reads})
		}
	}
	return out
}

// stepSubject is what a step's name means: each agent of a file has steps of its own.
func stepSubject(f *File, s *Step) subject {
	return subject{StepSubject, f.Path, f.PartAt(s.NameSpan.Start).owner, s.Name}
}

func toolSubject(t ScopedTool) subject { return subject{ToolSubject, t.File.Path, "", t.Name} }

// meanings are what a mention means: nothing, or one subject; in a behaviour
// profile or a library perhaps one for each agent that has it.
func (r *resolver) meanings(m Mention) []subject {
	path := r.f.Path
	switch m.Kind {
	case OfTool:
		if r.wants(m.Name, ToolSubject) {
			return r.tools(m.Name)
		}
	case OfArgument:
		if !r.wants(m.Name, ParameterSubject) {
			return nil
		}
		var out []subject
		for _, t := range r.scoped(m.Tool) {
			if t.takes(m.Name) {
				out = append(out, subject{ParameterSubject, t.File.Path, t.owner(), m.Name})
			}
		}
		return out
	case OfParam:
		if t, ok := r.f.toolAround(m.Span.Start); ok && t.Param(m.Name) != nil {
			return []subject{{ParameterSubject, path, t.owner(), m.Name}}
		}
	case OfStep:
		if flow := r.f.FlowAt(m.Span.Start); flow != nil {
			if s, ok := flow.Step(m.Name); ok {
				return []subject{stepSubject(r.f, &s)}
			}
		}
	case OfTemplate:
		return []subject{{TemplateSubject, path, "", m.Name}}
	case OfVariable:
		return []subject{{kind: VariableSubject, name: m.Name}}
	case OfSecret:
		return []subject{{SecretSubject, projectPath(r.w, path), "", m.Name}}
	case OfProject:
		return []subject{{ProjectSubject, projectPath(r.w, path), m.Tool, m.Name}}
	case OfAgent:
		return []subject{r.inWorkspace(AgentSubject, m.Name)}
	case OfProfile:
		return []subject{r.inWorkspace(ProfileSubject, m.Name)}
	case OfNamed:
		return []subject{{NamedSubject, path, m.Tool, m.Name}}
	case OfRoute:
		if declaresName(r.f, aliases, m.Name) {
			return []subject{{NamedSubject, path, aliases, m.Name}}
		}
		return []subject{r.inWorkspace(AgentSubject, m.Name)}
	}
	return nil
}

// inWorkspace is an agent or a profile of the workspace that the file belongs to.
func (r *resolver) inWorkspace(kind SubjectKind, name string) subject {
	return subject{kind: kind, path: r.w.markedRoot(r.f.Path), name: name}
}

// declaresName reports whether a section of the file declares a name.
func declaresName(f *File, section, name string) bool {
	for _, s := range f.Doc.Sections() {
		if s.Name() != section {
			continue
		}
		for e := range entriesOf(s) {
			is := func(m Mention) bool {
				return m.Kind == OfNamed && m.Tool == section && m.Name == name && m.Access == Declares
			}
			if slices.ContainsFunc(f.names(e), is) {
				return true
			}
		}
	}
	return false
}

func (r *resolver) tools(name string) []subject {
	var out []subject
	for _, t := range r.scoped(name) {
		out = append(out, toolSubject(t))
	}
	return out
}

// scoped are the tools that a name means: the one that the file can call, else
// those of the files that bring this one.
func (r *resolver) scoped(name string) []ScopedTool {
	if r.own == nil {
		r.own = r.w.Callable(r.f.Path).CallIndex()
	}
	if t, ok := r.own[name]; ok {
		return []ScopedTool{t}
	}
	if r.f.Kind != Library && r.f.Kind != Profile {
		return nil
	}
	if r.users == nil {
		r.users = []map[string]ScopedTool{}
		for _, path := range r.w.Importers(r.f.Path) {
			r.users = append(r.users, r.w.Callable(path).CallIndex())
		}
	}
	var out []ScopedTool
	for _, index := range r.users {
		same := func(t ScopedTool) bool { return toolSubject(t) == toolSubject(index[name]) }
		if _, ok := index[name]; ok && !slices.ContainsFunc(out, same) {
			out = append(out, index[name])
		}
	}
	return out
}

// projectPath is the path of the nearest project's file that is known above a
// file, "" for none.
func projectPath(w Workspace, path string) string {
	for candidate := range projectsAbove(path) {
		if f := w.files.get(candidate); f != nil && f.Project != nil {
			return candidate
		}
	}
	return ""
}

var (
	projectSecret = regexp.MustCompile(placeholder.Open + `secrets\.([A-Za-z_][\w.-]*)` + placeholder.Close)
	secretsKey    = regexp.MustCompile(`(?m)^secrets\b`)
)

// projectUses are the names that abl.yaml lists, and the secrets that it names.
func (r *resolver) projectUses() []use {
	out := r.projectReads()
	for _, of := range namedTables {
		t, _ := r.f.Project.Table(of.table)
		for _, e := range t.Entries {
			out = append(out, use{subject{ProjectSubject, r.f.Path, of.table, e.Name}, e.NameSpan(), Declares})
		}
	}
	source := r.f.Doc.Text()
	for _, m := range projectSecret.FindAllStringSubmatchIndex(source, -1) {
		out = append(out, use{subject{SecretSubject, r.f.Path, "", source[m[2]:m[3]]}, text.Span{Start: m[2], End: m[3]}, Reads})
	}
	return r.wanted(out)
}

// caseUses are the tools that saved cases are of, and the parameters they give.
func (r *resolver) caseUses() []use {
	out, tools := r.caseEnvironments(), ToolsOfCases(r.w, r.f.Path)
	for _, c := range projectfile.ReadCases(r.f.YAML) {
		_, t, ok := tools.Tool(c.Tool.Name)
		if !ok {
			continue
		}
		at := c.Tool.NameSpan()
		called, _ := tool.SplitVersion(c.Tool.Name)
		at.End = min(at.End, at.Start+len(called))   // without the version
		at.Start = max(at.Start, at.End-len(t.Name)) // and the service
		out = append(out, use{toolSubject(t), at, Reads})
		for _, a := range c.Args {
			if t.takes(a.Name) {
				out = append(out, use{subject{ParameterSubject, t.File.Path, t.owner(), a.Name}, a.NameSpan(), Reads})
			}
		}
		for _, check := range c.Checks {
			s, offset := writtenText(r.f, check)
			for _, at := range argumentNames(s) {
				if name := s[at.Start:at.End]; t.takes(name) {
					out = append(out, use{subject{ParameterSubject, t.File.Path, t.owner(), name}, at.Shift(offset), Reads})
				}
			}
		}
	}
	return r.wanted(out)
}

// argumentNames are the places of the arguments that an expression names behind `args`.
func argumentNames(s string) []text.Span {
	out := indirectNames(s)
	for _, n := range expressionNames(s) {
		if s[n.Head().Start:n.Head().End] == "args" && len(n.Parts) > 1 {
			out = append(out, n.Parts[1])
		}
	}
	return out
}

// brokenCasesOf reports whether the file holds saved cases of another one, and
// cannot be read.
func brokenCasesOf(f *File, path string) bool {
	return IsCases(f.Path) && filepath.Dir(f.Path) == filepath.Dir(path) && stem(f.Path) == stem(path) && len(f.YAML.Faults()) > 0
}
