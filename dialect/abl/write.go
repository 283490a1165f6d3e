package abl

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

// writer puts lines together.
type writer struct {
	b            strings.Builder
	lost         []string
	placeholders *strings.Replacer // old names in braces to new ones
}

func (w *writer) line(depth int, s string) {
	w.b.WriteString(strings.Repeat("  ", depth) + s + "\n")
}

// property writes a value as its row asks for; nothing for a missing one.
func (w *writer) property(depth int, row tool.Field, n foreign.Node) {
	if !n.IsSet() {
		return
	}
	switch row.Type {
	case tool.ListType:
		w.pair(depth, row.Name, n)
	case tool.MapType:
		w.mapped(depth, row, n)
	case tool.Block:
		if row.Open {
			w.pair(depth, row.Name, n)
		} else {
			w.block(depth, row, n)
		}
	case tool.BlockList:
		w.line(depth, row.Name+":")
		for _, item := range n.Items {
			w.item(depth+1, row, item)
		}
	case tool.WordType:
		w.line(depth, row.Name+": "+wordText(n.Text))
	case tool.AnyType:
		w.anything(depth, row, n)
	case tool.CodeType:
		w.source(depth, row.Name, w.placeholders.Replace(n.Text))
	default:
		w.single(depth, row, n)
	}
}

// single writes a text, a number or a boolean.
func (w *writer) single(depth int, row tool.Field, n foreign.Node) {
	switch {
	case row.Type == tool.NumberType && plainNumber.MatchString(n.Text), row.Type == tool.BooleanType && isFlag(n.Text):
		w.line(depth, row.Name+": "+n.Text)
	case row.Name != "description" && isBare(n.Text):
		w.line(depth, row.Name+": "+n.Text)
	case row.Name == "description":
		w.text(depth, row.Name, n.Text)
	default:
		w.text(depth, row.Name, w.placeholders.Replace(n.Text))
	}
}

func isFlag(s string) bool { return s == "true" || s == "false" }

// text writes a text: as a block where it has lines, else in quotes.
func (w *writer) text(depth int, key, s string) {
	if strings.Contains(s, "\n") {
		w.source(depth, key, s)
		return
	}
	w.line(depth, key+": "+w.quoted(s))
}

// source writes a text as a block, if a block can hold it.
func (w *writer) source(depth int, key, s string) {
	if !isBlock(s) {
		w.line(depth, key+": "+w.quoted(s))
		return
	}
	w.line(depth, key+": |")
	for line := range strings.SplitSeq(s, "\n") {
		if line == "" {
			w.b.WriteByte('\n')
		} else {
			w.line(depth+1, line)
		}
	}
}

func (w *writer) quoted(s string) string {
	clean := unprintable.ReplaceAllString(s, " ")
	if clean != s {
		w.lose("Control characters in a text are spaces now.")
	}
	return quote(clean)
}

// block writes the properties of a row with keys of its own.
func (w *writer) block(depth int, row tool.Field, n foreign.Node) {
	w.line(depth, row.Name+":")
	for _, f := range row.Fields {
		w.property(depth+1, f, n.Get(f.Name))
	}
}

// item writes one block of a list: the first line behind the dash.
func (w *writer) item(depth int, row tool.Field, n foreign.Node) {
	in := writer{placeholders: w.placeholders}
	for _, f := range row.Fields {
		in.property(depth+1, f, n.Get(f.Name))
	}
	w.lost = append(w.lost, in.lost...)
	indent := strings.Repeat("  ", depth)
	w.b.WriteString(strings.Replace(in.b.String(), indent+"  ", indent+"- ", 1))
}

// mapped writes names with single values, in the order they have.
func (w *writer) mapped(depth int, row tool.Field, n foreign.Node) {
	members := n.Members
	for _, item := range n.Items {
		key, value := item.Get("key"), item.Get("value")
		if item.Has("expr") {
			key, value = item.Get("name"), item.Get("expr")
		}
		members = append(members, foreign.Member{Key: key.Text, Value: value})
	}
	if len(row.Fields) > 0 && repeats(members) {
		w.line(depth, row.Name+":")
		for _, item := range n.Items {
			w.item(depth+1, row, item)
		}
		return
	}
	if len(members) == 0 {
		w.line(depth, row.Name+": {}")
		return
	}
	w.line(depth, row.Name+":")
	for _, m := range members {
		s := w.placeholders.Replace(m.Value.Text)
		if isBare(s) && row.Name == "set" {
			w.line(depth+1, keyText(m.Key)+": "+s)
		} else {
			w.text(depth+1, keyText(m.Key), s)
		}
	}
}

func repeats(members []foreign.Member) bool {
	seen := map[string]bool{}
	for _, m := range members {
		if seen[m.Key] {
			return true
		}
		seen[m.Key] = true
	}
	return false
}

// anything writes a value of no fixed shape; a schema as the JSON that it is.
func (w *writer) anything(depth int, row tool.Field, n foreign.Node) {
	if n.Kind == foreign.Map && strings.HasSuffix(row.Name, "_schema") {
		if lines := indent.Text(n.JSON()); isBlock(lines) {
			w.source(depth, row.Name, lines)
			return
		}
	}
	w.pair(depth, row.Name, n)
}

// pair writes a key with any value: maps below it, everything else on its line.
func (w *writer) pair(depth int, key string, n foreign.Node) {
	switch {
	case n.Kind == foreign.String && isBare(n.Text):
		w.line(depth, keyText(key)+": "+n.Text)
	case n.Kind == foreign.String:
		w.text(depth, keyText(key), w.placeholders.Replace(n.Text))
	case n.Kind == foreign.Map && len(n.Members) > 0:
		w.line(depth, keyText(key)+":")
		for _, m := range n.Members {
			w.pair(depth+1, m.Key, m.Value)
		}
	default:
		w.line(depth, keyText(key)+": "+w.placeholders.Replace(inline(n)))
	}
}
