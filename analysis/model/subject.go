package model

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

// Subject is what a name means, the same value wherever it is named.
type Subject struct {
	Kind SubjectKind

	// path is of the file that declares it: for a secret and a name of abl.yaml
	// that one's, "" where there is none. A variable has none. Of an agent and a
	// profile it is the root of the workspace, "" where none is marked.
	Path  string
	Owner string // the tool of a parameter with its version, the part of a step, the table of a name in abl.yaml, the section of a declared one, where the schema of a part begins, or an anchor
	Name  string
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

// Use is a word that names a subject.
type Use struct {
	Subject Subject
	Span    text.Span
	Access  Access
}

// Resolver finds what the words of one file mean.
type Resolver struct {
	W    Workspace
	F    *File
	Want *Subject // all else is left out; nil for everything
	Word string   // that the cursor stands on, if there is one

	own   map[string]ScopedTool   // what the file can call, once asked
	users []map[string]ScopedTool // likewise, of the files that bring it
}

// wants reports whether a name may mean what is wanted.
func (r *Resolver) wants(name string, kinds ...SubjectKind) bool {
	if r.Want == nil {
		return true
	}
	ofService := r.Want.Kind == ToolSubject && strings.HasSuffix(name, "_"+r.Want.Name)
	return (r.Want.Name == name || ofService) && slices.Contains(kinds, r.Want.Kind)
}

// wanted are those uses that are asked for.
func (r *Resolver) wanted(all []Use) []Use {
	if r.Want == nil {
		return all
	}
	return slices.DeleteFunc(all, func(u Use) bool { return u.Subject != *r.Want })
}

// Uses are those of the whole file.
func (r *Resolver) Uses() []Use {
	switch {
	case r.F.Doc == nil:
		return nil
	case r.F.Project != nil:
		return append(r.projectUses(), r.anchorUses()...)
	case IsCases(r.F.Path):
		return append(r.caseUses(), r.anchorUses()...)
	case IsManifest(r.F.Path):
		return r.manifestUses()
	case r.F.IsYAMLAgent():
		return r.wanted(r.placedUses(AgentSubject, r.F.Public.Agents, Declares))
	case r.F.Foreign != nil:
		return append(r.foreignUses(), r.anchorUses()...)
	}
	var out []Use
	for _, s := range r.F.Doc.Sections() {
		for e := range EntriesOf(s) {
			if r.Want == nil || r.Want.Kind == FileSubject || strings.Contains(e.Text(), r.Want.Name) {
				out = append(out, r.EntryUses(e)...)
			}
		}
	}
	return out
}

// EntryUses are those of one entry.
func (r *Resolver) EntryUses(e syntax.Placed) []Use {
	out := r.declared(e)
	if e.Kind() == syntax.Import {
		out = append(out, r.imported(NewImport(r.F.Path, Placed(e.Root(), e.Offset)))...)
	}
	for _, m := range slices.Concat(r.F.Mentions(e), r.F.Names(e)) {
		for _, s := range r.Meanings(m) {
			out = append(out, Use{s, m.Span, m.Access})
		}
	}
	return r.wanted(out)
}

// declared are the tools, parameters and steps that an entry declares.
func (r *Resolver) declared(e syntax.Placed) []Use {
	var out []Use
	path, decls := r.F.Path, r.F.Decls[e.Entry]
	for i := range decls {
		t := PlacedTool{&decls[i], e.Offset}
		owner := t.Owner()
		out = append(out, Use{Subject{ToolSubject, path, "", t.Name}, t.NameSpan(), Declares})
		out = append(out, r.scriptUses(t)...)
		for j := range t.Params {
			if p := &t.Params[j]; p.Name != "" {
				out = append(out, Use{Subject{ParameterSubject, path, owner, p.Name}, t.At(p.NameNode()).Span(), Declares})
			}
		}
	}
	known, _ := EntryFacts(r.F, e.Entry)
	if flow := r.F.FlowAt(e.Offset); flow != nil && IsFlow(known.section) {
		for i := range flow.Steps {
			if s := &flow.Steps[i]; e.Span().Start <= s.NameSpan.Start && s.NameSpan.End <= e.Span().End {
				out = append(out, Use{stepSubject(r.F, s), s.NameSpan, Declares})
			}
		}
	}
	return out
}

// imported are the path of an import and the tools of its bracket list.
func (r *Resolver) imported(i Import) []Use {
	var out []Use
	if i.Path != "" {
		out = append(out, Use{Subject{Kind: FileSubject, Path: i.Target}, Bare(i.PathNode().Node).Span.Shift(i.Offset), Reads})
	}
	for k, n := range i.Names {
		name := n.Plain()
		bare, _ := tool.SplitVersion(name)
		if !r.wants(name, ToolSubject) && !r.wants(bare, ToolSubject) {
			continue
		}
		exports, _ := exportsOf(r.W, i.Target, wanted{names: map[string]bool{name: true, bare: true}})
		if t, ok := (Scope{Tools: exports}).Called(name); ok {
			span := i.NameSpan(k)
			if _, version := tool.SplitVersion(name); version != "" {
				span.End -= len(name) - len(bare)
			}
			out = append(out, Use{SubjectOfTool(t), span, Reads})
		}
	}
	return out
}

// stepSubject is what a step's name means: each agent of a file has steps of its own.
func stepSubject(f *File, s *Step) Subject {
	return Subject{StepSubject, f.Path, f.PartAt(s.NameSpan.Start).owner, s.Name}
}

func SubjectOfTool(t ScopedTool) Subject { return Subject{ToolSubject, t.File.Path, "", t.Name} }

// Meanings are what a mention means: nothing, or one subject; in a behaviour
// profile or a library perhaps one for each agent that has it.
func (r *Resolver) Meanings(m Mention) []Subject {
	path := r.F.Path
	switch m.Kind {
	case OfTool:
		if r.wants(m.Name, ToolSubject) {
			return r.Tools(m.Name)
		}
	case OfArgument:
		if !r.wants(m.Name, ParameterSubject) {
			return nil
		}
		var out []Subject
		for _, t := range r.Scoped(m.Tool) {
			if t.takes(m.Name) {
				out = append(out, Subject{ParameterSubject, t.File.Path, t.Owner(), m.Name})
			}
		}
		return out
	case OfParam:
		if t, ok := r.F.ToolAround(m.Span.Start); ok && t.Param(m.Name) != nil {
			return []Subject{{ParameterSubject, path, t.Owner(), m.Name}}
		}
	case OfStep:
		if flow := r.F.FlowAt(m.Span.Start); flow != nil {
			if s, ok := flow.Step(m.Name); ok {
				return []Subject{stepSubject(r.F, &s)}
			}
		}
	case OfTemplate:
		return []Subject{{TemplateSubject, path, "", m.Name}}
	case OfVariable:
		return []Subject{{Kind: VariableSubject, Name: m.Name}}
	case OfSecret:
		return []Subject{{SecretSubject, ProjectPath(r.W, path), "", m.Name}}
	case OfProject:
		return []Subject{{ProjectSubject, ProjectPath(r.W, path), m.Tool, m.Name}}
	case OfAgent:
		return []Subject{r.inWorkspace(AgentSubject, m.Name)}
	case OfProfile:
		return []Subject{r.inWorkspace(ProfileSubject, m.Name)}
	case OfNamed:
		return []Subject{{NamedSubject, path, m.Tool, m.Name}}
	case OfRoute:
		if declaresName(r.F, Aliases, m.Name) {
			return []Subject{{NamedSubject, path, Aliases, m.Name}}
		}
		return []Subject{r.inWorkspace(AgentSubject, m.Name)}
	}
	return nil
}

// inWorkspace is an agent or a profile of the workspace that the file belongs to.
func (r *Resolver) inWorkspace(kind SubjectKind, name string) Subject {
	return Subject{Kind: kind, Path: r.W.MarkedRoot(r.F.Path), Name: name}
}

// declaresName reports whether a section of the file declares a name.
func declaresName(f *File, section, name string) bool {
	for _, s := range f.Doc.Sections() {
		if s.Name() != section {
			continue
		}
		for e := range EntriesOf(s) {
			is := func(m Mention) bool {
				return m.Kind == OfNamed && m.Tool == section && m.Name == name && m.Access == Declares
			}
			if slices.ContainsFunc(f.Names(e), is) {
				return true
			}
		}
	}
	return false
}

func (r *Resolver) Tools(name string) []Subject {
	var out []Subject
	for _, t := range r.Scoped(name) {
		out = append(out, SubjectOfTool(t))
	}
	return out
}

// Scoped are the tools that a name means: the one that the file can call, else
// those of the files that bring this one.
func (r *Resolver) Scoped(name string) []ScopedTool {
	if r.own == nil {
		r.own = r.W.Callable(r.F.Path).CallIndex()
	}
	if t, ok := r.own[name]; ok {
		return []ScopedTool{t}
	}
	if r.F.Kind != Library && r.F.Kind != Profile {
		return nil
	}
	if r.users == nil {
		r.users = []map[string]ScopedTool{}
		for _, path := range r.W.Importers(r.F.Path) {
			r.users = append(r.users, r.W.Callable(path).CallIndex())
		}
	}
	var out []ScopedTool
	for _, index := range r.users {
		same := func(t ScopedTool) bool { return SubjectOfTool(t) == SubjectOfTool(index[name]) }
		if _, ok := index[name]; ok && !slices.ContainsFunc(out, same) {
			out = append(out, index[name])
		}
	}
	return out
}

// ProjectPath is the path of the nearest project's file that is known above a
// file, "" for none.
func ProjectPath(w Workspace, path string) string {
	for candidate := range projectsAbove(path) {
		if f := w.Files.Get(candidate); f != nil && f.Project != nil {
			return candidate
		}
	}
	return ""
}

var (
	projectSecret = regexp.MustCompile(placeholder.Open + `secrets\.([A-Za-z_][\w.-]*)` + placeholder.Close)
	SecretsKey    = regexp.MustCompile(`(?m)^secrets\b`)
)

// projectUses are the names that abl.yaml lists, and the secrets that it names.
func (r *Resolver) projectUses() []Use {
	out := r.projectReads()
	for _, of := range namedTables {
		t, _ := r.F.Project.Table(of.table)
		for _, e := range t.Entries {
			out = append(out, Use{Subject{ProjectSubject, r.F.Path, of.table, e.Name}, e.NameSpan(), Declares})
		}
	}
	source := r.F.Doc.Text()
	for _, m := range projectSecret.FindAllStringSubmatchIndex(source, -1) {
		out = append(out, Use{Subject{SecretSubject, r.F.Path, "", source[m[2]:m[3]]}, text.Span{Start: m[2], End: m[3]}, Reads})
	}
	return r.wanted(out)
}

// caseUses are the tools that saved cases are of, and the parameters they give.
func (r *Resolver) caseUses() []Use {
	out, tools := r.caseEnvironments(), ToolsOfCases(r.W, r.F.Path)
	for _, c := range projectfile.ReadCases(r.F.YAML) {
		_, t, ok := tools.Tool(c.Tool.Name)
		if !ok {
			continue
		}
		at := c.Tool.NameSpan()
		called, _ := tool.SplitVersion(c.Tool.Name)
		at.End = min(at.End, at.Start+len(called))   // without the version
		at.Start = max(at.Start, at.End-len(t.Name)) // and the service
		out = append(out, Use{SubjectOfTool(t), at, Reads})
		for _, a := range c.Args {
			if t.takes(a.Name) {
				out = append(out, Use{Subject{ParameterSubject, t.File.Path, t.Owner(), a.Name}, a.NameSpan(), Reads})
			}
		}
		for _, check := range c.Checks {
			s, offset := writtenText(r.F, check)
			for _, at := range argumentNames(s) {
				if name := s[at.Start:at.End]; t.takes(name) {
					out = append(out, Use{Subject{ParameterSubject, t.File.Path, t.Owner(), name}, at.Shift(offset), Reads})
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
	return IsCases(f.Path) && filepath.Dir(f.Path) == filepath.Dir(path) && Stem(f.Path) == Stem(path) && len(f.YAML.Faults()) > 0
}
