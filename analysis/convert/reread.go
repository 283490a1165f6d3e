package convert

import (
	"slices"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/section"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// writtenText is a text in an agent in YAML.
type writtenText struct {
	node *yaml.Node
	path string // the keys and numbers that lead to it
	row  *tool.Field
}

// loseMisread notes the texts of an agent that are others once the ABL text is read.
func (r *Result) loseMisread(root *yaml.Node) {
	back := ToYAML(model.NewFile("agent.agent.abl", syntax.Parse(r.Text), nil))
	inBack := textsBelow(nil, section.YAMLAgent(), yaml.ParseLines(text.NewLines(back.Text)).Root(), "")
	byPath := map[string]*yaml.Node{}
	counts := map[string]int{} // of the texts that are not found at their own path
	for _, one := range inBack {
		byPath[one.path] = one.node
		counts[one.comparable()]++
	}
	var others []writtenText // that are not at their own path
	for _, one := range textsBelow(nil, section.YAMLAgent(), root, "") {
		if n := byPath[one.path]; n != nil && one.comparable() == (writtenText{n, one.path, one.row}).comparable() {
			counts[one.comparable()]--
		} else {
			others = append(others, one)
		}
	}
	for _, one := range others {
		if counts[one.comparable()]--; counts[one.comparable()] < 0 && !r.hasLossAt(one.node.Span) {
			r.lose(one.node.Span, "ABL has no form that is read as this text: it would change.")
		}
	}
}

// hasLossAt reports whether something that is lost has a span in it.
func (r *Result) hasLossAt(span text.Span) bool {
	for _, loss := range r.Lost {
		if loss.Span.Start <= span.Start && span.End <= loss.Span.End {
			return true
		}
	}
	return false
}

// comparable returns what must stay of the text: of an expression, all but the number of its blanks.
func (t writtenText) comparable() string {
	if t.row != nil && t.row.Type == tool.Expr {
		return strings.Join(strings.Fields(t.node.Text), " ")
	}
	return strings.TrimRight(t.node.Text, "\n")
}

// hasOtherForm are the keys whose values ABL has in another form, as part of a signature or of a rule.
var hasOtherForm = []string{"returns", "before"}

// textsBelow appends the texts that a value with that row has.
func textsBelow(all []writtenText, row *tool.Field, n *yaml.Node, path string) []writtenText {
	isExpression := row != nil && row.Type == tool.Expr && n.IsScalar() && n.Kind != yaml.Null
	if (n.Kind == yaml.String || isExpression) && n.Alias == "" && (row == nil || len(row.Values) == 0) {
		return append(all, writtenText{n, path, row})
	}
	for _, m := range n.OwnMembers() {
		var below *tool.Field
		if row != nil {
			below = projectfile.KeyField(row, m.Key.Text)
		}
		isDropped := below == nil && row != nil && len(row.Fields) > 0 && !row.Open || below != nil && (isOnlyInYAML(row, below) || !takes(below, m.Value))
		if !isDropped && !m.Duplicate && (below == nil || !slices.Contains(hasOtherForm, below.Name)) {
			all = textsBelow(all, below, m.Value, path+"."+m.Key.Text)
		}
	}
	for i, item := range n.Items {
		var below *tool.Field
		if row != nil {
			below = projectfile.ItemField(row)
		}
		all = textsBelow(all, below, item, path+"."+strconv.Itoa(i))
	}
	return all
}
