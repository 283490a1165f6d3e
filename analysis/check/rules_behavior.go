package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// What BEHAVIOR says of an agent, for several codes.

// behavior has what one section BEHAVIOR says. Spans are relative to the file.
type behavior struct {
	keyword      text.Span
	part         *model.Part
	role, direct model.Property // `role` and `canRespondDirectly`; zero if they are missing
	roleAt       text.Span      // of its value
	directAt     text.Span      // of its value
}

// behaviors returns the sections BEHAVIOR of a file.
func (f File) behaviors() []behavior {
	var all []behavior
	for s := range f.Doc.Sections().Named("BEHAVIOR") {
		b := behavior{keyword: keywordOf(s), part: f.PartAt(s.Head.Offset)}
		b.read(model.HeadProperty(f.Kind, s.Name(), s.Head.Root()).Properties(), s.Head.Offset)
		for _, e := range s.Entries {
			b.read(model.SectionProperties(f.Kind, s.Name(), e.Root()), e.Offset)
		}
		all = append(all, b)
	}
	return all
}

// roleWord returns the role of an agent; "" if none is given.
func (b *behavior) roleWord() string { return strings.ToLower(b.role.Text()) }

// delegatingRouters finds DELEGATE in a router, which may only hand over.
func delegatingRouters(out *findings, f File) {
	for _, b := range f.behaviors() {
		if b.roleWord() != "router" {
			continue
		}
		for s := range b.part.Sections.Named("DELEGATE") {
			out.err(keywordOf(s), "A `router` does not delegate; write `HANDOFF:`, or make the agent an `orchestrator`.")
		}
	}
}

// idleRouters: a router has an agent to hand over to.
func idleRouters(out *findings, f File) {
	for _, b := range f.behaviors() {
		if b.roleWord() == "router" && !b.part.HasSection("HANDOFF") && !b.part.HasSection("ROUTING") {
			out.err(b.roleAt, "A `router` needs `HANDOFF:`, or the `ROUTING:` of a supervisor, to send the user on.")
		}
	}
}

func (b *behavior) read(props []model.Property, offset int) {
	for _, p := range props {
		switch p.Name() {
		case "role":
			b.role, b.roleAt = p, p.Value.Span().Shift(offset)
		case "canRespondDirectly":
			b.direct, b.directAt = p, p.Value.Span().Shift(offset)
		}
	}
}

// wrongRoles: a supervisor is no assistant, and the role decides whether an agent answers itself.
func wrongRoles(out *findings, f File) {
	for _, b := range f.behaviors() {
		role := b.roleWord()
		if b.part.Kind == model.Supervisor && role == "assistant" {
			out.err(b.roleAt, "A supervisor is a `router` or an `orchestrator`, and no `assistant`.")
		}
		against := map[string]string{"router": "true", "orchestrator": "false"}[role]
		if against != "" && strings.EqualFold(b.direct.Text(), against) {
			out.err(b.directAt, "`canRespondDirectly: %s` contradicts `role: %s`; delete it.", against, role)
		}
	}
}
