package model

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/placeholder"
)

// Symbol is what a name means. It is the same value wherever it is named.
type Symbol struct {
	Kind SymbolKind

	// Path is that of the declaring file; for a secret and a name of abl.yaml that of abl.yaml, "" if
	// there is none. A variable has none. For an agent and a profile it is the root of the workspace,
	// "" if none is marked.
	Path  string
	Owner string // of a parameter the tool with its version, of a step its part, of a name in abl.yaml the table, of an entry of a section the section, of a schema part or an anchor the place at which it begins
	Name  string
}

// SymbolKind is the kind of a symbol.
type SymbolKind int

// The kinds.
const (
	ToolSymbol SymbolKind = iota + 1
	ParameterSymbol
	StepSymbol
	TemplateSymbol
	VariableSymbol
	FileSymbol // an imported one
	SecretSymbol
	ProjectEntrySymbol // an entry in a table of abl.yaml
	AgentSymbol        // or a supervisor
	ProfileSymbol      // a behaviour profile
	SectionEntrySymbol // an entry that a section of the file declares: a message, a handler, …
	SchemaPartSymbol   // a part of a JSON Schema that the schema refers to
	AnchorSymbol       // of YAML
)

// String returns the name of the kind for messages.
func (k SymbolKind) String() string {
	return [...]string{"", "tool", "parameter", "step", "template", "variable", "file", "secret", "name of abl.yaml", "agent", "behaviour profile", "name", "part of a schema", "anchor"}[k]
}

// Access is what a place does with the symbol that it names.
type Access int

// The kinds of access. What declares also writes.
const (
	Reads Access = iota
	Writes
	Declares
)

// Occurrence is a word that names a symbol.
type Occurrence struct {
	Symbol Symbol
	Span   text.Span
	Access Access
}

// Resolver finds what the words of one file mean.
type Resolver struct {
	Workspace Workspace
	File      *File
	Wanted    *Symbol // all other symbols are left out; nil for everything
	Word      string  // the word under the cursor, if there is one

	callable      map[string]ScopedTool   // what the file can call, once asked
	usersCallable []map[string]ScopedTool // likewise, of the files that import this one
}

// wants reports whether a name may mean the wanted symbol.
func (r *Resolver) wants(name string, kinds ...SymbolKind) bool {
	if r.Wanted == nil {
		return true
	}
	ofService := r.Wanted.Kind == ToolSymbol && strings.HasSuffix(name, "_"+r.Wanted.Name)
	return (r.Wanted.Name == name || ofService) && slices.Contains(kinds, r.Wanted.Kind)
}

// filterWanted returns the occurrences of the wanted symbol. In an agent in YAML they are those that
// its author wrote.
func (r *Resolver) filterWanted(all []Occurrence) []Occurrence {
	if r.File.IsYAMLAgent() {
		all = slices.DeleteFunc(all, func(u Occurrence) bool { return r.File.WrittenSpan(u.Span).Empty() })
	}
	if r.Wanted == nil {
		return all
	}
	return slices.DeleteFunc(all, func(u Occurrence) bool { return u.Symbol != *r.Wanted })
}

// Occurrences returns the occurrences in the whole file.
func (r *Resolver) Occurrences() []Occurrence {
	switch {
	case r.File.Doc == nil:
		return nil
	case r.File.Project != nil:
		return append(r.projectOccurrences(), r.AnchorOccurrences()...)
	case IsCases(r.File.Path):
		return append(r.caseOccurrences(), r.AnchorOccurrences()...)
	case IsArguments(r.File.Path):
		return nil
	case IsManifest(r.File.Path):
		return r.manifestOccurrences()
	case r.File.Foreign != nil:
		return append(r.foreignOccurrences(), r.AnchorOccurrences()...)
	}
	var out []Occurrence
	for _, e := range r.File.Doc.HeadsAndEntries() {
		if r.Wanted == nil || r.Wanted.Kind == FileSymbol || strings.Contains(e.Text(), r.Wanted.Name) {
			out = append(out, r.EntryOccurrences(e)...)
		}
	}
	if r.File.IsYAMLAgent() {
		out = append(out, r.AnchorOccurrences()...)
	}
	return out
}

// EntryOccurrences returns the occurrences in one entry.
func (r *Resolver) EntryOccurrences(e syntax.PositionedEntry) []Occurrence {
	out := r.declaredOccurrences(e)
	if e.Kind() == syntax.Import {
		out = append(out, r.importOccurrences(NewImport(r.File.Path, PositionNode(e.Root(), e.Offset)))...)
	}
	for m := range r.File.NameRefs(e) {
		for _, s := range r.SymbolsOf(m) {
			out = append(out, Occurrence{s, m.Span, m.Access})
		}
	}
	return r.filterWanted(out)
}

