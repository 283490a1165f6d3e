package model

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Word is a part of an entry's text, without quotes; the span is relative to
// the entry.
type Word struct {
	Text string
	Span text.Span
}

// Words returns the words of the value: of a list in brackets, in a block or on the line with
// commas, or the single word.
func (p Property) Words() []Word {
	var out []Word
	for _, w := range ListWords(p.Node) {
		if w.Text != "" {
			out = append(out, w)
		}
	}
	return out
}

func wordOf(s string, in text.Span, at int) Word {
	return Word{s[in.Start:in.End], in.Shift(at)}
}

// UnquotedWord returns a node's text without its quotes and the space around it.
func UnquotedWord(n syntax.Node) Word {
	s, span := n.Text(), n.Span()
	isKey := n.Kind() == syntax.Key || n.Kind() == syntax.StepName
	if n.Kind() == syntax.String && len(s) >= 2 || isKey && syntax.Unquote(s) != s {
		return Word{s[1 : len(s)-1], text.Span{Start: span.Start + 1, End: span.End - 1}}
	}
	return trimWord(Word{s, span})
}

func trimWord(w Word) Word {
	left := strings.TrimLeft(w.Text, " \t")
	w.Span.Start += len(w.Text) - len(left)
	w.Text = strings.TrimRight(left, " \t")
	w.Span.End = w.Span.Start + len(w.Text)
	return w
}

// ListWords returns the words of a key's value; see [Property.Words].
func ListWords(n syntax.Node) []Word {
	var out []Word
	switch v := n.Value(); v.Kind() {
	case syntax.Other:
		for item := range n.BlockChildren() {
			if item.Kind() != syntax.ListItem {
				continue
			}
			for line := range item.BlockChildren() {
				out = append(out, UnquotedWord(line.Value()))
				break
			}
		}
	case syntax.List:
		for item := range v.Children() {
			out = append(out, UnquotedWord(item))
		}
	case syntax.Text: // perhaps a list that is not closed yet
		s := strings.TrimPrefix(v.Text(), "[")
		return splitWords(s, v.Span().Start+len(v.Text())-len(s))
	default:
		out = append(out, UnquotedWord(v))
	}
	return out
}

// splitWords returns the words between the commas of a text that begins at an offset.
func splitWords(s string, at int) []Word {
	var out []Word
	for part := range strings.SplitSeq(s, ",") {
		out = append(out, trimWord(Word{part, text.Span{Start: at, End: at + len(part)}}))
		at += len(part) + 1
	}
	return out
}

// keyWords returns the keys of a map, and those in the items of a list.
func keyWords(n syntax.Node) []Word {
	var out []Word
	for c := range KeyedNodes(n, true) {
		out = append(out, UnquotedWord(KeyOf(c)))
	}
	return out
}

// Matches returns the first group of each match of a pattern in a node's text.
func Matches(p *lazyregexp.Regexp, n syntax.Node) []Word {
	var out []Word
	s := n.Text()
	for _, m := range p.FindAllStringSubmatchIndex(s, -1) {
		out = append(out, wordOf(s, text.Span{Start: m[2], End: m[3]}, n.Span().Start))
	}
	return out
}

// PlainName returns the value if it is a name; ok is false if there is none, or it is known at run
// time only.
func (p Property) PlainName() (name Word, ok bool) {
	if p.Value.IsZero() {
		return Word{}, false
	}
	written := p.Value.EmbeddedText()
	s := strings.TrimSpace(written.Text)
	unclosed := strings.HasPrefix(s, `"`) || strings.HasPrefix(s, `'`)
	if s == "" || unclosed || strings.Contains(s, "{{") || strings.ContainsAny(s, "\r\n") {
		return Word{}, false
	}
	start := strings.Index(written.Text, s)
	return Word{s, written.Span(text.Span{Start: start, End: start + len(s)})}, true
}
