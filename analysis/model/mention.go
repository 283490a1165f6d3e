package model

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Mention is a word that names a tool, a parameter or a namespace elsewhere
// than in a declaration. Nothing says that it exists.
type Mention struct {
	Span text.Span // in the file
	Name string
	Kind MentionKind
	Tool string // of an OfArgument: the tool that is called; of an OfProject: the table; of an OfNamed: the section

	Access Access // where it is more than a mention
	Remote bool   // of an OfAgent: it is no agent of the workspace
}

// MentionKind is what a mention names.
type MentionKind int

// The kinds of mentions.
const (
	OfTool      MentionKind = iota // a tool that the file can name
	OfParam                        // a parameter of the tool around it
	OfArgument                     // a parameter of the tool that is called
	OfNamespace                    // what stands before the dot in {{secrets.X}}
	OfStep                         // a step of the flow, or a word that a transition takes
	OfVariable                     // a variable of the session
	OfTemplate                     // a template of the file
	OfSecret                       // a secret of the project
	OfProject                      // a name in a table of abl.yaml
	OfAgent                        // an agent or a supervisor
	OfProfile                      // a behaviour profile
	OfNamed                        // what a section of the file declares: a message, a handler, …
	OfRoute                        // an agent, or a supervisor's name for one
)

// Mentions are the mentions in one entry of the file, in no order. The bracket
// list of an import is not among them: it names tools of another file, see
// [Import.Names].
func (f *File) Mentions(e syntax.Placed) []Mention {
	known, ok := SummaryOf(f, e.Entry)
	if !ok {
		return nil
	}
	all := slices.Concat(known.Mentions(), known.Read().StepMentions())
	for i := range all {
		all[i].Span = all[i].Span.Shift(e.Offset)
	}
	return all
}

// AllMentions are those of all entries of the file.
func (f *File) AllMentions() iter.Seq[Mention] {
	return func(yield func(Mention) bool) {
		for _, s := range f.Doc.Sections() {
			for e := range EntriesOf(s) {
				for _, m := range f.Mentions(e) {
					if !yield(m) {
						return
					}
				}
			}
		}
	}
}

// StepMentions are the names that may be those of steps.
func (s *entrySummary) StepMentions() []Mention {
	all := slices.Clone(s.targets)
	if p := s.flow; p != nil {
		all = slices.Concat(p.list, p.chain, p.aside)
		if p.entry != nil {
			all = append(all, *p.entry)
		}
		for _, step := range p.steps {
			all = append(all, step.Targets...)
		}
	}
	var out []Mention
	for _, t := range all {
		if t.Name != "" {
			out = append(out, Mention{Span: t.Span, Name: t.Name, Kind: OfStep})
		}
	}
	return out
}

// mentionsOf are the mentions that an entry has wherever it stands; spans are
// relative to it.
func mentionsOf(e *syntax.Entry) []Mention {
	var m mentions
	if _, _, shared := tool.Lookup(tool.SharedDefaults(), e.Root().Key()); shared {
		m.templates(e.Root())
	}
	for n := range e.Root().All() {
		switch n.Kind() {
		case syntax.Tool:
			m.toolBlock(n)
		case syntax.Pair, syntax.MapPair:
			m.pair(n)
		case syntax.BeforeClause:
			m.add(OfTool, UnquotedWord(n.Child(syntax.AsTool)))
		}
	}
	return m
}

// mentions collects; spans are relative to the entry.
type mentions []Mention

func (m *mentions) add(kind MentionKind, words ...Word) {
	for _, w := range words {
		if w.Text != "" {
			*m = append(*m, Mention{Span: w.Span, Name: w.Text, Kind: kind})
		}
	}
}

// pair finds what a key that may stand in a step, a hook or a profile mentions.
func (m *mentions) pair(n syntax.Node) {
	switch strings.ToUpper(n.Key()) {
	case "CALL":
		m.call(n)
	case "AVAILABLE_TOOLS", "HIDE", "FROM_WORKFLOW", "CUSTOM_TOOLS", "CUSTOMTOOLS":
		m.add(OfTool, ListWords(n)...)
	case "ON":
		m.add(OfTool, Matches(eventPattern, n.Value())...)
	}
}

