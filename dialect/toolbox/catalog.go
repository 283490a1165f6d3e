package toolbox

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// catalogTool is a kind of tools that list what a database has: Toolbox has their statements, and
// this program has its own.
type catalogTool struct {
	kind, doc string
	params    []catalogParam
	statement string

	needsDescription bool // Toolbox has none of its own
}

// catalogParam is a parameter of a catalogTool, which a call may leave out.
type catalogParam struct {
	name, typ, fallback, doc string
	words                    []string // that it may be; nil: any
}

// The parameters that several kinds have.
var (
	limit10     = catalogParam{name: "limit", typ: "integer", fallback: "10", doc: "How many rows at most"}
	limit50     = catalogParam{name: "limit", typ: "integer", fallback: "50", doc: "How many rows at most"}
	limit100    = catalogParam{name: "limit", typ: "integer", fallback: "100", doc: "How many rows at most"}
	tableNames  = catalogParam{name: "table_names", typ: "string", fallback: `""`, doc: "The names of tables, with commas between them; all if empty"}
	tableDetail = catalogParam{name: "output_format", typ: "string", fallback: `"detailed"`, doc: "simple for the names alone, or detailed", words: []string{"simple", "detailed"}}
	tableSchema = catalogParam{name: "table_schema", typ: "string", fallback: `""`, doc: "The database; all if empty"}
)

// partOf is a parameter with a part of a name, which may have the signs of LIKE.
func partOf(name, what string) catalogParam {
	return catalogParam{name: name, typ: "string", fallback: `""`, doc: "A part of the name of the " + what}
}

// catalogKind returns the table's row for a kind; nil if there is none.
func catalogKind(kind string) *catalogTool {
	if !strings.HasPrefix(kind, "postgres-list-") && !strings.HasPrefix(kind, "mysql-list-") {
		return nil
	}
	all := catalogTools()
	if i := slices.IndexFunc(all, func(c catalogTool) bool { return c.kind == kind }); i >= 0 {
		return &all[i]
	}
	return nil
}

// catalogWords returns the kinds as words of the schema.
func catalogWords() []tool.Word {
	var words []tool.Word
	for _, c := range catalogTools() {
		words = append(words, tool.Word{Name: c.kind, Doc: c.doc})
	}
	return words
}

func catalogKinds() []string { return tool.WordNames(catalogWords()) }

func (c *catalogTool) toolParams() []tool.Param {
	params := make([]tool.Param, len(c.params))
	for i, p := range c.params {
		params[i] = tool.Param{Name: p.name, Type: &tool.Type{Name: p.typ}, Description: p.doc, Optional: true}
		if p.fallback != "" {
			params[i].Default = json.RawMessage(p.fallback)
		}
		for _, word := range p.words {
			params[i].AllowedValues = append(params[i].AllowedValues, json.RawMessage(`"`+word+`"`))
		}
	}
	return params
}

// readCatalog reads a tool whose kind has the statement and the parameters.
func (r *reader) readCatalog() {
	c := catalogKind(r.entry.kind.Value.Text)
	r.props["type"], r.props["statement"] = "sql", strings.TrimSpace(c.statement)
	r.readRequired("source", "source")
	if !r.entry.body.Get("description").IsSingle() {
		r.props["description"] = c.doc
	}
	r.tool.Tool.Params = c.toolParams()
	r.tool.Params = make([]text.Span, len(c.params))
	for i := range r.tool.Params {
		r.tool.Params[i] = r.entry.at
	}
}

// catalogOf returns the kind of Toolbox's tools that a tool on a source of this kind is; nil if it is
// none.
func catalogOf(sourceKind string, t tool.Tool, s *tool.SQL) *catalogTool {
	for _, c := range catalogTools() {
		if strings.HasPrefix(c.kind, sourceKind+"-list-") && strings.TrimSpace(s.Statement) == strings.TrimSpace(c.statement) && reflect.DeepEqual(t.Params, c.toolParams()) {
			return &c
		}
	}
	return nil
}
