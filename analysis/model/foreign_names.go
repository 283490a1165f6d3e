package model

import (
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// ForeignName is a word of a foreign file that declares or names something.
type ForeignName struct {
	Ref      tool.Ref
	Name     string
	Span     text.Span // without quotes
	Declares bool
}

// ForeignNames returns the words of a foreign file that are names by the schema tables, in the
// order of the text. Names that an alias repeats are left out.
func (f *File) ForeignNames() iter.Seq[ForeignName] {
	return func(yield func(ForeignName) bool) {
		if f.Foreign == nil {
			return
		}
		seen := map[text.Span]bool{}
		once := func(n ForeignName) bool {
			again := seen[n.Span]
			seen[n.Span] = true
			return again || yield(n)
		}
		for _, root := range f.YAMLTree().Roots() {
			if !foreignNamesIn(root, DocumentField(f, root), once) {
				return
			}
		}
	}
}

func foreignNamesIn(n *yaml.Node, field *tool.Field, yield func(ForeignName) bool) bool {
	if field == nil || n.Alias != "" && n.IsScalar() {
		return true
	}
	if field.Ref != tool.NoRef && n.IsScalar() && n.Text != "" && !n.Span.Empty() {
		return yield(ForeignName{field.Ref, n.Text, n.TextSpan(), field.Declares})
	}
	for _, item := range n.Items {
		if !foreignNamesIn(item, projectfile.ItemField(field), yield) {
			return false
		}
	}
	for _, m := range n.Members {
		below := projectfile.KeyField(field, m.Key.Text)
		if below != nil && below == field.Each && below.Declares && !namesItself(below, m) && !yield(ForeignName{below.Ref, m.Key.Text, m.Key.TextSpan(), true}) {
			return false
		}
		if !foreignNamesIn(m.Value, below, yield) {
			return false
		}
	}
	return true
}

// namesItself reports whether the map in m has a `name` of its own that differs from the key of m.
// schema is the field of the map.
func namesItself(schema *tool.Field, m yaml.Member) bool {
	if schema.Ref != tool.RefForeignTool || m.Value == nil {
		return false
	}
	name := m.Value.Get("name")
	field := projectfile.KeyField(schema, "name")
	return name != nil && field != nil && field.Declares && name.IsScalar() && name.Text != "" && name.Text != m.Key.Text
}

// ProjectTables are the tables of abl.yaml by the reference that names one of their entries. A
// foreign file may declare sources and auth services of its own as well.
var ProjectTables = map[tool.Ref]string{
	tool.RefServer: projectfile.Servers, tool.RefFunction: projectfile.Functions,
	tool.RefSource: projectfile.Sources, tool.RefAuthService: projectfile.AuthServices,
	tool.RefEnvironment: projectfile.Environments,
}

// ResourceOwner is the Owner of the symbols of Récif's resources.
const ResourceOwner = "resources"

// foreignOccurrences returns the names that a foreign file declares or uses.
func (r *Resolver) foreignOccurrences() []Occurrence {
	var out []Occurrence
	for n := range r.File.ForeignNames() {
		if r.Wanted != nil && r.Wanted.Name != n.Name {
			continue
		}
		access := Reads
		if n.Declares {
			access = Declares
		}
		if s, ok := r.ForeignSymbol(n); ok {
			out = append(out, Occurrence{s, n.Span, access})
		}
	}
	for _, t := range r.File.Tools {
		out = append(out, r.foreignToolOccurrences(t)...)
	}
	return r.filterWanted(append(out, r.partOccurrences()...))
}

// ForeignSymbol returns the symbol that n, a word of the file, means. The second result is false if
// it means none, or one that the file cannot name.
func (r *Resolver) ForeignSymbol(n ForeignName) (Symbol, bool) {
	path := r.File.Path
	switch n.Ref {
	case tool.RefForeignTool:
		return Symbol{ToolSymbol, path, "", n.Name}, true
	case tool.RefSource, tool.RefAuthService:
		if !n.Declares && !declaresForeign(r.File, n.Ref, n.Name) {
			path = ProjectPath(r.Workspace, path)
		}
		return Symbol{ProjectEntrySymbol, path, ProjectTables[n.Ref], n.Name}, true
	case tool.RefResource:
		if !n.Declares {
			path = resourceOf(r.Workspace, path, n.Name)
		}
		return Symbol{SectionEntrySymbol, path, ResourceOwner, n.Name}, path != ""
	case tool.RefParameter:
		if t, ok := r.File.ForeignAround(n.Span.Start); ok { // a tool without a name is none
			return Symbol{ParameterSymbol, path, t.Owner(), n.Name}, t.hasParam(n.Name)
		}
	}
	return Symbol{}, false
}

// foreignToolOccurrences returns the parameters that a tool declares, and the places in its texts
// that name them.
func (r *Resolver) foreignToolOccurrences(t PositionedTool) []Occurrence {
	var out []Occurrence
	if r.Wanted != nil && (r.Wanted.Kind != ParameterSymbol || r.Wanted.Owner != t.Owner()) && r.Wanted.Kind != ToolSymbol {
		return nil
	}
	out = append(out, Occurrence{Symbol{ToolSymbol, r.File.Path, "", t.Name}, t.NameSpan(), Declares})
	owner := t.Owner()
	add := func(name string, span text.Span, access Access) {
		out = append(out, Occurrence{Symbol{ParameterSymbol, r.File.Path, owner, name}, span, access})
	}
	for i, p := range t.Foreign.Tool.Params {
		if i < len(t.Foreign.Params) && !t.IsImplied(i) {
			add(p.Name, t.Foreign.Params[i], Declares)
		}
	}
	for _, p := range t.Foreign.Pasted {
		add(p.Text, Unquoted(r.File, p.Span), Declares)
	}
	for _, p := range ParameterPlaces(r.File, t) {
		if p.Index == 0 && t.hasParam(p.Name) {
			add(p.Name, p.Span, Reads)
		}
	}
	return out
}

// IsImplied reports whether the parameter at an index is not written in the file, but comes with
// the kind of tool.
func (t PositionedTool) IsImplied(i int) bool { return t.Foreign.Params[i] == t.Foreign.Name }

// hasParam reports whether the tool has a parameter of that name. Parameters that are pasted into a
// statement count if a foreign file declares them.
func (d *ToolDecl) hasParam(name string) bool {
	return d.Param(name) != nil || slices.Contains(d.PastedNames(), name)
}

// PastedNames returns the names of the parameters of a foreign tool that are pasted into a
// statement.
func (d *ToolDecl) PastedNames() []string {
	var names []string
	if d.IsForeign() {
		for _, p := range d.Foreign.Pasted {
			names = append(names, p.Text)
		}
	}
	return names
}

// ForeignAround returns the foreign tool that an offset is in; ok is false outside one.
func (f *File) ForeignAround(offset int) (PositionedTool, bool) {
	i := slices.IndexFunc(f.Tools, func(t PositionedTool) bool { return t.Span().Touches(offset) })
	if i < 0 || f.Foreign == nil {
		return PositionedTool{}, false
	}
	return f.Tools[i], true
}

// declaredName is a name that a foreign file declares. It is a key of a map, since there may be
// thousands.
type declaredName struct {
	ref  tool.Ref
	name string
}

func readDeclared(f *File) map[declaredName]bool {
	all := map[declaredName]bool{}
	for n := range f.ForeignNames() {
		if n.Declares {
			all[declaredName{n.Ref, n.Name}] = true
		}
	}
	return all
}

func declaresForeign(f *File, ref tool.Ref, name string) bool {
	return f.declaredNames()[declaredName{ref, name}]
}

// DeclaredForeign returns the names of one kind that a foreign file declares.
func (f *File) DeclaredForeign(ref tool.Ref) []string {
	var names []string
	seen := map[string]bool{}
	for n := range f.ForeignNames() {
		if n.Ref == ref && n.Declares && !seen[n.Name] {
			seen[n.Name] = true
			names = append(names, n.Name)
		}
	}
	return names
}

// resourceOf returns the path of the file that has Récif's resource of that name: the one at path,
// or one in its folder.
func resourceOf(w Workspace, path, name string) string {
	for _, f := range ForeignSiblings(w, path) {
		if declaresForeign(f, tool.RefResource, name) {
			return f.Path
		}
	}
	return ""
}

// ForeignSiblings returns the foreign files in the folder of the file at path, that file included.
func ForeignSiblings(w Workspace, path string) []*File {
	var files []*File
	for _, p := range w.Paths() {
		if h := w.files.Get(p); h.isForeign() && filepath.Dir(p) == filepath.Dir(path) {
			files = append(files, h.File())
		}
	}
	slices.SortStableFunc(files, func(a, b *File) int {
		return strings.Compare(strconv.FormatBool(a.Path != path), strconv.FormatBool(b.Path != path))
	})
	return files
}

// ForeignPlaceholder is a place in a text of a foreign tool that names one of its parameters, or
// gives the number of a statement's parameter.
type ForeignPlaceholder struct {
	Name  string
	Index int       // from 1 on; 0 for a name
	Span  text.Span // of the name, or of the number with its mark
	Key   string    // the key whose value has it
}

// templateForms match the placeholders of each system. The first group is the name of a parameter;
// it is empty for a variable of the environment.
var templateForms = map[string]*lazyregexp.Regexp{
	"toolbox": lazyregexp.New(`\{\{-?\s*(?:\w+\s+)?\.(\w+)\s*-?\}\}`),
	"corail":  lazyregexp.New(`\$\{\w*\}|\{\{?\s*(\w+)\s*\}`),
}

// commandWordForm matches a word of a command for a Redis server that a parameter fills, in a Toolbox
// file.
var commandWordForm = lazyregexp.New(`^\$([A-Za-z_][\w-]*)$`)

// numberPattern matches `$1` or `?1` in a statement, outside quotes and comments.
var numberPattern = lazyregexp.New(`'[^']*'|"[^"]*"|--[^\n]*|(?s:/\*.*?\*/)|([$?]([1-9][0-9]{0,3}))\b`)

// numbersIn returns the numbers of parameters in a statement, each with the span of the number and
// its mark.
func numbersIn(statement string) iter.Seq2[int, text.Span] {
	return func(yield func(int, text.Span) bool) {
		for _, m := range numberPattern.FindAllStringSubmatchIndex(statement, -1) {
			if m[2] < 0 {
				continue
			}
			index, err := strconv.Atoi(statement[m[4]:m[5]])
			if err == nil && !yield(index, text.Span{Start: m[2], End: m[3]}) {
				return
			}
		}
	}
}

// proseKeys are the keys whose texts have no placeholders.
var proseKeys = []string{"description", "default", "name", "type", "kind", "source", "metadata", "enum", "allowedValues", "excludedValues"}

// foreignPlaceholders returns the placeholders of a tool, in the order of the text.
func foreignPlaceholders(f *File, t PositionedTool) []ForeignPlaceholder {
	form := templateForms[f.Foreign.System]
	switch {
	case f.Foreign.System == "nao":
		return naoArguments(f, t)
	case form == nil:
		return nil
	}
	var out []ForeignPlaceholder
	for key, n := range TextsOf(f, t) {
		inner := n.TextSpan()
		source := f.Doc.Text()[inner.Start:inner.End]
		find := form
		if key == "commands" {
			find = commandWordForm
		}
		for _, m := range find.FindAllStringSubmatchIndex(source, -1) {
			if m[2] < 0 {
				continue
			}
			out = append(out, ForeignPlaceholder{Name: source[m[2]:m[3]], Span: text.Span{Start: m[2], End: m[3]}.Shift(inner.Start), Key: key})
		}
		if key != "statement" {
			continue
		}
		for index, at := range numbersIn(source) {
			out = append(out, ForeignPlaceholder{Index: index, Span: at.Shift(inner.Start), Key: key})
		}
	}
	return out
}

// boundPlaceholders returns the parameters that the statement of a Toolbox file binds by their
// names: in braces, and with the marks of SQLite.
func boundPlaceholders(f *File, t PositionedTool) []ForeignPlaceholder {
	if f.Foreign.System != "toolbox" || t.Kind() != tool.KindSQL {
		return nil
	}
	namesIn := bracedNames
	if strings.HasPrefix(t.Foreign.Sort, "sqlite") {
		namesIn = boundNames
	}
	var out []ForeignPlaceholder
	for key, n := range TextsOf(f, t) {
		if key != "statement" {
			continue
		}
		inner := n.TextSpan()
		source := f.Doc.Text()[inner.Start:inner.End]
		for _, at := range namesIn(source) {
			if name := source[at.Start:at.End]; t.Param(name) != nil {
				out = append(out, ForeignPlaceholder{Name: name, Span: at.Shift(inner.Start), Key: key})
			}
		}
	}
	return out
}

// ParameterPlaces returns the places in the texts and schemas of t that have the name or the number
// of one of t's parameters.
func ParameterPlaces(f *File, t PositionedTool) []ForeignPlaceholder {
	return slices.Concat(foreignPlaceholders(f, t), boundPlaceholders(f, t), namesOfSchema(f, t))
}

// TextsOf returns the texts of a tool; see [TextsIn].
func TextsOf(f *File, t PositionedTool) iter.Seq2[string, *yaml.Node] {
	entry := t.Foreign.Entry
	if entry == nil {
		return TextsIn(f, t.Span())
	}
	return func(yield func(string, *yaml.Node) bool) { textsBelow(entry, "", entry.Span, yield) }
}

// TextsIn returns the texts in a part of a foreign file, each with its key. Prose is left out.
func TextsIn(f *File, within text.Span) iter.Seq2[string, *yaml.Node] {
	return func(yield func(string, *yaml.Node) bool) {
		for _, root := range f.YAMLTree().Roots() {
			if !textsBelow(root, "", within, yield) {
				return
			}
		}
	}
}

func textsBelow(n *yaml.Node, key string, within text.Span, yield func(string, *yaml.Node) bool) bool {
	if n.Alias != "" || n.Span.End < within.Start || n.Span.Start > within.End {
		return true
	}
	if n.Kind == yaml.String {
		return n.Span.Start < within.Start || n.Span.End > within.End || yield(key, n)
	}
	for _, item := range partsReaching(n.Items, within, func(item *yaml.Node) int { return item.Span.Start }) {
		if !textsBelow(item, key, within, yield) {
			return false
		}
	}
	for _, m := range partsReaching(n.OwnMembers(), within, func(m yaml.Member) int { return m.Key.Span.Start }) {
		if !slices.Contains(proseKeys, m.Key.Text) && !textsBelow(m.Value, m.Key.Text, within, yield) {
			return false
		}
	}
	return true
}

// partsReaching returns the parts that may overlap a span. The parts are in the order of the text;
// a file may have thousands of tools, each of which is asked about.
func partsReaching[T any](parts []T, within text.Span, start func(T) int) []T {
	after := func(offset int) int {
		return sort.Search(len(parts), func(i int) bool { return start(parts[i]) > offset })
	}
	return parts[max(after(within.Start)-1, 0):after(within.End)]
}

// isForeign reports whether a foreign file declares a symbol.
func isForeign(w Workspace, s Symbol) bool {
	f := w.File(s.Path)
	return f != nil && f.Foreign != nil && s.Kind != FileSymbol
}

// foreignName matches a name that a foreign file has without quotes, and that templates and ABL can
// name.
var foreignName = lazyregexp.New(`^[A-Za-z_][\w-]*$`)

// CheckForeignName returns an error that says why a symbol of a foreign file cannot have a name;
// nil if it can.
func CheckForeignName(w Workspace, from Symbol, name string) error {
	switch {
	case !isForeign(w, from):
		return CheckName(from, name)
	case !foreignName.MatchString(name) || slices.Contains([]string{"true", "false", "null"}, strings.ToLower(name)):
		return fmt.Errorf("`%s` is no name for %s: letters, digits, `_` and `-` make one, and it begins with no digit", name, from.NounWithArticle())
	}
	return nil
}

// ProgramEndings are the endings of files that are programs. What else they do with a name is
// unknown.
var ProgramEndings = []string{".ts", ".mts", ".js", ".mjs"}

// WhyNotRenamable returns the reason why a symbol cannot be renamed here, "" if it can.
func WhyNotRenamable(w Workspace, s Symbol) string {
	if !isForeign(w, s) {
		return ""
	}
	f := w.File(s.Path)
	broken := slices.ContainsFunc(f.Foreign.Faults, func(fault foreign.Fault) bool { return fault.Code == "syntax-error" })
	switch {
	case slices.Contains(ProgramEndings, strings.ToLower(filepath.Ext(s.Path))):
		return "a program, in which other code may use the name: change it there"
	case broken:
		return "which cannot be read as a whole"
	case s.Kind == SchemaPartSymbol && escapesReferences(f):
		return "where a `$ref` is written with escapes: change it by hand"
	}
	return ""
}

// UnknownPlaceholders returns the places in a tool that name a parameter which the tool does not
// have, or cannot have there: Toolbox pastes only template parameters into a statement, and with
// Corail braces mean something in an endpoint only.
func UnknownPlaceholders(f *File, t PositionedTool) []ForeignPlaceholder {
	if f.Foreign == nil || t.Kind() == "" {
		return nil
	}
	system := f.Foreign.System
	if system != "toolbox" && system != "corail" {
		return nil
	}
	return slices.DeleteFunc(foreignPlaceholders(f, t), func(p ForeignPlaceholder) bool {
		return p.Index > 0 || system == "corail" && p.Key != "endpoint" || slices.Contains(t.ForeignNames(p), p.Name)
	})
}

// ForeignNames returns the parameters of a foreign tool that a placeholder may name.
func (d *ToolDecl) ForeignNames(p ForeignPlaceholder) []string {
	if p.Key == "statement" {
		return d.PastedNames()
	}
	return paramNames(d.Foreign.Tool.Params)
}
