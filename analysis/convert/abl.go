package convert

import (
	"slices"
	"sort"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/agentyaml"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// ToABL converts an agent in YAML. The spans of what is lost are in the YAML.
func ToABL(f *model.File) Result {
	doc := f.Written().YAML
	agent := agentyaml.Generate(doc, nil)
	r := Result{Text: withBlankLines(agent.ABL, agent.Pieces, doc)}
	for _, fault := range doc.Faults() {
		r.lose(fault.Span, "This is a mistake in the source: "+fault.Message)
	}
	r.loseBelow(section.YAMLAgent(), doc.Root())
	r.loseMisread(doc.Root())
	sortLosses(r.Lost)
	return r
}

// withBlankLines returns a generated text with the blank lines that its source has above what the
// pieces stand for. Those inside a text are part of it already.
func withBlankLines(generated string, pieces []text.Piece, source *yaml.Document) string {
	var b strings.Builder
	scalars := scalarSpans(nil, source.Root())
	isInText := func(offset int) bool {
		i := sort.Search(len(scalars), func(i int) bool { return scalars[i].End > offset })
		return i < len(scalars) && scalars[i].Start < offset
	}
	lines, afterBlank := text.NewLines(generated), true
	for line := range lines.LineCount() {
		span := lines.LineText(line)
		for len(pieces) > 0 && int(pieces[0].Generated.Start) < span.Start {
			pieces = pieces[1:]
		}
		first := len(pieces) > 0 && int(pieces[0].Generated.Start) <= span.End
		if first && !afterBlank && isBlankAbove(source.Lines(), int(pieces[0].Source.Start)) && !isInText(int(pieces[0].Source.Start)) {
			b.WriteByte('\n')
		}
		afterBlank = strings.TrimSpace(generated[span.Start:span.End]) == ""
		b.WriteString(generated[span.Start:span.End])
		if span.End < len(generated) {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// scalarSpans appends the spans of the single values in a value, in order.
func scalarSpans(all []text.Span, n *yaml.Node) []text.Span {
	if n.IsScalar() {
		return append(all, n.Span)
	}
	for _, m := range n.OwnMembers() {
		all = scalarSpans(all, m.Value)
	}
	for _, item := range n.Items {
		all = scalarSpans(all, item)
	}
	return all
}

func (r *Result) lose(span text.Span, message string) {
	r.Lost = append(r.Lost, Loss{span, message})
}

// loseBelow notes what ABL has no form for in a value with that row.
func (r *Result) loseBelow(row *tool.Field, n *yaml.Node) {
	if n.Anchor != "" {
		r.lose(n.Span, "ABL has no anchors: `&"+n.Anchor+"` would be lost, and each alias of it written out.")
	}
	if n.Alias != "" {
		r.lose(n.Span, "ABL has no aliases: `*"+n.Alias+"` would be written out.")
		return
	}
	if kind := n.Get("kind").StringValue(); n.Get("severity").StringValue() == "warning" && (kind == "limit" || kind == "restrict") {
		r.lose(n.Member("kind").Key.Span, "ABL has no rule that is both a warning and `"+kind+"`: the kind would be lost.")
	}
	if len(n.OwnMembers()) < len(n.Members) {
		r.lose(n.Span, "ABL has no merge keys: what `<<` merges into this map would be written out.")
	}
	for _, m := range n.OwnMembers() {
		switch below := projectfile.KeyField(row, m.Key.Text); {
		case below == nil && len(row.Fields) > 0 && !row.Open, m.Duplicate:
			r.lose(m.Key.Span, "The platform ignores `"+m.Key.Text+"` here, and it would be lost.")
		case below != nil && isOnlyInYAML(row, below):
			r.lose(m.Key.Span, "`"+m.Key.Text+"` has no form in ABL and would be lost.")
		case below != nil && !takes(below, m.Value):
			r.lose(m.Value.Span, "The platform ignores "+m.Value.Kind.String()+" as the value of `"+m.Key.Text+"`, and it would be lost.")
		case below != nil:
			r.loseBelow(below, m.Value)
		}
	}
	item := projectfile.ItemField(row)
	for _, one := range n.Items {
		switch {
		case one.Kind == yaml.Null && !one.IsEmpty() && item != nil:
			r.lose(one.Span, "ABL has no null in a list: it would be lost.")
		case item != nil:
			r.loseBelow(item, one)
		}
	}
}

// onlyInYAML are the keys that ABL does not have, by the map that they are in.
var onlyInYAML = map[string][]string{
	"agent":        {"mode", "nlu"},
	"goal":         {"measurable"},
	"parameters":   {"validate"},
	"tool_results": {"structured_threshold", "max_description_length", "essential_fields", "summarize_prompt"},
}

// loseRefusedDefaults notes the defaults that are equal in ABL, but that the platform refuses there.
func (r *Result) loseRefusedDefaults(root *yaml.Node) {
	for _, one := range itemsOf(root, "tools") {
		for _, parameter := range itemsOf(one, "parameters") {
			if preset := parameter.Get("default"); preset != nil && hasClosingBracket(preset) {
				r.lose(preset.Span, "The platform takes a `)` in a default for the end of the parameters in ABL, and refuses the tool.")
			}
		}
	}
}

// itemsOf returns the items of the list that a key has, nil if there is none.
func itemsOf(n *yaml.Node, key string) []*yaml.Node {
	if list := n.Get(key); list != nil {
		return list.Items
	}
	return nil
}

// hasClosingBracket reports whether a text in a value has a `)`.
func hasClosingBracket(n *yaml.Node) bool {
	return strings.Contains(n.Text, ")") || slices.ContainsFunc(n.Items, hasClosingBracket) ||
		slices.ContainsFunc(n.Members, func(m yaml.Member) bool { return hasClosingBracket(m.Key) || hasClosingBracket(m.Value) })
}

// isOnlyInYAML reports whether ABL does not have a key of the map with that row.
func isOnlyInYAML(row, key *tool.Field) bool { return slices.Contains(onlyInYAML[row.Name], key.Name) }

// takes reports whether a value of that kind is written in ABL. A number as a text is, though the
// platform drops it where only texts count.
func takes(row *tool.Field, n *yaml.Node) bool {
	return n.Kind == yaml.Null || n.Alias != "" || row.OnlyText && n.IsScalar() || projectfile.HasShape(row, n)
}
