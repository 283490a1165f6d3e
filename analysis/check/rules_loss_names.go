package check

import (
	"iter"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Names that the platform finds only where they fill their line, for
// platform-loss.

// nameInSection says how the platform reads one kind of name that is directly in a section, and
// what it drops.
type nameInSection struct {
	sections         []string
	what             string         // the noun in a message
	lost             string         // what the platform drops with it
	fixed            bool           // only read at two spaces
	commented, ended bool           // lost with a comment after it; lost with a carriage return after it
	severity         model.Severity // of a name with a comment
}

const withAllBelow = "with all that is below it"

var lineNames = []nameInSection{
	{sections: []string{"FLOW", "STEPS"}, what: "step", lost: withAllBelow, fixed: true, commented: true, ended: true, severity: model.Warning},
	{sections: []string{"CONSTRAINTS"}, what: "label", lost: "but keeps its rules", fixed: true, commented: true, ended: true, severity: model.Information},
	{sections: []string{"ON_ERROR"}, what: "error handler", lost: withAllBelow, fixed: true, commented: true, ended: true, severity: model.Warning},
	{sections: []string{"GUARDRAILS"}, what: "guardrail", lost: withAllBelow, fixed: true, commented: true, ended: true, severity: model.Warning},
	{sections: []string{"ENTITIES"}, what: "entity", lost: withAllBelow, fixed: true, commented: true, severity: model.Warning},
	{sections: []string{"GATHER"}, what: "field", lost: withAllBelow, commented: true, ended: true, severity: model.Warning},
	{sections: []string{"ATTACHMENTS"}, what: "attachment", lost: withAllBelow, ended: true},
}

// lineNameOf returns how the platform reads the names directly in a section of a file of that kind;
// nil if it reads them however they are written.
func lineNameOf(kind model.FileKind, section string) *nameInSection {
	i := slices.IndexFunc(lineNames, func(l nameInSection) bool { return slices.Contains(l.sections, section) })
	if i < 0 || !isAgentKind(kind) {
		return nil
	}
	return &lineNames[i]
}

// notSteps are the keys of FLOW that name no step.
var notSteps = []string{"ENTRY_POINT", "STEPS", "GLOBAL_DIGRESSIONS"}

// isName reports whether a line of the section is such a name.
func (l *nameInSection) isName(line syntax.Node) bool {
	switch line.Kind() {
	case syntax.Pair, syntax.Step:
	default:
		return false
	}
	if l.what == "step" && slices.Contains(notSteps, strings.ToUpper(line.Key())) {
		return false
	}
	return isKeyWithoutValue(line)
}

// needsTwoSpaces reports whether line is a name that the platform reads only if it is indented by
// two spaces. For an error handler the action may be on the same line.
func (l *nameInSection) needsTwoSpaces(line syntax.Node) bool {
	return l.fixed && (l.isName(line) || l.what == "error handler" && line.Kind() == syntax.Pair)
}

// twoSpaces is the indentation at which the platform looks for names.
const twoSpaces = "  "

// lostToDepth finds names at another depth. In a section that is indented itself, section-indent
// reports the error.
func lostToDepth(out *findings, f File) {
	for _, s := range f.Doc.Sections() {
		l := lineNameOf(f.Kind, s.Name())
		if l == nil || indentBefore(f.Doc, s) != "" {
			continue
		}
		var moved []model.FileEdit
		asked, movable := false, false
		for _, e := range s.Entries {
			if !l.needsTwoSpaces(e.Root()) || !isAtOtherDepth(f.Doc, l, e) {
				continue
			}
			if !asked {
				moved, movable = toTwoSpaces(f.Doc, s)
				asked = true
			}
			key := e.Root().KeyNode()
			d := out.warn(key.Span().Shift(e.Offset), "The platform drops the %s `%s`, %s, since the name is not at exactly two spaces.", l.what, syntax.Unquote(key.Text()), l.lost)
			if movable {
				d.Fixes = append(d.Fixes, model.Fix{Title: "Indent what is below `" + s.Head.Root().Key() + ":` by two spaces", Edits: moved, Best: true})
			}
		}
	}
}

// isAtOtherDepth reports whether an entry is neither at two spaces nor, if it is a step, at column
// 0.
func isAtOtherDepth(doc *syntax.Document, l *nameInSection, e syntax.PositionedEntry) bool {
	indent := indentation(doc, doc.Lines().Line(e.Offset))
	return indent != twoSpaces && (indent != "" || l.what != "step")
}

// toTwoSpaces moves the entries of a section to two spaces, except those at column 0: one of these
// alone would get the entries after it below it. It fails if a line of one is indented with other
// blanks than the entry.
func toTwoSpaces(doc *syntax.Document, s syntax.Section) (edits []model.FileEdit, ok bool) {
	for _, e := range s.Entries {
		prefix := indentation(doc, doc.Lines().Line(e.Offset))
		if prefix == "" || prefix == twoSpaces {
			continue
		}
		own, ok := reindented(doc, e.Span(), prefix, twoSpaces)
		if !ok && e.Kind() != syntax.Comment {
			return nil, false
		}
		edits = append(edits, own...)
	}
	return edits, true
}

// reindented returns the edits that replace prefix, the common indentation of the lines of a span,
// by indent. Blank lines, comments and closing brackets need not begin with prefix; ok is false if
// another line does not.
func reindented(doc *syntax.Document, span text.Span, prefix, indent string) (edits []model.FileEdit, ok bool) {
	lines := doc.Lines()
	for line := lines.Line(span.Start); line < lines.LineCount() && lines.LineStart(line) < span.End; line++ {
		start, own := lines.LineStart(line), lineText(doc, line)
		rest := strings.TrimLeft(own, blanks)
		switch {
		case strings.HasPrefix(own, prefix) && rest != "":
			edits = append(edits, model.ReplaceEdit(text.Span{Start: start, End: start + len(prefix)}, indent))
		case rest != "" && strings.IndexByte("#)]}", rest[0]) < 0:
			return nil, false
		}
	}
	return edits, true
}

// lostToLineEnds reports once that the line ends of a file cost it names.
func lostToLineEnds(out *findings, f File) {
	if !strings.Contains(f.Doc.Text(), "\r\n") {
		return
	}
	for name, l := range f.lineNames() {
		end := f.Doc.Lines().LineText(f.Doc.Lines().Line(name.Span().Start)).End
		if !l.ended || !strings.HasPrefix(f.Doc.Text()[end:], "\r\n") || l.what == "step" && indentation(f.Doc, f.Doc.Lines().Line(name.Span().Start)) == "" {
			continue
		}
		first := firstLineEnd(f)
		d := out.warn(f.Doc.Lines().LineText(f.Doc.Lines().Line(first)),
			"With the line ends of Windows the platform drops names that fill their line, such as the %s `%s`: end lines with `\\n` alone.", l.what, syntax.Unquote(name.Text()))
		d.Fixes = append(d.Fixes, unixLineEnds(f.Doc.Text()))
		return
	}
}

// firstLineEnd returns the first Windows line end in a file. If comments at the beginning suppress
// something, it is that of the line they are about.
func firstLineEnd(f File) int {
	first := strings.Index(f.Doc.Text(), "\r\n")
	for _, c := range suppressionsIn(f.File) {
		line := f.Doc.Lines().Line(c.span.Start)
		if c.line > line && slices.Index(nextLines(f.File), c.line) == 0 {
			return f.Doc.Lines().LineText(c.line).End
		}
	}
	return first
}

// lineNames returns the names of the file's sections, with what each is to the platform.
func (f File) lineNames() iter.Seq2[model.PositionedNode, *nameInSection] {
	return func(yield func(model.PositionedNode, *nameInSection) bool) {
		for _, s := range f.Doc.Sections() {
			l := lineNameOf(f.Kind, s.Name())
			if l == nil {
				continue
			}
			for _, e := range s.Entries {
				if l.isName(e.Root()) && !yield(model.PositionedNode{Node: e.Root().KeyNode(), Offset: e.Offset}, l) {
					return
				}
			}
		}
	}
}

// unixLineEnds returns the fix that ends each line with a line feed alone.
func unixLineEnds(source string) model.Fix {
	fix := model.Fix{Title: "End the lines of the file with `\\n` alone", LineEnds: true}
	for at := 0; ; at += len("\r\n") {
		next := strings.Index(source[at:], "\r\n")
		if next < 0 {
			return fix
		}
		at += next
		fix.Edits = append(fix.Edits, model.ReplaceEdit(text.Span{Start: at, End: at + len("\r\n")}, "\n"))
	}
}

// commentLoss is a comment that makes the platform drop the name before it.
type commentLoss struct {
	comment, key     syntax.Node
	what, name, lost string
	severity         model.Severity
}

// lostToComments finds names that share their line with a comment.
func lostToComments(out *findings, f File) {
	for _, s := range f.Doc.Sections() {
		commentsIn(f, s, func(p syntax.PositionedEntry, c commentLoss) {
			d := out.add(c.severity, c.key.Span().Shift(p.Offset), "The platform drops the %s `%s`, %s, since a comment follows on its line.", c.what, c.name, c.lost)
			d.Fixes = append(d.Fixes, aboveItsLine(f.Doc, c.comment.Span().Shift(p.Offset)))
		})
	}
}

// commentsIn calls give with each commentLoss of a section, and its entry.
func commentsIn(f File, s syntax.Section, give func(syntax.PositionedEntry, commentLoss)) {
	for p := range s.HeadAndEntries() {
		if strings.IndexByte(p.Text(), '#') < 0 {
			continue
		}
		for _, c := range commentLosses(f.Kind, s.Name(), p == s.Head, p.Root()) {
			give(p, c)
		}
	}
}

// commentLosses returns the comments of an entry that make the platform drop something.
func commentLosses(kind model.FileKind, section string, head bool, root syntax.Node) (found []commentLoss) {
	add := func(line syntax.Node, what, name, lost string, severity model.Severity) {
		if comment, ok := commentAfter(line); ok {
			found = append(found, commentLoss{comment, line.KeyNode(), what, name, lost, severity})
		}
	}
	info, known := model.LookupSection(section)
	switch l := lineNameOf(kind, section); {
	case head:
		if known && info.Fits(kind) && isKeyWithoutValue(root) {
			add(root, "section", root.Key(), withAllBelow, model.Warning)
		}
	case section == "HANDOFF" || section == "DELEGATE":
		if first := root.FirstBlockChild(); root.Kind() == syntax.ListItem && isAgentKey(first) {
			add(first, "entry", first.Key()+": "+first.Value().UnquotedText(), withAllBelow, model.Warning)
		}
	case l == nil || !l.commented:
	case l.what == "step" && strings.EqualFold(root.Key(), "steps"):
		for step := range root.BlockChildren() {
			if isKeyWithoutValue(step) && step.Kind() != syntax.ListItem {
				add(step, l.what, step.Key(), l.lost, l.severity)
			}
		}
	case l.isName(root):
		add(root, l.what, root.Key(), l.lost, l.severity)
	}
	return found
}

func isAgentKey(n syntax.Node) bool {
	return strings.EqualFold(n.Key(), "TO") || strings.EqualFold(n.Key(), "AGENT")
}

// commentAfter returns the comment on the line of a key.
func commentAfter(n syntax.Node) (syntax.Node, bool) {
	key := n.KeyNode().Span()
	for c := range n.Preorder() {
		if c.Kind() == syntax.Comment && c.Span().Start > key.End {
			between := n.Entry().Text()[key.End:c.Span().Start]
			return c, !strings.ContainsAny(between, "\r\n") && strings.HasPrefix(c.Text(), "#")
		}
	}
	return syntax.Node{}, false
}

// secondAgents finds every agent of a file except the first.
func secondAgents(out *findings, f File) {
	if !isAgentKind(f.Kind) {
		return
	}
	seen := false
	for s := range f.Doc.Sections().Named("AGENT", "SUPERVISOR") {
		if seen {
			out.info(keywordOf(s), "The platform takes one agent of a file and drops `%s`; move it into a file of its own.", s.Head.Root().Value().UnquotedText())
		}
		seen = true
	}
}
