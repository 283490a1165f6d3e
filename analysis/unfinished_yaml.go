package analysis

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// unfinishedYAML is the part of an agent in YAML that a person is typing. All spans are in the YAML.
// It goes by the indentation of lines only, since a line that is being typed may not fit the tree.
type unfinishedYAML struct {
	edited     text.Span   // the edited lines
	opener     text.Span   // the line whose block contains them
	around     []text.Span // all such lines, up to the root key's
	entry      text.Span   // the same with their tool, step, or other item or member of a root key's value
	flow       text.Span   // the value of the root key `flow` with its key if they are in it, else empty
	isLastStep bool        // no step follows them
	isOpen     bool        // a bracket or a quote is not closed yet, so the lines below may not be read as what they are
}

func unfinishedYAMLAt(f *model.File, edited text.Span) unfinishedYAML {
	b := yamlBlocks{f.Text(), f.Written().Doc.Lines()}
	line := b.lines.Line(edited.Start)
	around := b.around(line)
	u := unfinishedYAML{edited: edited, opener: b.lines.LineText(line), entry: edited}
	u.isOpen = isOpen(b.source[edited.Start:edited.End])
	if len(around) > 1 {
		u.opener = b.lines.LineText(around[len(around)-2])
	}
	for _, i := range around {
		u.around = append(u.around, b.lines.LineText(i))
	}
	at := min(1, len(around)-1)
	if at+1 < len(around) && b.key(around[at]) == "steps" {
		at++
	}
	if at > 0 {
		u.entry = union(edited, b.block(around[at]))
	}
	if b.key(around[0]) == "flow" {
		u.flow = union(edited, b.block(around[0]))
		u.isLastStep = strings.TrimSpace(b.source[u.entry.End:u.flow.End]) == ""
	}
	return u
}

// explains is [Unfinished.Explains] for a diagnostic whose span is in the YAML.
func (u unfinishedYAML) explains(d model.Diagnostic) bool {
	switch {
	case overlap(u.edited, d.Span), u.isOpen && dependsOnBelow(d.Code):
		return true
	case d.Code == "undefined-step":
		return u.isLastStep
	case d.Code == "unreachable-step":
		return !u.flow.Empty()
	case d.Code == "invalid-value": // what is below a key is its value
		return overlap(u.opener, d.Span)
	case strings.HasPrefix(d.Code, "missing-") && slices.ContainsFunc(u.around, func(line text.Span) bool { return overlap(line, d.Span) }):
		return true
	case d.Code == "syntax-error", strings.HasPrefix(d.Code, "missing-"), slices.Contains(unfinishedInTool, d.Code):
		return overlap(u.entry, d.Span)
	}
	return false
}

// dependsOnBelow reports whether diagnostics with a code may be due to lines that are not read.
func dependsOnBelow(code string) bool {
	for _, about := range []string{"undefined-", "unreachable-", "unused-", "missing-", "duplicate-", "syntax-error"} {
		if strings.HasPrefix(code, about) {
			return true
		}
	}
	return false
}

// isOpen reports whether a bracket or a quote with which a value begins is not closed.
func isOpen(line string) bool {
	depth, quote := 0, byte(0)
	for i := range len(line) {
		c := line[i]
		isStart := i == 0 || strings.IndexByte(" \t,[{", line[i-1]) >= 0
		switch {
		case quote != 0:
			if c == quote && line[i-1] != '\\' {
				quote = 0
			}
		case isStart && c == '#':
			return depth > 0
		case isStart && (c == '"' || c == '\''):
			quote = c
		case isStart && (c == '[' || c == '{'):
			depth++
		case depth > 0 && (c == ']' || c == '}'):
			depth--
		}
	}
	return depth > 0 || quote != 0
}

// yamlBlocks finds the blocks of a YAML text by the indentation of its lines.
type yamlBlocks struct {
	source string
	lines  *text.Lines
}

// written returns the line without its indentation, and how deep it is: an item is deeper than a key
// in the same column, since it may belong to that key, and so is a bracket that closes its value.
func (b yamlBlocks) written(line int) (content string, depth int) {
	s := b.lines.LineText(line)
	content = strings.TrimLeft(b.source[s.Start:s.End], " ")
	depth = 2 * (s.Len() - len(content))
	if content == "-" || strings.HasPrefix(content, "- ") || strings.HasPrefix(content, "}") || strings.HasPrefix(content, "]") {
		depth++
	}
	return content, depth
}

// around returns the lines whose blocks contain a line, from the root key on, and the line itself.
func (b yamlBlocks) around(line int) []int {
	found := []int{line}
	_, depth := b.written(line)
	for i := line - 1; i >= 0 && depth > 0; i-- {
		if content, d := b.written(i); d < depth && !isBlankOrComment(content) {
			found, depth = append(found, i), d
		}
	}
	slices.Reverse(found)
	return found
}

// block returns the span of a line and of the deeper lines below it.
func (b yamlBlocks) block(first int) text.Span {
	s := b.lines.LineText(first)
	_, depth := b.written(first)
	for i := first + 1; i < b.lines.LineCount(); i++ {
		if content, d := b.written(i); d <= depth && !isBlankOrComment(content) {
			break
		}
		s.End = b.lines.LineText(i).End
	}
	return s
}

// key returns the key with which a line begins, else "".
func (b yamlBlocks) key(line int) string {
	content, _ := b.written(line)
	key, _, _ := strings.Cut(content, ":")
	return key
}

func isBlankOrComment(content string) bool { return content == "" || content[0] == '#' }
