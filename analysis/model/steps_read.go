package model

import (
	"iter"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// readFlowEntry reads one line of FLOW with its block.
func (r *actionReader) readFlowEntry(n syntax.Node) {
	switch n.Kind() {
	case syntax.SectionNode:
		if v := n.Value(); !v.IsZero() {
			r.readChain(UnquotedWord(v))
		}
	case syntax.Mapping, syntax.Scalar:
		r.readChain(line(n))
	case syntax.ListItem:
		r.readStepItem(n)
	default:
		if n.KeyNode().IsZero() {
			r.addUnknownWords(n.Text())
			return
		}
		r.readFlowPair(n)
	}
}

func (r *actionReader) readFlowPair(n syntax.Node) {
	switch strings.ToUpper(n.Key()) {
	case "ENTRY_POINT":
		if v := n.Value(); !v.IsZero() {
			entry := targetOf("ENTRY_POINT", ToStep, v)
			r.flow.entry = &entry
		}
	case "STEPS":
		before := len(r.flow.steps)
		r.readStepList(n)
		for i := range r.flow.steps[before:] {
			r.flow.steps[before+i].Listed = true
		}
	case "GLOBAL_DIGRESSIONS":
		r.readDigressions(n)
	default:
		r.readNamedStep(n)
	}
}

// readNamedStep reads `name:` with its block. A key with a value is no step.
func (r *actionReader) readNamedStep(n syntax.Node) {
	isMap := n.Value().Kind() == syntax.Map
	isBlock := !n.Child(syntax.FieldBlock).IsZero()
	switch {
	case isMap || isBlock:
		r.readStep(n, UnquotedWord(n.KeyNode()), BlockStep)
	case n.Value().IsZero():
		r.readStep(n, UnquotedWord(n.KeyNode()), EmptyStep)
	}
}

// readStep reads a step whose lines are below n.
func (r *actionReader) readStep(n syntax.Node, name Word, form StepForm) {
	s := Step{PositionedNode: PositionedNode{Node: n}, Name: name.Text, NameSpan: name.Span, Form: form}
	for line := range s.Lines() {
		if strings.EqualFold(line.Key(), "REASONING") {
			s.Reasoning = reasoningOf(line.Value())
		}
		r.readPair(line, stepLine{})
	}
	s.Targets = r.takeTargets()
	r.flow.steps = append(r.flow.steps, s)
}

// Lines returns the keys of the step, each with its block.
func (s Step) Lines() iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		if s.Kind() != syntax.ListItem {
			KeyedNodes(s.Node, false)(yield)
			return
		}
		// The name with what is deeper, then what is aligned with it.
		first := true
		for c := range s.BlockChildren() {
			if !first {
				if c.Kind() == syntax.Pair && !yield(c) {
					return
				}
				continue
			}
			first = false
			for line := range KeyedNodes(c, false) {
				if !yield(line) {
					return
				}
			}
		}
	}
}

func reasoningOf(v syntax.Node) Reasoning {
	switch strings.ToLower(v.UnquotedText()) {
	case "":
		return ReasoningUnspecified
	case "false", "no":
		return ReasoningOff
	case "true", "yes":
		return ReasoningOn
	}
	return ReasoningDynamic
}

// readStepList reads `steps:`: names in any form of list, steps in a map of blocks, a chain.
func (r *actionReader) readStepList(n syntax.Node) {
	switch v := n.Value(); v.Kind() {
	case syntax.Other:
	case syntax.List:
		for item := range v.Children() {
			if IsItem(item) {
				r.addListed(item)
			}
		}
	case syntax.Map:
		for c := range KeyedNodes(n, false) {
			r.readNamedStep(c)
		}
	default:
		r.readListText(v)
	}
	for c := range n.BlockChildren() {
		switch c.Kind() {
		case syntax.ListItem:
			r.readStepItem(c)
		case syntax.Mapping, syntax.Scalar:
			r.readChain(line(c))
		default:
			if c.KeyNode().IsZero() {
				r.addUnknownWords(c.Text())
				break
			}
			r.readNamedStep(c)
		}
	}
}

