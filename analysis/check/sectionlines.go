package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The forms of lines outside of TOOLS, for syntax-error: only where it is
// certain that a line is none.

// keylessEntry finds a line without a key in a section that has nothing but keys.
func keylessEntry(out *findings, e Entry) {
	row := analysis.SectionRow(e.Kind, e.Section)
	strict := row != nil && row.Type == tool.Block && !row.Open && !row.OneLine
	if strict && e.Root.Kind() == syntax.Scalar && !isPlatformComment(e.Root) {
		out.err(firstLine(e.Root), "`%s` fits no form; a line here reads `name: value`.", firstWords(e.Root))
	}
}

// linesOfMap looks at what stands below the values of a place, and at its lines
// without a key.
func linesOfMap(out *findings, m analysis.Map) {
	for i, p := range m.Properties {
		if !m.Item || i > 0 {
			belowScalar(out, m, p)
		}
	}
	if m.Row == nil || m.Single || m.Item || m.Open || m.Row.Type != tool.Block || len(m.Properties) == 0 {
		return
	}
	keyless(out, m)
}

// belowScalar finds lines below a single value. A text may go on there, unless
// it is in quotes, or the lines are keys that belong beside it.
func belowScalar(out *findings, m analysis.Map, p analysis.Property) {
	if p.Field == nil || !p.Field.Type.IsSingle() || len(p.Field.Fields) > 0 || p.Value.IsZero() || p.Block().IsZero() || p.Value.Kind() == syntax.PipeBlock {
		return
	}
	bare := p.Field.Type != tool.String && p.Field.Type != tool.Expr
	if opensString(p.Value.Text()) || !bare && p.Value.Kind() != syntax.String && !holdsKeys(p.Node, m.Fields) {
		return
	}
	blockBelow(out, p.Node, "`"+p.Name()+"` takes its value on its own line, and nothing below.")
}

// holdsKeys reports whether the lines below n are keys of those rows.
func holdsKeys(n syntax.Node, fields []tool.Field) bool {
	some := false
	for c := range n.Entries() {
		if row, _ := tool.Find(fields, c.Key()); row == nil || c.Kind() != syntax.Pair {
			return false
		}
		some = true
	}
	return some
}

// keyless finds lines of a map that have no key: where the map has nothing but
// keys, any; else those that begin with one and lack its colon.
func keyless(out *findings, m analysis.Map) {
	rest := false
	for c := range m.Node.Entries() {
		if c.Kind() != syntax.Scalar {
			v := c.Value()
			rest = v.Kind() == syntax.Text && (opensString(v.Text()) || opensBracket(v.Text(), false))
			continue
		}
		word, _, _ := strings.Cut(c.Text(), " ")
		known, _ := tool.Find(m.Fields, word)
		if !rest && !isPlatformComment(c) && (known != nil || !m.Row.OneLine) {
			out.err(firstLine(c), "`%s` fits no form; a line here reads `name: value`.", firstWords(c))
		}
	}
}