// declaredOccurrences returns the tools, parameters and steps that an entry declares.
func (r *Resolver) declaredOccurrences(e syntax.PositionedEntry) []Occurrence {
	var out []Occurrence
	path, decls := r.File.Path, r.File.DeclaredTools(e.Entry)
	for i := range decls {
		t := PositionedTool{&decls[i], e.Offset}
		owner := t.Owner()
		out = append(out, Occurrence{Symbol{ToolSymbol, path, "", t.Name}, t.NameSpan(), Declares})
		out = append(out, r.scriptOccurrences(t)...)
		for j := range t.Params {
			if p := &t.Params[j]; p.Name != "" {
				out = append(out, Occurrence{Symbol{ParameterSymbol, path, owner, p.Name}, t.InFile(p.NameNode()).Span(), Declares})
			}
		}
	}
	if flow := r.File.FlowAt(e.Offset); flow != nil && IsFlow(r.File.sectionOf(e)) {
		for i := range flow.Steps {
			if s := &flow.Steps[i]; e.Span().Start <= s.NameSpan.Start && s.NameSpan.End <= e.Span().End {
				out = append(out, Occurrence{stepSymbol(r.File, s), s.NameSpan, Declares})
			}
		}
	}
	return out
}

// importOccurrences returns the path of an import and the tools of its bracket list.
func (r *Resolver) importOccurrences(i Import) []Occurrence {
	var out []Occurrence
	if i.Path != "" {
		out = append(out, Occurrence{Symbol{Kind: FileSymbol, Path: i.Target}, UnquotedWord(i.PathNode().Node).Span.Shift(i.Offset), Reads})
	}
	for k, n := range i.Names {
		name := n.UnquotedText()
		unquoted, _ := tool.SplitVersion(name)
		if !r.wants(name, ToolSymbol) && !r.wants(unquoted, ToolSymbol) {
			continue
		}
		exports, _ := exportsOf(r.Workspace, i.Target, nameSet{names: map[string]bool{name: true, unquoted: true}})
		if t, ok := (Scope{Tools: exports}).ToolByCallName(name); ok {
			span := i.NameSpan(k)
			if _, version := tool.SplitVersion(name); version != "" {
				span.End -= len(name) - len(unquoted)
			}
			out = append(out, Occurrence{SymbolOfTool(t), span, Reads})
		}
	}
	return out
}

// stepSymbol returns the symbol of a step. Each agent of a file has steps of its own.
func stepSymbol(f *File, s *Step) Symbol {
	return Symbol{StepSymbol, f.Path, f.PartAt(s.NameSpan.Start).owner, s.Name}
}

// SymbolOfTool returns the symbol of a tool.
func SymbolOfTool(t ScopedTool) Symbol { return Symbol{ToolSymbol, t.File.Path, "", t.Name} }

// SymbolsOf returns the symbols that a name means: none or one; in a behaviour profile or a library
// perhaps one for each agent that uses it.
func (r *Resolver) SymbolsOf(m NameRef) []Symbol {
	path := r.File.Path
	switch m.Kind {
	case ToolRef:
		if r.wants(m.Name, ToolSymbol) {
			return r.ToolSymbols(m.Name)
		}
	case ArgumentRef:
		if !r.wants(m.Name, ParameterSymbol) {
			return nil
		}
		var out []Symbol
		for _, t := range r.ToolsNamed(m.Owner) {
			if t.hasParam(m.Name) {
				out = append(out, Symbol{ParameterSymbol, t.File.Path, t.Owner(), m.Name})
			}
		}
		return out
	case ParameterRef:
		if t, ok := r.File.ToolAround(m.Span.Start); ok && t.Param(m.Name) != nil {
			return []Symbol{{ParameterSymbol, path, t.Owner(), m.Name}}
		}
	case StepRef, TargetRef:
		if flow := r.File.FlowAt(m.Span.Start); flow != nil {
			if s, ok := flow.Step(m.Name); ok {
				return []Symbol{stepSymbol(r.File, &s)}
			}
		}
	case TemplateRef:
		return []Symbol{{TemplateSymbol, path, "", m.Name}}
	case VariableRef:
		return []Symbol{{Kind: VariableSymbol, Name: m.Name}}
	case SecretRef:
		return []Symbol{{SecretSymbol, ProjectPath(r.Workspace, path), "", m.Name}}
	case ProjectEntryRef:
		return []Symbol{{ProjectEntrySymbol, ProjectPath(r.Workspace, path), m.Owner, m.Name}}
	case AgentRef:
		return []Symbol{r.workspaceSymbol(AgentSymbol, m.Name)}
	case ProfileRef:
		return []Symbol{r.workspaceSymbol(ProfileSymbol, m.Name)}
	case SectionEntryRef:
		return []Symbol{{SectionEntrySymbol, path, m.Owner, m.Name}}
	case RouteRef:
		if declaresName(r.File, Aliases, m.Name) {
			return []Symbol{{SectionEntrySymbol, path, Aliases, m.Name}}
		}
		return []Symbol{r.workspaceSymbol(AgentSymbol, m.Name)}
	}
	return nil
}

// workspaceSymbol returns the symbol of an agent or a profile of the workspace that the file
// belongs to.
func (r *Resolver) workspaceSymbol(kind SymbolKind, name string) Symbol {
	return Symbol{Kind: kind, Path: r.Workspace.MarkedRoot(r.File.Path), Name: name}
}

