package abl

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

// writer collects lines and what ABL cannot express.
type writer struct {
	b            strings.Builder
	lost         []string
	placeholders *strings.Replacer // old names in braces to new ones
}

func (w *writer) writeLine(depth int, s string) {
	w.b.WriteString(strings.Repeat("  ", depth) + s + "\n")
}

// writeProperty writes a value as its row demands; a missing value is not written.
func (w *writer) writeProperty(depth int, row tool.Field, n foreign.Node) {
	if !n.IsSet() {
		return
	}
	switch row.Type {
	case tool.ListType:
		w.writePair(depth, row.Name, n)
	case tool.MapType:
		w.writeMap(depth, row, n)
	case tool.Block:
		if row.Open {
			w.writePair(depth, row.Name, n)
		} else {
			w.writeBlock(depth, row, n)
		}
	case tool.BlockList:
		w.writeLine(depth, row.Name+":")
		for _, item := range n.Items {
			w.writeItem(depth+1, row, item)
		}
	case tool.WordType:
		w.writeLine(depth, row.Name+": "+wordText(n.Text))
	case tool.AnyType:
		w.writeAny(depth, row, n)
	case tool.CodeType:
		w.writeSource(depth, row.Name, w.placeholders.Replace(n.Text))
	default:
		w.writeSingle(depth, row, n)
	}
}

// writeSingle writes a text, a number or a boolean.
func (w *writer) writeSingle(depth int, row tool.Field, n foreign.Node) {
	switch {
	case row.Type == tool.NumberType && plainNumber.MatchString(n.Text), row.Type == tool.BooleanType && isFlag(n.Text):
		w.writeLine(depth, row.Name+": "+n.Text)
	case row.Name != "description" && isUnquotedWord(n.Text):
		w.writeLine(depth, row.Name+": "+n.Text)
	case row.Name == "description":
		w.writeText(depth, row.Name, n.Text)
	default:
		w.writeText(depth, row.Name, w.placeholders.Replace(n.Text))
	}
}

func isFlag(s string) bool { return s == "true" || s == "false" }

// writeText writes a text: as a block if it has several lines, else in quotes.
func (w *writer) writeText(depth int, key, s string) {
	if strings.Contains(s, "\n") {
		w.writeSource(depth, key, s)
		return
	}
	w.writeLine(depth, key+": "+w.quoted(s))
}

// writeSource writes a text as a block, if a block can hold it.
func (w *writer) writeSource(depth int, key, s string) {
	if !isBlock(s) {
		w.writeLine(depth, key+": "+w.quoted(s))
		return
	}
	w.writeLine(depth, key+": |")
	for line := range strings.SplitSeq(s, "\n") {
		if line == "" {
			w.b.WriteByte('\n')
		} else {
			w.writeLine(depth+1, line)
		}
	}
}

func (w *writer) quoted(s string) string {
	clean := unprintable.ReplaceAllString(s, " ")
	if clean != s {
		w.reportLoss("Control characters in a text are spaces now.")
	}
	return quote(clean)
}

// writeBlock writes the properties of a row that has keys of its own.
func (w *writer) writeBlock(depth int, row tool.Field, n foreign.Node) {
	w.writeLine(depth, row.Name+":")
	for _, f := range row.Fields {
		w.writeProperty(depth+1, f, n.Get(f.Name))
	}
}

// writeItem writes one block of a list, with its first line after the dash.
func (w *writer) writeItem(depth int, row tool.Field, n foreign.Node) {
	in := writer{placeholders: w.placeholders}
	for _, f := range row.Fields {
		in.writeProperty(depth+1, f, n.Get(f.Name))
	}
	w.lost = append(w.lost, in.lost...)
	indent := strings.Repeat("  ", depth)
	w.b.WriteString(strings.Replace(in.b.String(), indent+"  ", indent+"- ", 1))
}

// writeMap writes names with single values, in their order.
func (w *writer) writeMap(depth int, row tool.Field, n foreign.Node) {
	members := n.Members
	for _, item := range n.Items {
		key, value := item.Get("key"), item.Get("value")
		if item.Has("expr") {
			key, value = item.Get("name"), item.Get("expr")
		}
		members = append(members, foreign.Member{Key: key.Text, Value: value})
	}
	if len(row.Fields) > 0 && repeats(members) {
		w.writeLine(depth, row.Name+":")
		for _, item := range n.Items {
			w.writeItem(depth+1, row, item)
		}
		return
	}
	if len(members) == 0 {
		w.writeLine(depth, row.Name+": {}")
		return
	}
	w.writeLine(depth, row.Name+":")
	for _, m := range members {
		s := w.placeholders.Replace(m.Value.Text)
		if isUnquotedWord(s) && row.Name == "set" {
			w.writeLine(depth+1, keyText(m.Key)+": "+s)
		} else {
			w.writeText(depth+1, keyText(m.Key), s)
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

// writeAny writes a value of any form; a schema as JSON.
func (w *writer) writeAny(depth int, row tool.Field, n foreign.Node) {
	if n.Kind == foreign.Map && strings.HasSuffix(row.Name, "_schema") {
		if lines := indent.Text(n.JSON()); isBlock(lines) {
			w.writeSource(depth, row.Name, lines)
			return
		}
	}
	w.writePair(depth, row.Name, n)
}

// writePair writes a key with any value: a map below it, everything else on its line.
func (w *writer) writePair(depth int, key string, n foreign.Node) {
	switch {
	case n.Kind == foreign.String && isUnquotedWord(n.Text):
		w.writeLine(depth, keyText(key)+": "+n.Text)
	case n.Kind == foreign.String:
		w.writeText(depth, keyText(key), w.placeholders.Replace(n.Text))
	case n.Kind == foreign.Map && len(n.Members) > 0:
		w.writeLine(depth, keyText(key)+":")
		for _, m := range n.Members {
			w.writePair(depth+1, m.Key, m.Value)
		}
	default:
		w.writeLine(depth, keyText(key)+": "+w.placeholders.Replace(ablInline(n)))
	}
}
