package model

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// File is one version of one file, with what can be read from it alone.
type File struct {
	*Summary
	Doc *syntax.Document // nil if Absent

	Tools        []PositionedTool // declarations, those that a profile adds included
	Imports      []Import         // MaxImports at most
	ExcessImport *Import          // the first one beyond MaxImports, else nil
	Defaults     []PositionedNode // shared defaults: pairs directly under TOOLS

	YAML    *yaml.Document       // of an abl.yaml, of saved cases, and of foreign files
	Project *projectfile.Project // of an abl.yaml
	Foreign *foreign.File        // of a file with tools of another system

	Agent *YAMLAgent // of an agent in YAML; Doc is the agent in ABL then

	parts     []Part
	summaries []placedSummary // of the entries, without comments

	lazyParts
	reusedParts
}

// lazyParts are read when they are first asked for.
type lazyParts struct {
	declaredNames func() map[declaredName]bool
	SavedCases    func() []projectfile.Case // of a file of saved cases
	exported      func() ([]string, bool)   // functions, of a module
	traits        func() []Traits           // of Tools, in the order of these; nil if there is no text
	namedKinds    func() kindSet            // of all entries; nil if there are no summaries
	actingEntries func() []placedSummary    // likewise
}

// reusedParts are what the next version of a file takes over if their text is the same.
type reusedParts struct {
	foreignDecls map[string]*ToolDecl      // of Foreign
	Builtins     map[string]PositionedTool // the tools of Foreign that need no file of their own, by name
}

// MaxImports is how many imports of one file are followed.
const MaxImports = 1000

// Absence is the reason why a file has no text.
type Absence int

// The reasons. Forbidden means that the file is outside the folders that may be read.
const (
	Present Absence = iota
	NotFound
	IsFolder
	Unreadable
	Forbidden
)

// FileKind is what a file contains.
type FileKind int

// The kinds.
const (
	Unknown FileKind = iota // a plain .abl file without a section that decides
	Agent
	Supervisor
	Library // *.tools.abl
	Profile // *.behavior_profile.abl
	YAML    // the YAML dialect, abl.yaml, saved cases, another language: not parsed as ABL
)

// IsImportable reports whether an import of this path is read at all: its name has the ending of an
// ABL file or of a foreign one.
func IsImportable(path string) bool {
	return strings.HasSuffix(strings.ToLower(path), ".abl") || IsForeign(path)
}

// IsABL reports whether a path names a file of the language.
func IsABL(path string) bool {
	lower := strings.ToLower(path)
	return strings.HasSuffix(lower, ".abl") || strings.HasSuffix(lower, yamlSuffix)
}

// PositionedNode is a node with its place in the file.
type PositionedNode struct {
	syntax.Node
	Offset int // of its entry

	decl *ToolDecl // of another system, whose places are elsewhere; else nil
}

// Span returns where the node is in the file.
func (p PositionedNode) Span() text.Span {
	if p.decl != nil {
		return foreignSpan(p.decl, p.Node)
	}
	return p.Node.Span().Shift(p.Offset)
}

// InFile places another node of the same entry.
func (p PositionedNode) InFile(n syntax.Node) PositionedNode {
	p.Node = n
	return p
}

// PositionNode places a node of the entry that begins at an offset.
func PositionNode(n syntax.Node, offset int) PositionedNode {
	return PositionedNode{Node: n, Offset: offset}
}

// Import is a `file:` line.
type Import struct {
	PositionedNode
	Path   string           // as written; "" if it is missing
	Target string           // the path that it means; "" if it is missing
	Names  []PositionedNode // of the bracket list
	All    bool             // there is no bracket list: everything is imported
}

// PathNode returns the node of the path as written.
func (i Import) PathNode() PositionedNode { return i.InFile(i.Child(syntax.FieldPath)) }

// NewFile reads a file. Parts whose text is the same as in the version before are taken over from
// it; before may be nil.
func NewFile(path string, doc *syntax.Document, before *File) *File {
	if IsYAMLAgentText(path, doc.Text()) && !doc.TooLarge() {
		return newYAMLAgent(path, doc, before)
	}
	if before.IsYAMLAgent() {
		before = nil
	}
	return readFile(path, KindOf(path, doc), doc, before)
}

func readFile(path string, kind FileKind, doc *syntax.Document, before *File) *File {
	f := &File{Summary: &Summary{Path: path, Kind: kind}, Doc: doc}
	f.traits = sync.OnceValue(func() []Traits { return readFileTraits(f) })
	f.exported = sync.OnceValues(func() ([]string, bool) { return readExported(f) })
	addSummary(f)
	if IsProjectFile(path) || NamesTools(path) {
		f.YAML = reparseYAML(before, doc)
	}
	if IsProjectFile(path) {
		f.Project = projectfile.Read(f.YAML)
	}
	if IsCases(path) {
		f.SavedCases = sync.OnceValue(func() []projectfile.Case { return readCases(f) })
	}
	if IsForeign(path) {
		readForeign(f, before)
	}
	if f.Kind == YAML {
		readPublic(f)
		return f
	}
	for _, s := range doc.Sections() {
		if s.Head.Kind() != syntax.ToolsSection {
			continue
		}
		f.Tools = slices.Grow(f.Tools, len(s.Entries))
		for _, e := range s.Entries {
			addToolsEntry(f, e)
		}
	}
	readPublic(f)
	f.summaries = readSummaries(doc)
	f.namedKinds = sync.OnceValue(func() kindSet { return readNamedKinds(f) })
	f.actingEntries = sync.OnceValue(func() []placedSummary { return readActing(f) })
	readParts(f)
	return f
}

