package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// missingSection: each agent, supervisor and behaviour profile of a file has its required sections,
// and so has a library. The first section of a plain `.abl` file decides what the file is; if that
// is no declaration, the file may be a fragment, and nothing is missing.
var missingSection = Check{
	Code: "missing-section",
	Form: true,
	File: func(out *findings, f File) {
		if isTooLarge(f) {
			return
		}
		switch {
		case f.isAgent():
			for i := range f.Parts() {
				agentSections(out, f, &f.Parts()[i])
			}
		case f.Kind == model.Library:
			librarySection(out, f)
		case f.Kind == model.Profile:
			for i := range f.Parts() {
				profileLacks(out, f, &f.Parts()[i])
			}
		}
	},
}

func isTooLarge(f File) bool {
	for _, p := range f.Doc.Problems() {
		if p.Kind == syntax.TooLarge {
			return true
		}
	}
	return false
}

func agentSections(out *findings, f File, part *model.Part) {
	var missing []string
	if _, ok := part.Declaration(); !ok {
		missing = append(missing, f.declaration())
	}
	if !part.HasSection("GOAL") && !hasRole(part) {
		missing = append(missing, "GOAL")
	}
	if len(missing) > 0 {
		f.reportLacking(out, part, missing, "An agent needs %s.", joinSections(missing))
	}
	lacksRole := !hasRole(part)
	for i, s := range part.Sections {
		isNeeded := isDeclaration(s) && s.Name() != "BEHAVIOR_PROFILE" || s.Name() == "GOAL" && lacksRole
		if isNeeded && isEmptySection(part.Sections, i) {
			out.err(keywordOf(s), "`%s:` is empty; an agent needs it.", s.Name())
		}
	}
}

// isEmptySection reports whether a section has neither a value nor anything below it, other
// sections included.
func isEmptySection(sections []syntax.Section, i int) bool {
	holdsSections := i+1 < len(sections) && sections[i+1].Indented
	_, below := firstEntry(sections[i])
	v := sections[i].Head.Root().Value()
	return !holdsSections && !below && (v.IsZero() || v.Kind() == syntax.PipeBlock && strings.TrimSpace(v.UnquotedText()) == "" || v.Kind() == syntax.String && v.UnquotedText() == "")
}

// declaration returns the keyword that the file lacks: a supervisor is known by its name, or by the
// sections that no agent has.
func (f File) declaration() string {
	if strings.HasSuffix(strings.ToLower(f.Path), ".supervisor.abl") {
		return "SUPERVISOR"
	}
	for _, s := range f.Doc.Sections() {
		info, ok := model.LookupSection(s.Name())
		if ok && !info.Fits(model.Agent) && info.Fits(model.Supervisor) {
			return "SUPERVISOR"
		}
	}
	return "AGENT"
}

func profileLacks(out *findings, f File, part *model.Part) {
	var missing []string
	for _, name := range []string{"BEHAVIOR_PROFILE", "PRIORITY", "WHEN"} {
		if !part.HasSection(name) && !hasInProfile(part, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		f.reportLacking(out, part, missing, "A behaviour profile needs %s.", joinSections(missing))
	}
}

// hasRole reports whether an IDENTITY supplies the goal.
func hasRole(part *model.Part) bool {
	isRole := func(n syntax.Node) bool { return strings.EqualFold(n.Key(), "role") }
	for s := range part.Sections.Named("IDENTITY") {
		for c := range s.Head.Root().Value().Children() {
			if isRole(c) {
				return true
			}
		}
		for _, e := range s.Entries {
			if isRole(e.Root()) {
				return true
			}
		}
	}
	return false
}

func librarySection(out *findings, f File) {
	for _, s := range f.Doc.Sections() {
		if s.Name() == "TOOLS" {
			return
		}
		if s.Name() != "" {
			break
		}
	}
	const message = "A tool library begins with the section `TOOLS:`."
	if f.Doc.Sections().Has("TOOLS") { // further down
		out.err(f.headSpan(f.Parts()[0].Sections), message)
		return
	}
	f.reportLacking(out, &f.Parts()[0], []string{"TOOLS"}, message)
}

// reportLacking reports sections that a part lacks.
func (f File) reportLacking(out *findings, part *model.Part, missing []string, format string, args ...any) {
	d := out.err(f.headSpan(part.Sections), format, args...)
	if fix, ok := f.addSections(part.Sections, missing); ok {
		fix.Best = false
		fix.ChangesParse = missing[0] == "SUPERVISOR"
		d.Fixes = append(d.Fixes, fix)
	}
}

// hasInProfile reports whether a key is indented below the profile's own section, as in an agent
// that contains a profile.
func hasInProfile(part *model.Part, name string) bool {
	for s := range part.Sections.Named("BEHAVIOR_PROFILE") {
		for _, e := range s.Entries {
			if strings.EqualFold(e.Root().Key(), name) {
				return true
			}
		}
	}
	return false
}

// headSpan returns the span of the keyword that declares a part, else of its first section, else of
// the first line of the file that is no comment, else the beginning of the file.
func (f File) headSpan(sections []syntax.Section) text.Span {
	var first text.Span
	for _, s := range sections {
		span := keywordOf(s)
		if isDeclaration(s) {
			return span
		}
		if first.Empty() && s.Name() != "" {
			first = span
		}
	}
	for _, e := range f.Doc.HeadsAndEntries() {
		if first.Empty() && e.Kind() != syntax.Comment {
			first = text.Span{Start: e.Offset, End: e.Offset}
		}
	}
	return first
}

// joinSections lists sections with an "and" before the last one.
func joinSections(sections []string) string {
	s := "`" + strings.Join(sections, ":`, `") + ":`"
	if i := strings.LastIndex(s, ", "); i >= 0 {
		s = s[:i] + " and" + s[i+1:]
	}
	return s
}