// readListText reads a list without brackets, or a chain.
func (r *actionReader) readListText(v syntax.Node) {
	switch s := v.Text(); {
	case strings.Contains(s, Arrow):
		r.readChain(UnquotedWord(v))
	case strings.HasPrefix(s, "["):
		r.addUnknownWords(s) // not closed yet
	default:
		for _, w := range splitWords(s, v.Span().Start) {
			r.flow.list = append(r.flow.list, listTarget(w))
		}
	}
}

func (r *actionReader) addListed(v syntax.Node) {
	r.flow.list = append(r.flow.list, targetOf("STEPS", ToStep, v))
}

func listTarget(w Word) Target {
	return Target{Span: w.Span, Name: w.Text, Kind: targetKind(w.Text, ToStep), Key: "STEPS"}
}

// readStepItem reads an item of the list of steps: a name, or a step with its lines.
func (r *actionReader) readStepItem(n syntax.Node) {
	var first syntax.Node
	more := false
	for c := range n.BlockChildren() {
		if !first.IsZero() {
			more = true
			break
		}
		first = c
	}
	block := !first.Child(syntax.FieldBlock).IsZero()
	named := !first.KeyNode().IsZero()
	switch {
	case first.Kind() == syntax.Mapping:
		r.readChain(line(first))
	case first.Kind() == syntax.Scalar && !more && !block:
		if first.Value().Kind() == syntax.Map {
			r.addUnknownWords(n.Text())
			return
		}
		r.addListed(first.Value())
	case first.Kind() == syntax.Scalar:
		r.readStep(n, UnquotedWord(first.Value()), BlockStep)
	case named && !first.Value().IsZero():
		r.addUnknownWords(n.Text()) // a record, which names its step somewhere inside
	case named && (more || block):
		r.readStep(n, UnquotedWord(first.KeyNode()), BlockStep)
	case named:
		r.flow.list = append(r.flow.list, listTarget(UnquotedWord(first.KeyNode())))
	default:
		r.addUnknownWords(n.Text())
	}
}

var anyWord = lazyregexp.New(`[\pL\pN_-]+`)

// addUnknownWords adds the words of a line that has no known form. Any of them may be a step's
// name.
func (r *actionReader) addUnknownWords(line string) {
	if r.flow.unknownWords == nil {
		r.flow.unknownWords = map[string]bool{}
	}
	for _, w := range anyWord.FindAllString(line, -1) {
		r.flow.unknownWords[w] = true
	}
}

// readDigressions reads `global_digressions:`, a list of digressions or of names.
func (r *actionReader) readDigressions(n syntax.Node) {
	names := ListWords(n)
	if n.Value().IsZero() {
		names = nil
		for item := range n.BlockChildren() {
			if v := (Item{Node: item}).Value(); v.Kind() == syntax.Text || v.Kind() == syntax.String {
				names = append(names, UnquotedWord(v))
			}
		}
	}
	for _, w := range names {
		if isStepName(w.Text) {
			r.targets = append(r.targets, Target{Span: w.Span, Name: w.Text, Kind: MayBeStep, Key: "GLOBAL_DIGRESSIONS"})
		}
	}
	r.readLines(n, stepLine{}.underKey("DIGRESSIONS"))
	r.flow.digressions = r.takeTargets()
}

// line returns the text of a line without the comment after it.
func line(n syntax.Node) Word {
	w := Word{n.Text(), n.Span()}
	if c := n.ChildOf(syntax.Comment); !c.IsZero() {
		w.Span.End = c.Span().Start
		w.Text = w.Text[:w.Span.Len()]
	}
	return trimWord(w)
}

// readChain reads `a -> b -> c`. Each name is a step, and leads to the next.
func (r *actionReader) readChain(w Word) {
	if strings.ContainsAny(w.Text, "\r\n") || !strings.Contains(w.Text, Arrow) {
		r.addUnknownWords(w.Text)
		return
	}
	key, at := "STEPS", w.Span.Start
	for part := range strings.SplitSeq(w.Text, Arrow) {
		name := trimWord(Word{part, text.Span{Start: at, End: at + len(part)}})
		if name.Text == "" {
			r.addUnknownWords(w.Text) // half typed
		} else {
			t := listTarget(name)
			t.Key = key
			r.flow.chain = append(r.flow.chain, t)
		}
		at += len(part) + len(Arrow)
		key = Arrow
	}
}
