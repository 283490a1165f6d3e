package literal

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

// Tree converts root, a value that was read from lines, into a document of YAML, so that the same
// functions find what is at a cursor.
func Tree(lines *text.Lines, root foreign.Node) *yaml.Document {
	t := tree{lines.Text()}
	return yaml.NewDocument(lines, t.node(root, root.Span.Start))
}

type tree struct{ source string }

// node converts a value. at is the offset of a value that is missing.
func (t tree) node(n foreign.Node, at int) *yaml.Node {
	out := &yaml.Node{Kind: treeKinds[n.Kind], Text: n.Text, Span: n.Span}
	switch out.Alias = n.Alias; {
	case n.Alias != "": // its place is elsewhere
	case n.Kind == foreign.Missing:
		out.Span = text.Span{Start: at, End: at}
	case n.Kind == foreign.Map, n.Kind == foreign.List:
		out.Style, out.Unclosed = yaml.Flow, !t.ends(n.Span, "}") && !t.ends(n.Span, "]")
	case n.Kind == foreign.String:
		t.quote(out)
	case n.Kind == foreign.Computed:
		out.Incomplete, out.Text = true, ""
	}
	for _, item := range n.Items {
		out.Items = append(out.Items, t.node(item, item.Span.Start))
	}
	seen := make(map[string]bool, len(n.Members))
	var merged []yaml.Member
	for _, m := range n.Members {
		member := t.member(m)
		if member.Merged = m.Merged; m.Merged {
			merged = append(merged, member)
			continue
		}
		member.Duplicate, seen[m.Key] = seen[m.Key], true
		out.Members = append(out.Members, member)
	}
	out.Members = append(out.Members, merged...)
	return out
}

var treeKinds = map[foreign.Kind]yaml.Kind{
	foreign.Bool: yaml.Bool, foreign.Number: yaml.Float, foreign.String: yaml.String, foreign.Computed: yaml.String,
	foreign.List: yaml.List, foreign.Map: yaml.Map,
}

func (t tree) ends(s text.Span, with string) bool {
	return s.Len() > 1 && strings.HasSuffix(t.source[s.Start:s.End], with)
}

func (t tree) member(m foreign.Member) yaml.Member {
	key := &yaml.Node{Kind: yaml.String, Text: m.Key, Span: m.KeySpan}
	t.quote(key)
	out := yaml.Member{Key: key, Colon: t.colon(m)}
	out.Value = t.node(m.Value, max(out.Colon+1, m.KeySpan.End))
	return out
}

// quote sets the quotes of a text.
func (t tree) quote(n *yaml.Node) {
	if n.Span.Empty() {
		return
	}
	switch quote := t.source[n.Span.Start : n.Span.Start+1]; quote {
	case `"`:
		n.Style, n.Unclosed = yaml.DoubleQuoted, !t.ends(n.Span, quote)
	case "'", "`":
		n.Style, n.Unclosed = yaml.SingleQuoted, !t.ends(n.Span, quote)
	}
}

// colon returns the offset of the colon after a key, -1 if there is none.
func (t tree) colon(m foreign.Member) int {
	end := min(max(m.Value.Span.Start, m.KeySpan.End), len(t.source))
	if m.Value.Kind == foreign.Missing {
		end = len(t.source)
	}
	between := t.source[m.KeySpan.End:end]
	i := strings.IndexByte(between, ':')
	if i < 0 || m.Value.Kind == foreign.Missing && strings.TrimSpace(between[:i]) != "" {
		return -1
	}
	return m.KeySpan.End + i
}