// reparseYAML returns the next version of a file's YAML tree.
func reparseYAML(f *File, doc *syntax.Document) *yaml.Document {
	if f == nil {
		return yaml.ParseLines(doc.Lines())
	}
	return yaml.Reparse(f.YAML, doc.Lines())
}

// addToolsEntry adds what one line of TOOLS declares.
func addToolsEntry(f *File, e syntax.PositionedEntry) {
	switch e.Kind() {
	case syntax.Tool, syntax.Add:
		decls := noteOf(e.Entry).declare(e.Entry)
		for i := range decls {
			f.Tools = append(f.Tools, PositionedTool{&decls[i], e.Offset})
		}
	case syntax.Import:
		addImport(f, NewImport(f.Path, PositionNode(e.Root(), e.Offset)))
	case syntax.Pair:
		f.Defaults = append(f.Defaults, PositionNode(e.Root(), e.Offset))
	}
}

// YAMLTree returns the YAML tree of an abl.yaml, of saved cases, or of a foreign file; nil for
// other files.
func (f *File) YAMLTree() *yaml.Document {
	if f.YAML == nil && f.Foreign != nil {
		return f.Foreign.Tree()
	}
	return f.YAML
}

// DocumentField returns the schema field for one YAML document of the file; nil if there is none.
func DocumentField(f *File, root *yaml.Node) *tool.Field {
	if f.Foreign == nil {
		return YAMLField(f)
	}
	i := slices.Index(f.YAMLTree().Roots(), root)
	if i < 0 || i >= len(f.Foreign.Rows) {
		return nil
	}
	return f.Foreign.Rows[i]
}

// YAMLField returns the schema field for the whole of an abl.yaml or of saved cases; nil for other
// files.
func YAMLField(f *File) *tool.Field {
	if IsAgentSource(f) {
		return section.YAMLAgent()
	}
	if f.Project != nil {
		return projectfile.ProjectField()
	}
	if IsArguments(f.Path) {
		return projectfile.ArgumentsField()
	}
	return projectfile.CasesField()
}

func addImport(f *File, i Import) {
	switch {
	case len(f.Imports) < MaxImports:
		f.Imports = append(f.Imports, i)
	case f.ExcessImport == nil:
		f.ExcessImport = &i
	}
}

// DeclaredTools returns the tools that an entry of the file declares.
func (f *File) DeclaredTools(e *syntax.Entry) []ToolDecl {
	if decls := noteOf(e).decls.Load(); decls != nil {
		return *decls
	}
	return nil
}

// NewImport reads an import of the file at path from.
func NewImport(from string, n PositionedNode) Import {
	names := n.Child(syntax.FieldNames)
	i := Import{PositionedNode: n, Path: syntax.Unquote(n.Child(syntax.FieldPath).Text()), All: names.IsZero()}
	if i.Path != "" {
		i.Target = Resolve(from, i.Path)
	}
	for c := range names.Children() {
		if IsItem(c) {
			i.Names = append(i.Names, n.InFile(c))
		}
	}
	return i
}

// suffixes tell a file's kind by its name.
var suffixes = []struct {
	suffix string
	kind   FileKind
}{
	{yamlSuffix, Agent}, // unless it begins as one in YAML
	{".agent.abl", Agent},
	{".supervisor.abl", Supervisor},
	{".tools.abl", Library},
	{".behavior_profile.abl", Profile},
	{".yaml", YAML},
	{".yml", YAML},
	{".json", YAML},
	{".ts", YAML},
	{".js", YAML},
	{".mts", YAML},
	{".mjs", YAML},
}

// kindByName returns the kind of file that a path tells by its ending, else Unknown.
func kindByName(path string) FileKind {
	name := strings.ToLower(filepath.Base(path))
	for _, s := range suffixes {
		if strings.HasSuffix(name, s.suffix) {
			return s.kind
		}
	}
	return Unknown
}

// IsLibrary reports whether a path is that of a tool library, by its name.
func IsLibrary(path string) bool { return kindByName(path) == Library }

// KindOf returns what the file at path holds, by its name and its sections.
func KindOf(path string, doc *syntax.Document) FileKind {
	if IsProjectFile(path) || NamesTools(path) {
		return YAML
	}
	kind, first := kindByName(path), firstSection(doc)
	if kind == Agent && first == "SUPERVISOR" {
		return Supervisor
	}
	if kind != Unknown {
		return kind
	}
	switch first {
	case "":
		return Unknown
	case "SUPERVISOR":
		return Supervisor
	case "TOOLS":
		return Library
	case "BEHAVIOR_PROFILE":
		return Profile
	default:
		return Agent
	}
}

// firstSection returns the first keyword of a document that decides its kind; "" for none.
func firstSection(doc *syntax.Document) string {
	first := ""
	for _, s := range doc.Sections() {
		switch name := s.Name(); name {
		case "AGENT", "SUPERVISOR", "BEHAVIOR_PROFILE":
			return name
		default:
			if first == "" {
				first = name
			}
		}
	}
	return first
}
