package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// What BEHAVIOR says of an agent, for invalid-value and deprecated-spelling.

// behavior is one section BEHAVIOR; spans are those of the file.
type behavior struct {
	keyword      text.Span
	inSupervisor bool
	role, direct analysis.Property // `role` and `canRespondDirectly`; zero where they are not there
	roleAt       text.Span         // of the value
	directAt     text.Span         // of the value
}

// behaviors are the sections BEHAVIOR of a file.
func (f File) behaviors() []behavior {
	var all []behavior
	inSupervisor := false
	for _, s := range f.Doc.Sections() {
		switch s.Name() {
		case "AGENT", "SUPERVISOR":
			inSupervisor = s.Name() == "SUPERVISOR"
		case "BEHAVIOR":
			b := behavior{keyword: keywordOf(s), inSupervisor: inSupervisor}
			b.read(analysis.HeadProperty(f.Kind, s.Name(), s.Head.Root()).Properties(), s.Head.Offset)
			for _, e := range s.Entries {
				b.read(analysis.SectionProperties(f.Kind, s.Name(), e.Root()), e.Offset)
			}
			all = append(all, b)
		}
	}
	return all
}

func (b *behavior) read(props []analysis.Property, offset int) {
	for _, p := range props {
		switch p.Name() {
		case "role":
			b.role, b.roleAt = p, p.Value.Span().Shift(offset)
		case "canRespondDirectly":
			b.direct, b.directAt = p, p.Value.Span().Shift(offset)
		}
	}
}

// wrongRoles: a supervisor is no assistant, and whether an agent answers itself
// follows from its role.
func wrongRoles(out *findings, f File) {
	for _, b := range f.behaviors() {
		role := strings.ToLower(b.role.Text())
		if b.inSupervisor && role == "assistant" {
			out.err(b.roleAt, "A supervisor is a `router` or an `orchestrator`, and no `assistant`.")
		}
		against := map[string]string{"router": "true", "orchestrator": "false"}[role]
		if against != "" && strings.EqualFold(b.direct.Text(), against) {
			out.err(b.directAt, "`canRespondDirectly: %s` contradicts `role: %s`; delete it.", against, role)
		}
	}
}
