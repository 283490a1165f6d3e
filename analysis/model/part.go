package model

import (
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// Part is one agent, supervisor or behaviour profile of a file, with the sections up to the next
// one. Most files have a single part. What is above the first declaration belongs to the first
// part.
type Part struct {
	Kind     FileKind
	Sections syntax.Sections

	// Profiles are the behaviour profiles that an agent contains.
	Profiles []InlineProfile

	Offset          int          // offset of its first section
	owner           string       // the Owner of its steps in a [Symbol]; "" for the first part
	flow            func() *Flow // nil if there can be none
	profileSections map[int]bool // offsets of the sections of Profiles, without their heads
}

// InlineProfile is a behaviour profile inside an agent. The sections PRIORITY, WHEN, INSTRUCTIONS
// and CONVERSATION that follow it at column 0 are its own, each once, up to another section.
type InlineProfile struct {
	Head     syntax.Section
	Sections []syntax.Section
}

// Declaration returns the section that says what the part is; ok is false if it has none.
func (p *Part) Declaration() (s syntax.Section, ok bool) {
	for _, s := range p.Sections {
		if isDeclaring(s.Name(), p.Kind) {
			return s, true
		}
	}
	return syntax.Section{}, false
}

// HasSection reports whether the part has a section called name outside its inline profiles.
func (p *Part) HasSection(name string) bool {
	for _, s := range p.Sections {
		if s.Name() == name && !p.IsProfileSection(s) {
			return true
		}
	}
	return false
}

// IsProfileSection reports whether a section of the part belongs to an inline profile before it.
func (p *Part) IsProfileSection(s syntax.Section) bool { return p.profileSections[s.Head.Offset] }

// Flow returns the flow of the part; nil for a behaviour profile or a library, and if there is
// none.
func (p *Part) Flow() *Flow {
	if p.flow == nil {
		return nil
	}
	return p.flow()
}

// Parts returns the parts of the file in the order of the text, at least one for every file of the
// language. The slice is shared: do not change it.
func (f *File) Parts() []Part { return f.parts }

// PartAt returns the part that contains an offset; nil for a file that is no text of the language.
func (f *File) PartAt(offset int) *Part {
	i := sort.Search(len(f.parts), func(i int) bool { return f.parts[i].Offset > offset })
	if i == 0 {
		if len(f.parts) == 0 {
			return nil
		}
		i = 1
	}
	return &f.parts[i-1]
}

// KindAt returns the kind of the part at an offset; that of the file if it has no parts.
func (f *File) KindAt(offset int) FileKind {
	if p := f.PartAt(offset); p != nil {
		return p.Kind
	}
	return f.Kind
}

// SectionKind returns the kind that decides how a section is read: that of the inline profile to
// which it belongs, or of the part that contains it.
func (f *File) SectionKind(s syntax.Section) FileKind {
	p := f.PartAt(s.Head.Offset)
	switch {
	case p == nil:
		return f.Kind
	case p.IsProfileSection(s):
		return Profile
	}
	return p.Kind
}

// FlowAt returns the flow of the part at an offset; nil if it has none.
func (f *File) FlowAt(offset int) *Flow {
	if p := f.PartAt(offset); p != nil {
		return p.Flow()
	}
	return nil
}

// Flows returns the flows of all parts that have one.
func (f *File) Flows() []*Flow {
	var flows []*Flow
	for i := range f.parts {
		if flow := f.parts[i].Flow(); flow != nil {
			flows = append(flows, flow)
		}
	}
	return flows
}

// isDeclaring reports whether a section declares a part in a file of that kind.
func isDeclaring(section string, kind FileKind) bool {
	switch kind {
	case Agent, Supervisor:
		return section == "AGENT" || section == "SUPERVISOR"
	case Profile:
		return section == "BEHAVIOR_PROFILE"
	}
	return false
}

// readParts splits the sections of the file at its declarations.
func readParts(f *File) {
	sections, from, declared := f.Doc.Sections(), 0, false
	for i, s := range sections {
		if !isDeclaring(s.Name(), f.Kind) {
			continue
		}
		if declared {
			addPart(f, sections[from:i])
			from = i
		}
		declared = true
	}
	addPart(f, sections[from:])
}

func addPart(f *File, sections []syntax.Section) {
	p := Part{Kind: f.Kind, Sections: sections}
	if n := len(f.parts); n > 0 {
		p.Offset, p.owner = sections[0].Head.Offset, strconv.Itoa(n)
	}
	if s, ok := p.Declaration(); ok && p.Kind != Profile {
		p.Kind = Agent
		if s.Name() == "SUPERVISOR" {
			p.Kind = Supervisor
		}
	}
	if p.Kind == Agent || p.Kind == Supervisor {
		p.readProfiles()
		p.flow = sync.OnceValue(func() *Flow { return readFlow(f, sections) })
	}
	f.parts = append(f.parts, p)
}

// readProfiles reads the inline profiles and their sections.
func (p *Part) readProfiles() {
	var has map[string]bool // sections of the profile that is being read; nil outside one
	for _, s := range p.Sections {
		name := s.Name()
		switch {
		case name == "":
		case name == "BEHAVIOR_PROFILE":
			p.Profiles = append(p.Profiles, InlineProfile{Head: s})
			has = map[string]bool{}
			for _, e := range s.Entries {
				has[strings.ToUpper(e.Root().Key())] = true
			}
		case has == nil || !isOfInlineProfile(name) || has[name]:
			has = nil
		default:
			has[name] = true
			last := &p.Profiles[len(p.Profiles)-1]
			last.Sections = append(last.Sections, s)
			if p.profileSections == nil {
				p.profileSections = map[int]bool{}
			}
			p.profileSections[s.Head.Offset] = true
		}
	}
}

func isOfInlineProfile(section string) bool {
	switch section {
	case "PRIORITY", "WHEN", "INSTRUCTIONS", "CONVERSATION":
		return true
	}
	return false
}