// declaresName reports whether a section of the file declares a name.
func declaresName(f *File, section, name string) bool {
	for in, r := range f.NameRefsOf(SectionEntryRef) {
		if in == section && r.Owner == section && r.Name == name && r.Access == Declares {
			return true
		}
	}
	return false
}

// ToolSymbols returns the symbols of the tools that a name may mean.
func (r *Resolver) ToolSymbols(name string) []Symbol {
	var out []Symbol
	for _, t := range r.ToolsNamed(name) {
		out = append(out, SymbolOfTool(t))
	}
	return out
}

// ToolsNamed returns the tools that a name means: the one that the file can call, else those of the
// files that import this one.
func (r *Resolver) ToolsNamed(name string) []ScopedTool {
	if r.callable == nil {
		r.callable = r.Workspace.Callable(r.File.Path).CallIndex()
	}
	if t, ok := r.callable[name]; ok {
		return []ScopedTool{t}
	}
	if r.File.Kind != Library && r.File.Kind != Profile {
		return nil
	}
	if r.usersCallable == nil {
		r.usersCallable = []map[string]ScopedTool{}
		for _, path := range r.Workspace.Importers(r.File.Path) {
			r.usersCallable = append(r.usersCallable, r.Workspace.Callable(path).CallIndex())
		}
	}
	var out []ScopedTool
	for _, index := range r.usersCallable {
		same := func(t ScopedTool) bool { return SymbolOfTool(t) == SymbolOfTool(index[name]) }
		if _, ok := index[name]; ok && !slices.ContainsFunc(out, same) {
			out = append(out, index[name])
		}
	}
	return out
}

// ProjectPath returns the path of the nearest known abl.yaml above a file, "" for none.
func ProjectPath(w Workspace, path string) string {
	for candidate := range projectsAbove(path) {
		if f := w.File(candidate); f != nil && f.Project != nil {
			return candidate
		}
	}
	return ""
}

var (
	projectSecret = lazyregexp.New(placeholder.Open + `secrets\.([A-Za-z_][\w.-]*)` + placeholder.Close)
	// SecretsKey matches the line of abl.yaml with the secrets.
	SecretsKey = lazyregexp.New(`(?m)^secrets\b`)
)

// projectOccurrences returns the names that abl.yaml lists, and the secrets that it names.
func (r *Resolver) projectOccurrences() []Occurrence {
	out := r.projectReferences()
	for _, of := range namedTables {
		t, _ := r.File.Project.Table(of.table)
		for _, e := range t.Entries {
			out = append(out, Occurrence{Symbol{ProjectEntrySymbol, r.File.Path, of.table, e.Name}, e.NameSpan(), Declares})
		}
	}
	source := r.File.Doc.Text()
	for _, m := range projectSecret.FindAllStringSubmatchIndex(source, -1) {
		out = append(out, Occurrence{Symbol{SecretSymbol, r.File.Path, "", source[m[2]:m[3]]}, text.Span{Start: m[2], End: m[3]}, Reads})
	}
	return r.filterWanted(out)
}

// caseOccurrences returns the tools of saved cases, and the parameters that these give.
func (r *Resolver) caseOccurrences() []Occurrence {
	out, tools := r.caseEnvironments(), TestedToolsOf(r.Workspace, r.File.Path)
	for _, c := range projectfile.ReadCases(r.File.YAML) {
		_, t, ok := tools.Tool(c.Tool.Name)
		if !ok {
			continue
		}
		at := c.Tool.NameSpan()
		called, _ := tool.SplitVersion(c.Tool.Name)
		at.End = min(at.End, at.Start+len(called))   // without the version
		at.Start = max(at.Start, at.End-len(t.Name)) // and the service
		out = append(out, Occurrence{SymbolOfTool(t), at, Reads})
		for _, a := range c.Args {
			if t.hasParam(a.Name) {
				out = append(out, Occurrence{Symbol{ParameterSymbol, t.File.Path, t.Owner(), a.Name}, a.NameSpan(), Reads})
			}
		}
		for _, check := range c.Checks {
			s, offset := writtenText(r.File, check)
			for _, at := range argumentNames(s) {
				if name := s[at.Start:at.End]; t.hasParam(name) {
					out = append(out, Occurrence{Symbol{ParameterSymbol, t.File.Path, t.Owner(), name}, at.Shift(offset), Reads})
				}
			}
		}
	}
	return r.filterWanted(out)
}

// argumentNames returns the places of the arguments that an expression names after `args`.
func argumentNames(s string) []text.Span {
	out := indirectNames(s)
	for _, n := range expressionNames(s) {
		if s[n.Head().Start:n.Head().End] == "args" && len(n.Parts) > 1 {
			out = append(out, n.Parts[1])
		}
	}
	return out
}

// brokenCasesOf reports whether the file has the saved cases of the file at path, and cannot be
// read.
func brokenCasesOf(f *File, path string) bool {
	return IsCases(f.Path) && filepath.Dir(f.Path) == filepath.Dir(path) && Stem(f.Path) == Stem(path) && len(f.YAML.Faults()) > 0
}
