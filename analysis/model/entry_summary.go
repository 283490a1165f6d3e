package model

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// entrySummary are what one entry alone says of calls and steps. Spans are relative to
// the entry, so that they are kept as long as it reads the same in a section of
// the same name.
type entrySummary struct {
	calls []Call
	tools []Mention // of AVAILABLE_TOOLS

	targets []Target  // outside of FLOW
	flow    *flowPart // nil there
}

// flowPart is what one entry says of the flow.
type flowPart struct {
	entry *Target
	list  []Target
	chain []Target // those behind an arrow have it for a key
	aside []Target
	steps []Step
	odd   map[string]bool // the words of lines that have no known form; nil if there is none
}

// Summary is what one entry says, each part read when it is first asked for.
type Summary struct {
	section   string
	Read      func() *entrySummary
	Mentions  func() []Mention
	Names     func() []Mention
	variables func() []Variable
	near      func() []NearName
	agents    func() bool // whether it may name some
	exported  func() bool // whether it may use a name of an exported project
}

// actingSections are those in which an agent acts, so that a `CALL:` calls a
// tool of its own. Elsewhere it may be a word of the author's.
var actingSections = []string{
	"FLOW", "STEPS", "ON_START", "HOOKS", "ACTION_HANDLERS", "ON_ERROR", "CONSTRAINTS", "RETURN_HANDLERS", "TOOLS",
}

// learn notes the entries, and takes over what is known of them.
func learn(f *File, before *File) {
	f.known = map[*syntax.Entry]Summary{}
	for _, s := range f.Doc.Sections() {
		section := s.Name()
		for e := range EntriesOf(s) {
			if e.Kind() == syntax.Comment {
				continue
			}
			if known, ok := SummaryOf(before, e.Entry); ok && known.section == section {
				f.known[e.Entry] = known
			} else {
				f.known[e.Entry] = newSummary(section, e.Entry)
			}
		}
	}
}

func newSummary(section string, e *syntax.Entry) Summary {
	return Summary{
		section:   section,
		Read:      sync.OnceValue(func() *entrySummary { return readSummary(section, e) }),
		Mentions:  sync.OnceValue(func() []Mention { return mentionsOf(e) }),
		Names:     sync.OnceValue(func() []Mention { return namesOf(section, e) }),
		variables: sync.OnceValue(func() []Variable { return variablesOf(section, e) }),
		near:      sync.OnceValue(func() []NearName { return nearOf(e) }),
		agents:    sync.OnceValue(func() bool { return mayNameAgents(e) }),
		exported:  sync.OnceValue(func() bool { return exportedUse.MatchString(e.Text()) }),
	}
}

// SummaryOf returns what is known of an entry; ok is false for an entry of a section that does not act.
func SummaryOf(f *File, e *syntax.Entry) (known Summary, ok bool) {
	if f == nil {
		return Summary{}, false
	}
	known, ok = f.known[e]
	return known, ok
}

// EntriesOf are the head of a section and its entries.
func EntriesOf(s syntax.Section) iter.Seq[syntax.Placed] {
	return func(yield func(syntax.Placed) bool) {
		if !yield(s.Head) {
			return
		}
		for _, e := range s.Entries {
			if !yield(e) {
				return
			}
		}
	}
}

// summary returns what an entry of the file says; it is never nil.
func (f *File) summary(e *syntax.Entry) *entrySummary {
	if known, ok := SummaryOf(f, e); ok {
		return known.Read()
	}
	return &entrySummary{}
}

// Calls are what the file calls where it acts: in steps, hooks, handlers and
// the `do:` lists of tools.
func (f *File) Calls() iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for e := range acting(f.Doc.Sections()) {
			for _, c := range f.summary(e.Entry).calls {
				if !yield(c.shift(e.Offset)) {
					return
				}
			}
		}
	}
}

// Offered are the tools that reasoning steps may use, by AVAILABLE_TOOLS.
func (f *File) Offered() iter.Seq[Mention] {
	return func(yield func(Mention) bool) {
		for e := range acting(f.Doc.Sections()) {
			for _, m := range f.summary(e.Entry).tools {
				m.Span = m.Span.Shift(e.Offset)
				if !yield(m) {
					return
				}
			}
		}
	}
}

// Recalled are the tools after whose calls MEMORY brings something back.
func (f *File) Recalled() iter.Seq[Mention] {
	return func(yield func(Mention) bool) {
		for _, s := range f.Doc.Sections() {
			if s.Name() != "MEMORY" {
				continue
			}
			for e := range EntriesOf(s) {
				for _, m := range f.Mentions(e) {
					isEvent := m.Kind == OfTool && m.Name != "*" && strings.HasPrefix(f.Doc.Text()[m.Span.End:], ":after")
					if isEvent && !yield(m) {
						return
					}
				}
			}
		}
	}
}

// acting are the entries of sections in which an agent acts.
func acting(sections []syntax.Section) iter.Seq[syntax.Placed] {
	return func(yield func(syntax.Placed) bool) {
		for _, s := range sections {
			if !slices.Contains(actingSections, s.Name()) {
				continue
			}
			for e := range EntriesOf(s) {
				if !yield(e) {
					return
				}
			}
		}
	}
}

