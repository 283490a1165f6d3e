package model

import (
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// entryNote is kept with an entry as long as its text stays the same.
type entryNote struct {
	decls   atomic.Pointer[[]ToolDecl] // nil if the entry is no line of TOOLS
	summary atomic.Pointer[entrySummary]
}

func noteOf(e *syntax.Entry) *entryNote {
	return e.Memoize(func() any { return new(entryNote) }).(*entryNote)
}

// declare returns the tools that a line of TOOLS declares.
func (n *entryNote) declare(e *syntax.Entry) []ToolDecl {
	if known := n.decls.Load(); known != nil {
		return *known
	}
	decls := NewToolDecls(e.Root())
	n.decls.CompareAndSwap(nil, &decls)
	return *n.decls.Load()
}

// declOf returns the declaration at a node, in any section. It is that of the entry if the entry
// has been read already, so that it is shared.
func declOf(t syntax.Node) *ToolDecl {
	if known := noteOf(t.Entry()).decls.Load(); known != nil {
		decls := *known // in the order of the text
		i := sort.Search(len(decls), func(i int) bool { return decls[i].Node.Span().Start >= t.Span().Start })
		if i < len(decls) && decls[i].Node == t {
			return &decls[i]
		}
	}
	return new(NewToolDecl(t))
}

// entrySummary holds what one entry alone says in a section. Each part is read when it is first
// asked for. Spans are relative to the entry.
type entrySummary struct {
	section string
	entry   *syntax.Entry

	onceActions, onceNames sync.Once

	readActions *entryActions
	readNames   *entryNames
}

// actions returns the calls and steps of the entry. A nil summary has none.
func (s *entrySummary) actions() *entryActions {
	if s == nil {
		return noActions
	}
	s.onceActions.Do(func() { s.readActions = readActions(s.section, s.entry) })
	return s.readActions
}

// names returns the names in the entry. A nil summary has none.
func (s *entrySummary) names() *entryNames {
	if s == nil {
		return noNames
	}
	s.onceNames.Do(func() { s.readNames = readNames(s.section, s.entry, s.actions()) })
	return s.readNames
}

// entryActions are the calls and the steps of an entry.
type entryActions struct {
	calls []Call
	tools []NameRef // of AVAILABLE_TOOLS

	targets []Target  // outside FLOW
	flow    *flowPart // nil there
}

// flowPart is what one entry of FLOW contributes to the flow.
type flowPart struct {
	entry        *Target
	list         []Target
	chain        []Target // those after an arrow have it for a key
	digressions  []Target
	steps        []Step
	unknownWords map[string]bool // the words of lines that have no known form; nil if there is none
}

// entryNames are all names in an entry, of any kind.
type entryNames struct {
	refs       []NameRef
	variables  []Variable // that the entry gives a value
	kinds      kindSet    // of refs
	isExported bool       // whether it may use a name of an exported project
}

// actingSections are the sections in which an agent acts, so that a `CALL:` calls one of its tools.
// In other sections `CALL` may be a word of the author's.
var actingSections = []string{
	"FLOW", "STEPS", "ON_START", "HOOKS", "ACTION_HANDLERS", "ON_ERROR", "CONSTRAINTS", "RETURN_HANDLERS", "TOOLS",
}

// placedSummary is the summary of the entry at an offset.
type placedSummary struct {
	*entrySummary
	offset int
}

// readSummaries returns the summaries of a file's entries in their order, comments left out.
func readSummaries(doc *syntax.Document) []placedSummary {
	size := 0
	for _, s := range doc.Sections() {
		size += 1 + len(s.Entries)
	}
	all := make([]placedSummary, 0, size)
	for _, s := range doc.Sections() {
		section := s.Name()
		for e := range s.HeadAndEntries() {
			if e.Kind() != syntax.Comment {
				all = append(all, placedSummary{summaryOf(section, e.Entry), e.Offset})
			}
		}
	}
	return all
}

// noActions and noNames are those of an entry that says nothing.
var (
	noActions = &entryActions{} // the actions of an entry without any
	noNames   = &entryNames{}   // the names of an entry without any
)

// summaryOf returns the summary of an entry of a section of that name.
func summaryOf(section string, e *syntax.Entry) *entrySummary {
	note := noteOf(e)
	for {
		known := note.summary.Load()
		if known != nil && known.section == section {
			return known
		}
		if next := (&entrySummary{section: section, entry: e}); note.summary.CompareAndSwap(known, next) {
			return next
		}
	}
}

// summary returns the summary of an entry of the file; nil for a comment, and for an entry of
// another file.
func (f *File) summary(e syntax.PositionedEntry) *entrySummary {
	i := sort.Search(len(f.summaries), func(i int) bool { return f.summaries[i].offset >= e.Offset })
	for ; i < len(f.summaries) && f.summaries[i].offset == e.Offset; i++ {
		if f.summaries[i].entry == e.Entry {
			return f.summaries[i].entrySummary
		}
	}
	return nil
}

// sectionOf returns the name of the section around an entry of the file; "" for a comment.
func (f *File) sectionOf(e syntax.PositionedEntry) string {
	if s := f.summary(e); s != nil {
		return s.section
	}
	return ""
}

// actingSummaries returns the summaries of the entries that call something, or lead to a step.
func (f *File) actingSummaries() []placedSummary {
	if f.actingEntries == nil {
		return nil
	}
	return f.actingEntries()
}

func readActing(f *File) []placedSummary {
	var acting []placedSummary
	for _, s := range f.summaries {
		if s.actions() != noActions {
			acting = append(acting, s)
		}
	}
	return acting
}

// Calls returns what the file calls where it acts: in steps, hooks, handlers and the `do:` lists of
// tools.
func (f *File) Calls() iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for _, s := range f.actingSummaries() {
			for _, c := range s.actions().calls {
				if !yield(c.shift(s.offset)) {
					return
				}
			}
		}
	}
}

