package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// unknownSection: a `KEY:` at column 0 is a section that this kind of file has. Removed sections,
// and sections of profiles in an agent, have codes of their own.
var unknownSection = Check{
	Code: "unknown-section",
	Form: true,
	File: func(out *findings, f File) {
		lost := false // the line above is no section, and may be a flow
		for _, s := range f.Doc.Sections() {
			_, ok := f.sectionOf(s)
			isStep := lost && s.Name() != s.Head.Root().Key() && s.Head.Root().Value().IsZero() && len(s.Entries) > 0
			if s.Head.Kind() != syntax.Comment && !isStep {
				lost = !ok
			}
			switch {
			case isStep:
			case ok || s.Name() == "" || s.Indented || isRemoved(s) || f.isMisplacedProfileSection(s):
			case model.IsTemplateSection(s.Name()) && f.sectionKind(s) != model.Library && f.sectionKind(s) != model.Profile:
			default:
				unknownKeyword(out, f, s)
			}
		}
	},
}

func unknownKeyword(out *findings, f File, s syntax.Section) {
	at, key := keywordOf(s), s.Head.Root().Key()
	if info, ok := model.LookupSection(s.Name()); ok {
		d := out.warn(at, "`%s` is no section of %s.", info.Name, kindWords[f.sectionKind(s)])
		d.Fixes = append(d.Fixes, indentFixes(f, s)...)
		return
	}
	near := model.Nearest(s.Name(), f.sectionNames(s))
	switch {
	case near != "":
		d := out.warn(at, "`%s` is no section; did you mean `%s`?", key, near)
		if info, _ := model.LookupSection(near); info.Repeat != model.RepeatOnce || !f.PartAt(at.Start).HasSection(near) {
			d.Fixes = append(d.Fixes, model.ParseFix("Write `"+near+"`", at, near))
		}
	case f.isToolProperty(s):
		d := out.warn(at, "`%s` is no section but a property of a tool: indent it deeper than the tool's signature.", key)
		d.Fixes = append(d.Fixes, indentFixes(f, s)...)
	default:
		out.warn(at, "`%s` is no section that the language has.", key)
	}
}

// indentFixes returns the fix that indents a property at column 0 like the line above or below it;
// none if that is at column 0, and for what looks like a section.
func indentFixes(f File, s syntax.Section) []model.Fix {
	at, lines := keywordOf(s).Start, f.Doc.Lines()
	if s.Head.Root().Key() == s.Name() {
		return nil
	}
	line := lines.Line(at)
	for _, sibling := range []int{line + 1, line - 1} {
		if sibling < 0 || sibling >= lines.LineCount() {
			continue
		}
		span := lines.LineText(sibling)
		source := f.Doc.Text()[span.Start:span.End]
		rest := strings.TrimLeft(source, " \t")
		indent := source[:len(source)-len(rest)]
		if isSignature := strings.Contains(source, ") ->"); isSignature {
			indent += indent
		}
		if indent != "" && strings.TrimSpace(rest) != "" && rest[0] != '-' {
			return []model.Fix{model.ReplaceFix("Indent it", text.Span{Start: at, End: at}, indent)}
		}
	}
	return nil
}

// kindWords name the kinds of files to readers.
var kindWords = map[model.FileKind]string{
	model.Agent:      "an agent",
	model.Supervisor: "a supervisor",
	model.Library:    "a tool library",
	model.Profile:    "a behaviour profile",
}

// sectionNames returns the sections that may be in the place of a section.
func (f File) sectionNames(s syntax.Section) []string {
	var names []string
	for _, info := range model.Sections() {
		if info.Fits(f.sectionKind(s)) {
			names = append(append(names, info.Name), info.Aliases...)
		}
	}
	return names
}

// isMisplacedProfileSection reports whether a section of behaviour profiles is in an agent, which
// misplaced-property reports.
func (f File) isMisplacedProfileSection(s syntax.Section) bool {
	return f.isAgent() && isProfileSection(s.Name())
}

// isToolProperty reports whether a section has the name of a property of tools, and the file has
// tools.
func (f File) isToolProperty(s syntax.Section) bool {
	return len(f.Tools) > 0 && isToolField(s.Name())
}