var (
	// CallPattern matches the name of what a value calls.
	CallPattern      = regexp.MustCompile(`^["']?([A-Za-z_][\w.]*(?:-\w+)*)`)
	eventPattern     = regexp.MustCompile(`^["']?tool:(\*|[A-Za-z_][\w.]*):`)
	consumersPattern = regexp.MustCompile(`\bconsumers:[ \t]*\[([^\]\r\n]*)`)
)

// call finds the tool that a CALL names and the parameters that it gives.
func (m *mentions) call(n syntax.Node) {
	c := NewCall(n)
	if c.Tool == "" {
		m.add(OfTool, Matches(CallPattern, n.Value())...)
		return
	}
	m.add(OfTool, Word{c.Tool, c.ToolSpan})
	for _, a := range c.Args {
		if a.Name != "" {
			*m = append(*m, Mention{Span: a.Span, Name: a.Name, Kind: OfArgument, Tool: c.Tool})
		}
	}
}

// Untemplated are the properties of a tool in which braces are ordinary text.
var Untemplated = []string{"description", "code", "statement", "body_schema"}

// toolBlock finds what the properties of a tool mention.
func (m *mentions) toolBlock(t syntax.Node) {
	for _, p := range Properties(t, AnyFields("")) {
		switch name := p.Name(); name {
		case "parameters":
			if !InMapForm(t) { // there they are declared
				m.add(OfParam, keyWords(p.Node)...)
			}
		case "immutable_params": // as it once stood
			m.add(OfParam, ListWords(p.Node)...)
		case "confirmation":
			for _, c := range p.Properties() {
				if c.Name() == "immutable_params" {
					m.add(OfParam, ListWords(c.Node)...)
				}
			}
		case "param_mapping":
			for _, c := range p.Properties() {
				m.add(OfParam, ListWords(c.Node)...)
			}
		case "RESULT_SECRETS":
			m.consumers(p.Node)
		case "verify", "revert":
			m.step(p)
		default:
			if !slices.Contains(Untemplated, name) {
				m.templates(p.Node)
			}
		}
	}
}

// consumers finds the tools in `path -> key (consumers: [tool])`.
func (m *mentions) consumers(p syntax.Node) {
	for line := range p.Entries() {
		for _, list := range Matches(consumersPattern, line.Value()) {
			m.add(OfTool, splitWords(list.Text, list.Span.Start)...)
		}
	}
}

// step finds those of one that checks or undoes. Where it is called with arguments of
// its own, a bare name is one of these.
func (m *mentions) step(p Property) {
	var all mentions
	all.templates(p.Node)
	if p.OwnArguments() == nil {
		*m = append(*m, all...)
		return
	}
	source, at := p.Node.Text(), p.Node.Span().Start
	for _, one := range all {
		if one.Kind != OfParam || strings.HasSuffix(source[:one.Span.Start-at], "args.") {
			*m = append(*m, one)
		}
	}
}

// templates finds the names in the placeholders of a property.
func (m *mentions) templates(p syntax.Node) {
	for n := range p.All() {
		switch n.Kind() {
		case syntax.String, syntax.Text, syntax.BlockText:
			m.placeholders(n, strings.EqualFold(n.Parent().Key(), "endpoint"))
		}
	}
}

func (m *mentions) placeholders(n syntax.Node, single bool) {
	s, at := n.Text(), n.Span().Start
	for _, p := range Placeholders(s, single) {
		for _, name := range Names(s, p.Inner) {
			head := name.Head()
			space := p.Double && IsNamespace(s[head.Start:head.End]) && strings.ContainsAny(next(s, head.End), ".:")
			if !space {
				m.add(OfParam, wordOf(s, head, at))
				if s[head.Start:head.End] == "args" && len(name.Parts) > 1 { // in `verify` and `revert`
					m.add(OfParam, wordOf(s, name.Parts[1], at))
				}
				continue
			}
			m.add(OfNamespace, wordOf(s, head, at))
			if s[head.Start:head.End] == "input" && len(name.Parts) > 1 {
				m.add(OfParam, wordOf(s, name.Parts[1], at))
			}
		}
	}
}

// next is the byte at an offset, "" at the end.
func next(s string, at int) string { return s[at:min(at+1, len(s))] }
