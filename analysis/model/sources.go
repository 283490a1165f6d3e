package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// SupportedSourceKinds are the kinds of sources that a tool supports, by its type in ABL or its
// kind in MCP Toolbox.
var SupportedSourceKinds = map[string][]string{
	"sql": {"sqlite", "postgres", "mysql"}, "http": {"http"}, "redis": {"redis", "valkey"}, "valkey": {"valkey"},
	"sqlite-sql": {"sqlite"}, "postgres-sql": {"postgres"}, "mysql-sql": {"mysql"},
	"sqlite-execute-sql": {"sqlite"}, "postgres-execute-sql": {"postgres"}, "mysql-execute-sql": {"mysql"},
	"cockroachdb-sql": {"postgres"}, "cockroachdb-execute-sql": {"postgres"}, "yugabytedb-sql": {"postgres"},
	"tidb-sql": {"mysql"}, "tidb-execute-sql": {"mysql"}, "singlestore-sql": {"mysql"}, "singlestore-execute-sql": {"mysql"},
	"mindsdb-sql": {"mysql"}, "mindsdb-execute-sql": {"mysql"},
	"postgres-list-tables": {"postgres"}, "postgres-list-views": {"postgres"}, "postgres-list-schemas": {"postgres"}, "postgres-list-indexes": {"postgres"},
	"postgres-list-sequences": {"postgres"}, "postgres-list-triggers": {"postgres"}, "postgres-list-active-queries": {"postgres"},
	"postgres-list-available-extensions": {"postgres"}, "postgres-list-installed-extensions": {"postgres"}, "postgres-list-roles": {"postgres"},
	"postgres-list-tablespaces": {"postgres"}, "postgres-list-publication-tables": {"postgres"},
	"mysql-list-tables": {"mysql"}, "mysql-list-active-queries": {"mysql"}, "mysql-list-tables-missing-unique-indexes": {"mysql"}, "mysql-list-table-fragmentation": {"mysql"},
}

// SourceUse is a tool that names its source.
type SourceUse struct {
	Tool      string // the kind of the tool, as its file calls it
	Name      string
	Span      text.Span
	Kinds     []string // of the source, as far as they are known
	Supported []string // kinds that the tool supports
}

// Fits reports whether the tool supports the source. It is true if that is unknown. Kinds such as
// cloud-sql-postgres are variants of another kind.
func (u SourceUse) Fits() bool {
	return len(u.Supported) == 0 || len(u.Kinds) == 0 || slices.ContainsFunc(u.Kinds, u.supportsKind)
}

func (u SourceUse) supportsKind(kind string) bool {
	parts := strings.Split(kind, "-")
	among := func(kinds []string) bool {
		return slices.Contains(kinds, parts[0]) || slices.Contains(kinds, parts[len(parts)-1])
	}
	return among(u.Supported) || !among(SupportedSourceKinds["sql"]) && !among(SupportedSourceKinds["http"]) && !among(SupportedSourceKinds["redis"])
}

// SourceUses returns the sources that the tools of a file name.
func SourceUses(w Workspace, f *File) []SourceUse {
	kinds := SourceKinds(w, f)
	var uses []SourceUse
	for t := range f.ToolsWith(HasSource) {
		if u, ok := sourceOf(t); ok {
			u.Kinds = kinds[u.Name]
			uses = append(uses, u)
		}
	}
	return uses
}

func sourceOf(t PositionedTool) (u SourceUse, ok bool) {
	if !t.IsForeign() {
		return ABLSource(t)
	}
	if source := t.Foreign.Entry.Get("source"); source.StringValue() != "" && source.Alias == "" {
		return SourceUse{
			Tool: "kind `" + t.Foreign.Sort + "`", Name: source.Text, Span: source.TextSpan(), Supported: SupportedSourceKinds[t.Foreign.Sort],
		}, true
	}
	return u, false
}

// ABLSource returns how an ABL tool uses a source; ok is false if it names none.
func ABLSource(t PositionedTool) (u SourceUse, ok bool) {
	p, has := t.Property("source")
	word, plain := p.PlainName()
	if !has || !plain {
		return u, false
	}
	kind := string(t.Kind())
	return SourceUse{Tool: "`type: " + kind + "`", Name: word.Text, Span: word.Span.Shift(t.Offset), Supported: SupportedSourceKinds[kind]}, true
}

// SourceKinds returns the kinds of the sources that a file can name, by name: its own sources, and
// those of abl.yaml, which may have another kind in each environment.
func SourceKinds(w Workspace, f *File) map[string][]string {
	kinds := map[string][]string{}
	if in, _ := w.Project(f.Path); in != nil && in.Project != nil {
		table, _ := in.Project.Table(projectfile.Sources)
		for _, e := range table.Entries {
			if e.Kind != "" {
				kinds[e.Name] = append(kinds[e.Name], e.Kind)
			}
		}
	}
	if f.Foreign == nil {
		return kinds
	}
	for _, m := range f.Foreign.Project.Object(projectfile.Sources) {
		if kind := KindOfSource(m); kind != "" {
			kinds[m.Name] = append(kinds[m.Name], kind)
		}
	}
	return kinds
}

// KindOfSource returns the kind that a source of a Toolbox file has; "" if it has none.
func KindOfSource(source tool.Member) string {
	keys, _ := source.Value.(tool.Object)
	return keys.Text("kind")
}

// SupportedSources returns the names of the sources that a tool with these kinds supports; all
// names if it supports none of them.
func SupportedSources(names []string, kinds map[string][]string, wants []string) []string {
	fit := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !SourceUse{Kinds: kinds[name], Supported: wants}.Fits()
	})
	if len(fit) == 0 {
		return names
	}
	return fit
}
