package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Look-up tables, for invalid-value and missing-property.

// wrongTableName: a table's name is a slug.
func wrongTableName(out *findings, p model.Property) {
	if name := p.WrittenName(); p.IsAuthorName && !isSlug(name) {
		out.err(p.Key.Span(), "`%s` is no name of a table: lower-case letters, digits and `_`, beginning with no digit.", name)
	}
}

var absoluteURL = lazyregexp.New(`(?i)^([a-z][a-z0-9+.-]*://\S|\{\{)`)

// wrongTable looks at the address and the timeout of a table.
func wrongTable(out *findings, m model.Map) {
	if !isTable(m) {
		return
	}
	if p, ok := keyOfMap(m, "endpoint"); ok && sourceOf(m) == "api" && p.Text() != "" && !absoluteURL.MatchString(p.Text()) {
		out.err(firstLine(p.Value), "`endpoint` is an absolute address, such as `https://api.example.com/places`.")
	}
	if p, ok := keyOfMap(m, "timeout_ms"); ok {
		if n, isNumber := tool.Number(p.Text()).Float(); isNumber && n <= 0 {
			out.err(p.Value.Span(), "`timeout_ms` must be more than 0.")
		}
	}
}

func isTable(m model.Map) bool {
	has, _ := tool.Find(m.Fields, "fuzzy_match")
	return has != nil && !m.Single
}

// sourceOf returns the source of a table: `inline`, `collection`, `api`, or any other word that is
// written.
func sourceOf(m model.Map) string {
	p, _ := keyOfMap(m, "source")
	word := strings.ToLower(p.Text())
	if today := oldSources[word]; today != "" {
		return today
	}
	return word
}

// missingInTable: a table of the project has its name, one of an API its address.
func missingInTable(out *findings, e Entry, m model.Map) {
	if e.Section != "LOOKUP_TABLES" || !isTable(m) {
		return
	}
	needed := map[string]string{"collection": "table_name", "api": "endpoint"}[sourceOf(m)]
	if needed == "" {
		return
	}
	if p, ok := keyOfMap(m, needed); !ok || p.IsEmpty() {
		source, _ := keyOfMap(m, "source")
		out.err(source.Key.Span(), "A table of `source: %s` needs `%s`; add `%s: …`.", source.Text(), needed, needed)
	}
}