// OfferedTools returns the tools that reasoning steps may use, by AVAILABLE_TOOLS.
func (f *File) OfferedTools() iter.Seq[NameRef] {
	return func(yield func(NameRef) bool) {
		for _, s := range f.actingSummaries() {
			for _, m := range s.actions().tools {
				m.Span = m.Span.Shift(s.offset)
				if !yield(m) {
					return
				}
			}
		}
	}
}

// RecallTriggers returns the tools whose calls make MEMORY recall something.
func (f *File) RecallTriggers() iter.Seq[NameRef] {
	return func(yield func(NameRef) bool) {
		for section, r := range f.NameRefsOf(ToolRef) {
			isEvent := r.Name != "*" && strings.HasPrefix(f.Doc.Text()[r.Span.End:], ":after")
			if isEvent && section == "MEMORY" && !yield(r) {
				return
			}
		}
	}
}

// entriesOf returns the entries of the sections in which an agent acts.
func entriesOf(sections syntax.Sections) iter.Seq[syntax.PositionedEntry] {
	return func(yield func(syntax.PositionedEntry) bool) {
		for s := range sections.Named(actingSections...) {
			for e := range s.HeadAndEntries() {
				if !yield(e) {
					return
				}
			}
		}
	}
}

func readActions(section string, e *syntax.Entry) *entryActions {
	if !slices.Contains(actingSections, section) {
		return noActions
	}
	r := actionReader{}
	switch {
	case IsFlow(section):
		r.flow = &flowPart{}
		r.readFlowEntry(e.Root())
	case section == "TOOLS":
		r.readTool(e.Root())
	case section == "ON_START" && e.Kind() == syntax.Pair:
		r.readPair(e.Root(), stepLine{}) // elsewhere the key is the author's
	default:
		if v := valueOf(e.Root()); section == "ON_ERROR" && e.Kind() == syntax.Pair && !v.IsZero() {
			r.targets = append(r.targets, targetOf(section, MayBeStep, v)) // `error: step`
		}
		r.readLines(e.Root(), stepLine{constraint: section == "CONSTRAINTS"})
	}
	if r.flow == nil && len(r.calls)+len(r.tools)+len(r.targets) == 0 {
		return noActions
	}
	return &r.entryActions
}

// actionReader reads the actions of an entry. In FLOW, it holds the targets of the step that is
// being read.
type actionReader struct{ entryActions }

// takeTargets returns the targets that were read since it was called last, and forgets them.
func (r *actionReader) takeTargets() []Target {
	targets := r.targets
	r.targets = nil
	return targets
}

// stepLine says where in a step a line is.
type stepLine struct {
	exceptional, digression, constraint bool

	failed bool // below the ON_FAIL of a constraint

	undocumented bool // below a key whose content no page describes

	onlySteps bool // below a key that leads to steps and nowhere else
}

// underKey returns the place of the lines below a key.
func (p stepLine) underKey(key string) stepLine {
	p.exceptional = p.exceptional || slices.Contains(exceptionalKeys, key)
	p.digression = p.digression || key == "DIGRESSIONS"
	p.failed = p.failed || p.constraint && key == "ON_FAIL"
	p.constraint = p.constraint || key == "STEP_CONSTRAINTS"
	p.undocumented = p.undocumented || key == "PRESENT" || key == "BEHAVIOR"
	p.onlySteps = key == "SECURE_INPUT" || key == "AWAIT_ATTACHMENT"
	return p
}

