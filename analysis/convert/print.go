package convert

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// member is a key with its value, or an item of a list, which has no key.
type member struct {
	key   string
	start int // where it is in the source; -1 if it is made up
	value value

	above    []string // comments on lines of their own
	trailing string   // the comment on its line
	blank    bool     // a blank line is above it and its comments
}

// value is what follows a key or a dash: a text on the line, the lines of a text block, or members.
type value struct {
	text    string
	lines   []string
	members []*member
	isList  bool // of members
}

// isZero reports whether there is nothing to write.
func (v value) isZero() bool { return v.text == "" && v.lines == nil && v.members == nil }

// addItem adds an item to a list.
func (v *value) addItem(start int, item value) {
	if !item.isZero() {
		v.members = append(v.members, &member{start: start, value: item})
	}
}

// writeMembers writes members one after the other.
func writeMembers(b *strings.Builder, members []*member, indent string) {
	for i, m := range members {
		if m.blank && i > 0 {
			b.WriteByte('\n')
		}
		for _, comment := range m.above {
			b.WriteString(indent + comment + "\n")
		}
		b.WriteString(indent)
		if m.key == "" {
			m.printItem(b, indent)
		} else {
			b.WriteString(plainOrQuoted(m.key, true) + ":")
			m.printValue(b, indent)
		}
	}
}

// printItem writes an item of a list. What it has begins on the line of its dash.
func (m *member) printItem(b *strings.Builder, indent string) {
	b.WriteByte('-')
	if len(m.value.members) == 0 {
		m.printValue(b, indent)
		return
	}
	var below strings.Builder
	writeMembers(&below, m.value.members, indent+"  ")
	b.WriteString(" " + strings.TrimPrefix(below.String(), indent+"  "))
}

func (m *member) printValue(b *strings.Builder, indent string) {
	v := m.value
	switch {
	case v.lines != nil:
		b.WriteString(" |")
		if first := strings.TrimLeft(v.lines[0], " "); first != v.lines[0] || first == "" {
			b.WriteByte('2') // the first line does not tell the indentation
		}
	case v.text != "":
		b.WriteString(" " + v.text)
	}
	if m.trailing != "" {
		b.WriteString(" " + m.trailing)
	}
	b.WriteByte('\n')
	for _, line := range v.lines {
		b.WriteString(strings.TrimRight(indent+"  "+line, " ") + "\n")
	}
	writeMembers(b, v.members, indent+"  ")
}

// hoist moves the comments above the first member of an item to the item, since both begin on one
// line.
func hoist(members []*member) {
	for _, m := range members {
		hoist(m.value.members)
		if m.key != "" || len(m.value.members) == 0 {
			continue
		}
		first := m.value.members[0]
		m.above = append(m.above, first.above...)
		first.above, first.blank = nil, false
		if m.trailing != "" && first.trailing == "" {
			first.trailing, m.trailing = m.trailing, ""
		} else if m.trailing != "" {
			m.above = append(m.above, m.trailing)
		}
	}
}

// attachComments gives each comment of a text to the member on its line or, if it is on a line of
// its own, to the next member. It returns those after the last member.
func attachComments(members []*member, lines *text.Lines, comments []text.Span) (rest []string) {
	all := inSourceOrder(members)
	for _, m := range all {
		m.blank = isBlankAbove(lines, m.start)
	}
	for _, span := range comments {
		line := lines.Line(span.Start)
		next, _ := slices.BinarySearchFunc(all, span.Start, func(m *member, at int) int { return m.start - at })
		trailing := strings.TrimSpace(lines.Text()[lines.LineStart(line):span.Start]) != ""
		written := commentLines(lines.Text()[span.Start:span.End])
		switch {
		case trailing && next > 0 && lines.Line(all[next-1].start) == line && all[next-1].trailing == "" && len(written) == 1:
			all[next-1].trailing = written[0]
		case next == len(all):
			rest = append(rest, written...)
		default:
			if len(all[next].above) == 0 && !trailing {
				all[next].blank = isBlankAbove(lines, span.Start)
			}
			all[next].above = append(all[next].above, written...)
		}
	}
	return rest
}

// inSourceOrder returns the members that are from the source, those around others first.
func inSourceOrder(members []*member) (all []*member) {
	for _, m := range members {
		if m.start >= 0 {
			all = append(all, m)
		}
		all = append(all, inSourceOrder(m.value.members)...)
	}
	slices.SortStableFunc(all, func(a, b *member) int { return a.start - b.start })
	return all
}

func isBlankAbove(lines *text.Lines, offset int) bool {
	line := lines.Line(offset)
	return line > 0 && strings.TrimSpace(lines.Text()[lines.LineStart(line-1):lines.LineStart(line)]) == ""
}

// commentLines writes a comment of ABL, one of several lines too.
func commentLines(comment string) (lines []string) {
	body, isBlock := strings.CutPrefix(comment, "/*")
	if !isBlock {
		if slashes, ok := strings.CutPrefix(comment, "//"); ok {
			comment = "#" + slashes
		}
		return []string{strings.TrimRight(comment, " \t\r\n")}
	}
	for line := range strings.Lines(strings.TrimSuffix(body, "*/")) {
		if line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "*")); line != "" {
			lines = append(lines, "# "+line)
		}
	}
	return lines
}
