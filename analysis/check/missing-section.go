package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// missingSection: a file has the sections that its kind must have. What a plain
// `.abl` file is, its first section says; where that is no declaration, it may be
// a fragment, and nothing is missing.
var missingSection = Check{
	Code: "missing-section",
	File: func(f File) []analysis.Diagnostic {
		var out findings
		if isTooLarge(f) {
			return nil
		}
		switch {
		case f.isAgent():
			agentSections(&out, f)
		case f.Kind == analysis.Library:
			librarySection(&out, f)
		case f.Kind == analysis.Profile:
			if missing := f.without("BEHAVIOR_PROFILE", "PRIORITY", "WHEN"); len(missing) > 0 {
				f.lacks(&out, missing, "A behaviour profile needs %s.", listed(missing))
			}
		}
		return out
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

func agentSections(out *findings, f File) {
	var missing []string
	if !f.hasSection("AGENT") && !f.hasSection("SUPERVISOR") {
		missing = append(missing, "AGENT")
	}
	if !f.hasSection("GOAL") && !f.hasRole() {
		missing = append(missing, "GOAL")
	}
	if len(missing) > 0 {
		f.lacks(out, missing, "An agent needs %s.", listed(missing))
	}
}

// hasRole reports whether an IDENTITY supplies the goal.
func (f File) hasRole() bool {
	isRole := func(n syntax.Node) bool { return strings.EqualFold(n.Key(), "role") }
	for _, s := range f.Doc.Sections() {
		if s.Name() != "IDENTITY" {
			continue
		}
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
	if f.hasSection("TOOLS") { // further down
		out.err(f.head(), message)
		return
	}
	f.lacks(out, []string{"TOOLS"}, message)
}

// lacks reports sections that are missing.
func (f File) lacks(out *findings, missing []string, format string, args ...any) {
	d := out.err(f.head(), format, args...)
	if fix, ok := f.addSections(missing); ok {
		fix.Best = false
		d.Fixes = append(d.Fixes, fix)
	}
}

func (f File) without(sections ...string) []string {
	var missing []string
	for _, name := range sections {
		if !f.hasSection(name) && !f.hasInProfile(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// hasInProfile reports whether a key stands indented below the profile's own
// section, as it does where an agent holds a profile.
func (f File) hasInProfile(name string) bool {
	for _, s := range f.Doc.Sections() {
		if s.Name() != "BEHAVIOR_PROFILE" {
			continue
		}
		for _, e := range s.Entries {
			if strings.EqualFold(e.Root().Key(), name) {
				return true
			}
		}
	}
	return false
}

// head is the keyword that says what the file is, else its first one, else the
// first line that is no comment, else the file's beginning.
func (f File) head() text.Span {
	var first text.Span
	for _, s := range f.Doc.Sections() {
		span := keywordOf(s)
		if isDeclaration(s) {
			return span
		}
		if first.Empty() && s.Name() != "" {
			first = span
		}
	}
	for e := range entries(f.Doc) {
		if first.Empty() && e.Kind() != syntax.Comment {
			first = text.Span{Start: e.Offset, End: e.Offset}
		}
	}
	return first
}

// listed names sections with an "and" before the last.
func listed(sections []string) string {
	s := "`" + strings.Join(sections, ":`, `") + ":`"
	if i := strings.LastIndex(s, ", "); i >= 0 {
		s = s[:i] + " and" + s[i+1:]
	}
	return s
}