// keysWithoutTargets have keys of the author's below them, or keys that lead to no step: a variable
// may be called `call`, a field `then`.
var keysWithoutTargets = []string{
	"SET", "WITH", "MAP", "INPUT", "CONTEXT", "CLEAR", "GATHER", "FIELDS", "TRANSFORM", "LOG", "MESSAGES", "CORRECTIONS",
	"FORMATS", "RICH_CONTENT", "VOICE", "ACTIONS", "HANDOFF", "DELEGATE", "ESCALATE", "COMPLETE", "RETURN",
}

// readLines reads the keys below a node.
func (r *actionReader) readLines(n syntax.Node, in stepLine) {
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.Pair, syntax.MapPair:
			r.readPair(c, in)
		case syntax.Tool, syntax.String, syntax.Text, syntax.PipeBlock:
		default:
			r.readLines(c, in)
		}
	}
}

func (r *actionReader) readPair(n syntax.Node, in stepLine) {
	key := strings.ToUpper(n.Key())
	switch {
	case in.undocumented:
	case key == "CALL":
		r.calls = append(r.calls, NewCall(n))
	case key == "AVAILABLE_TOOLS":
		r.addOfferedTools(ListWords(n))
	}
	r.readTransition(key, n, in)
	switch {
	case in.onlySteps && key == "FIELDS":
		r.readValidations(n)
	case !slices.Contains(keysWithoutTargets, key):
		r.readLines(n, in.underKey(key))
	}
}

// readValidations reads the calls that validate the fields of SECURE_INPUT.
func (r *actionReader) readValidations(fields syntax.Node) {
	for n := range fields.Preorder() {
		if n.Value().Kind() == syntax.Expression && strings.EqualFold(n.Key(), "CALL") {
			r.calls = append(r.calls, NewCall(n))
		}
	}
}

// addOfferedTools adds the tools of a list. Items that are more than a name are known at run time
// only.
func (r *actionReader) addOfferedTools(words []Word) {
	for _, w := range words {
		if m := calledPattern.FindStringSubmatchIndex(w.Text); m != nil {
			w = wordOf(w.Text, text.Span{Start: m[2], End: m[3]}, w.Span.Start)
			r.tools = append(r.tools, NameRef{Span: w.Span, Name: w.Text, Kind: ToolRef})
		}
	}
}

// readTransition reads the value of a key that may lead to a step.
func (r *actionReader) readTransition(key string, n syntax.Node, in stepLine) {
	kind, leads := transitionKeys[key]
	value := n.Value()
	switch {
	case !leads, value.IsZero() && (kind == MayBeStep || !n.Child(syntax.FieldBlock).IsZero()):
		return
	case value.IsZero():
		r.targets = append(r.targets, Target{Span: n.KeyNode().Span(), Kind: Computed, Key: key})
		return
	case in.undocumented, in.constraint && key == "ON_FAIL":
		kind = MayBeStep
	case in.onlySteps:
		kind = ToStep
	}
	t := targetOf(key, kind, value)
	if in.constraint && t.Name == "retry" {
		t.Kind = LeavesStep
	}
	t.FailedRule = in.failed && key == "GOTO"
	if kind == MayBeStep && t.Kind != MayBeStep {
		return
	}
	in = in.underKey(key)
	t.Exceptional, t.Digression = in.exceptional, in.digression
	r.targets = append(r.targets, t)
}

// readTool reads the `do:` lists of a tool, or of those below an ADD.
func (r *actionReader) readTool(root syntax.Node) {
	if root.Kind() != syntax.Tool {
		for n := range root.BlockChildren() {
			if n.Kind() == syntax.Tool {
				r.readTool(n)
			}
		}
		return
	}
	for n := range KeyedNodes(root, false) {
		switch strings.ToLower(n.Key()) {
		case "on_result", "on_error":
			r.readLines(n, stepLine{})
		}
	}
}

// allTargets returns the targets of an entry, in FLOW or outside it.
func (a *entryActions) allTargets() []Target {
	p := a.flow
	if p == nil {
		return a.targets
	}
	all := slices.Concat(p.list, p.chain, p.digressions)
	if p.entry != nil {
		all = append(all, *p.entry)
	}
	for _, step := range p.steps {
		all = append(all, step.Targets...)
	}
	return all
}
