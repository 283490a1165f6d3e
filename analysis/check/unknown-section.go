package check

import (
	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// unknownSection: a `KEY:` at column 0 is a section that this kind of file has.
// Those that were removed, and those of profiles in an agent, have codes of
// their own.
var unknownSection = Check{
	Code: "unknown-section",
	File: func(f File) []analysis.Diagnostic {
		var out findings
		known := f.sectionNames()
		for _, s := range f.Doc.Sections() {
			_, ok := f.sectionOf(s)
			switch {
			case ok || s.Name() == "" || s.Indented || isRemoved(s) || f.isOfProfiles(s):
			case isTemplate(s) && f.sectionKind() != analysis.Library && f.sectionKind() != analysis.Profile:
			default:
				unknownKeyword(&out, f, s, known)
			}
		}
		return out
	},
}

func unknownKeyword(out *findings, f File, s syntax.Section, known []string) {
	at, key := keywordOf(s), s.Head.Root().Key()
	if info, ok := analysis.LookupSection(s.Name()); ok {
		out.warn(at, "`%s` is no section of %s.", info.Name, kindWords[f.sectionKind()])
		return
	}
	near := analysis.Nearest(s.Name(), known)
	switch {
	case near != "":
		d := out.warn(at, "`%s` is no section; did you mean `%s`?", key, near)
		if info, _ := analysis.LookupSection(near); info.Repeat != analysis.Once || !f.hasSection(near) {
			d.Fixes = append(d.Fixes, analysis.Change("Write `"+near+"`", at, near))
		}
	case f.inTools(s):
		out.warn(at, "`%s` is no section but a property of a tool: indent it deeper than the tool's signature.", key)
	default:
		out.warn(at, "`%s` is no section that the language has.", key)
	}
}

// kindWords name the kinds of files to readers.
var kindWords = map[analysis.FileKind]string{
	analysis.Agent:      "an agent",
	analysis.Supervisor: "a supervisor",
	analysis.Library:    "a tool library",
	analysis.Profile:    "a behaviour profile",
}

// sectionNames are the sections that the file may have.
func (f File) sectionNames() []string {
	var names []string
	for _, info := range analysis.Sections() {
		if info.Fits(f.sectionKind()) {
			names = append(append(names, info.Name), info.Aliases...)
		}
	}
	return names
}

// isOfProfiles reports whether a section of behaviour profiles stands in an
// agent, which misplaced-property reports.
func (f File) isOfProfiles(s syntax.Section) bool {
	return f.isAgent() && (s.Name() == "PRIORITY" || s.Name() == "WHEN")
}

// inTools reports whether a section is named as a property of tools, and the
// file has tools.
func (f File) inTools(s syntax.Section) bool {
	return len(f.Tools) > 0 && isOfTools(s.Name())
}