func readSummary(section string, e *syntax.Entry) *entrySummary {
	if !slices.Contains(actingSections, section) {
		return &entrySummary{}
	}
	r := factReader{}
	switch {
	case IsFlow(section):
		r.flow = &flowPart{}
		r.flowEntry(e.Root())
	case section == "TOOLS":
		r.tool(e.Root())
	case section == "ON_START" && e.Kind() == syntax.Pair:
		r.pair(e.Root(), place{}) // elsewhere the key is the author's
	default:
		if v := valueOf(e.Root()); section == "ON_ERROR" && e.Kind() == syntax.Pair && !v.IsZero() {
			r.targets = append(r.targets, targetOf(section, MayBeStep, v)) // `error: step`
		}
		r.lines(e.Root(), place{constraint: section == "CONSTRAINTS"})
	}
	return &r.entrySummary
}

// factReader reads an entry. In FLOW, targets are those of what is being read.
type factReader struct{ entrySummary }

// take are the targets that were read since it was last asked.
func (r *factReader) take() []Target {
	targets := r.targets
	r.targets = nil
	return targets
}

// place is where a line stands in a step.
type place struct {
	exceptional, digression, constraint bool

	failed bool // below the ON_FAIL of a constraint

	open bool // below a key of which no page says what it holds

	steps bool // below a key that leads to steps and nowhere else
}

// below is the place of the lines under a key.
func (p place) below(key string) place {
	p.exceptional = p.exceptional || slices.Contains(exceptionalKeys, key)
	p.digression = p.digression || key == "DIGRESSIONS"
	p.failed = p.failed || p.constraint && key == "ON_FAIL"
	p.constraint = p.constraint || key == "STEP_CONSTRAINTS"
	p.open = p.open || key == "PRESENT" || key == "BEHAVIOR"
	p.steps = key == "SECURE_INPUT" || key == "AWAIT_ATTACHMENT"
	return p
}

// closedKeys hold names of the author's, or what leads to no step: a variable
// may be called `call`, a field `then`.
var closedKeys = []string{
	"SET", "WITH", "MAP", "INPUT", "CONTEXT", "CLEAR", "GATHER", "FIELDS", "TRANSFORM", "LOG", "MESSAGES", "CORRECTIONS",
	"FORMATS", "RICH_CONTENT", "VOICE", "ACTIONS", "HANDOFF", "DELEGATE", "ESCALATE", "COMPLETE", "RETURN",
}

// lines reads the keys below a node.
func (r *factReader) lines(n syntax.Node, in place) {
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.Pair, syntax.MapPair:
			r.pair(c, in)
		case syntax.Tool, syntax.String, syntax.Text, syntax.PipeBlock:
		default:
			r.lines(c, in)
		}
	}
}

func (r *factReader) pair(n syntax.Node, in place) {
	key := strings.ToUpper(n.Key())
	switch {
	case in.open:
	case key == "CALL":
		r.calls = append(r.calls, NewCall(n))
	case key == "AVAILABLE_TOOLS":
		r.offer(ListWords(n))
	}
	r.transition(key, n, in)
	switch {
	case in.steps && key == "FIELDS":
		r.validations(n)
	case !slices.Contains(closedKeys, key):
		r.lines(n, in.below(key))
	}
}

// validations reads the calls that look at the fields of SECURE_INPUT.
func (r *factReader) validations(fields syntax.Node) {
	for n := range fields.All() {
		if n.Value().Kind() == syntax.Expression && strings.EqualFold(n.Key(), "CALL") {
			r.calls = append(r.calls, NewCall(n))
		}
	}
}

// offer notes the tools of a list. What is more than a name is known at run time.
func (r *factReader) offer(words []Word) {
	for _, w := range words {
		if m := calledPattern.FindStringSubmatchIndex(w.Text); m != nil {
			w = wordOf(w.Text, text.Span{Start: m[2], End: m[3]}, w.Span.Start)
			r.tools = append(r.tools, Mention{Span: w.Span, Name: w.Text, Kind: OfTool})
		}
	}
}

// transition reads the value of a key that may lead to a step.
func (r *factReader) transition(key string, n syntax.Node, in place) {
	kind, leads := transitionKeys[key]
	value := n.Value()
	switch {
	case !leads, value.IsZero() && (kind == MayBeStep || !n.Child(syntax.AsBlock).IsZero()):
		return
	case value.IsZero():
		r.targets = append(r.targets, Target{Span: n.KeyNode().Span(), Kind: Computed, Key: key})
		return
	case in.open, in.constraint && key == "ON_FAIL":
		kind = MayBeStep
	case in.steps:
		kind = ToStep
	}
	t := targetOf(key, kind, value)
	if in.constraint && t.Name == "retry" {
		t.Kind = Leaves
	}
	t.FailedRule = in.failed && key == "GOTO"
	if kind == MayBeStep && t.Kind != MayBeStep {
		return
	}
	in = in.below(key)
	t.Exceptional, t.Digression = in.exceptional, in.digression
	r.targets = append(r.targets, t)
}

// tool reads the `do:` lists of a tool, or of those below an ADD.
func (r *factReader) tool(root syntax.Node) {
	if root.Kind() != syntax.Tool {
		for n := range root.Entries() {
			if n.Kind() == syntax.Tool {
				r.tool(n)
			}
		}
		return
	}
	for n := range Keyed(root, false) {
		switch strings.ToLower(n.Key()) {
		case "on_result", "on_error":
			r.lines(n, place{})
		}
	}
}
