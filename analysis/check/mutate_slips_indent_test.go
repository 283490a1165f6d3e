package check_test

import (
	"slices"
	"strings"
)

// Slips of indentation: they count where they change what a line is part of.

// ofIndentation begins the names of slips of indentation.
const ofIndentation = "indent: "

func indentSlips() []slip {
	codes := []string{"syntax-error", "section-indent", "section-case", "platform-loss", "unknown-property", "unknown-section",
		"misplaced-property", "duplicate-section", "duplicate-property", "invalid-value", "invalid-signature", "removed-section"}
	shifted := func(name string, by int) slip {
		return slip{ofIndentation + name, func(p slipPlace) ([]string, []int) {
			isKey := p.isProperty() || p.isName() || p.isSection()
			if !isKey || p.isOpen() || p.value == "|" || p.indent == 0 && by < 0 || p.isOff(by) || p.profile && p.isSection() {
				return nil, nil
			}
			line := strings.Repeat(" ", max(0, by)) + strings.TrimPrefix(p.line(), strings.Repeat(" ", max(0, -by)))
			lines, at := p.moved(p.with(line))
			if next, _ := p.next(); by == 2 && (p.dash || strings.HasPrefix(strings.TrimLeft(next, " "), "- ")) {
				at = append(at, p.index+1) // which may as well be the one that is wrong
			}
			return lines, at
		}, codes, nil}
	}
	return []slip{
		shifted("a space too many", 1),
		shifted("two spaces too many", 2),
		shifted("a space too few", -1),
		shifted("two spaces too few", -2),
		{ofIndentation + "a dash too many", func(p slipPlace) ([]string, []int) {
			if !p.isProperty() && !p.isName() || p.dash || p.value == "|" || p.isSignature() {
				return nil, nil
			}
			return p.moved(p.with(p.head() + "- " + p.line()[p.indent:]))
		}, codes, nil},
		{ofIndentation + "a list at the depth of its key", func(p slipPlace) ([]string, []int) {
			next, ok := p.next()
			if p.text || p.isOpen() || p.isProse() || p.key == "" || p.value != "" || !ok || !strings.HasPrefix(next, p.pad()+"  - ") {
				return nil, nil
			}
			lines := slices.Clone(p.lines)
			for i := p.index + 1; i < len(lines) && (strings.TrimSpace(lines[i]) == "" || indentOf(lines[i]) > p.indent); i++ {
				lines[i] = strings.TrimPrefix(lines[i], "  ")
			}
			lines, _ = p.moved(lines)
			return lines, []int{slices.Index(p.lines[p.index+1:], next) + p.index + 1}
		}, codes, nil},
	}
}

func (p slipPlace) pad() string { return strings.Repeat(" ", p.indent) }

// isOff reports whether the line may be off by that many columns: a key of a step or an item may be
// deeper than the one above it, if that has a value.
func (p slipPlace) isOff(by int) bool {
	owner := owners(p.lines)[p.index]
	ofItem := !p.dash && owner >= 0 && strings.HasPrefix(strings.TrimLeft(p.lines[owner], " "), "- ")
	if ofStep := p.section == "FLOW" && len(p.above) == 2; !ofStep && !ofItem {
		return false
	}
	return by > 0 || by == -1 && (p.value != "" || ofItem)
}

// moved returns the lines, and the place's own one, if a line belongs to another line than before.
func (p slipPlace) moved(lines []string) ([]string, []int) {
	if slices.Equal(owners(lines), owners(p.lines)) {
		return nil, nil
	}
	return lines, []int{p.index}
}

// owners returns for each line the line whose block contains it, negative for none.
func owners(lines []string) []int {
	type opener struct{ indent, line int }
	out := make([]int, len(lines))
	var open []opener
	for i, line := range lines {
		body := strings.TrimSpace(line)
		if body == "" || body[0] == '#' {
			continue
		}
		n := indentOf(line)
		for len(open) > 0 && open[len(open)-1].indent >= n {
			open = open[:len(open)-1]
		}
		if out[i] = -1; len(open) > 0 {
			out[i] = open[len(open)-1].line
		}
		open = append(open, opener{n, i})
		if rest, ok := strings.CutPrefix(body, "- "); ok {
			open = append(open, opener{n + len(body) - len(strings.TrimLeft(rest, " ")), i})
		}
	}
	return out
}
