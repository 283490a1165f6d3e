package model

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/tool"
)

// declaringSections are sections whose keys, or whose items of a list, are names that the file
// declares.
var declaringSections = []string{"MESSAGES", "RETURN_HANDLERS", "ENTITIES", "LOOKUP_TABLES", "DESTINATIONS"}

// addDeclaredNames adds the agents, profiles, messages, handlers and the like that an
// entry declares or names.
func (r *nameReader) addDeclaredNames(section string, root syntax.Node) {
	kind := kindWith(section)
	if root.Kind() == syntax.SectionNode {
		r.addHead(section, root)
		r.addTableNames([]Property{HeadProperty(kind, section, root)})
		return
	}
	if slices.Contains(declaringSections, section) {
		if IsKeyed(root) {
			r.addNamed(section, UnquotedWord(KeyOf(root)), Declares)
		} else if root.Kind() == syntax.ListItem {
			r.addNamed(section, UnquotedWord(Item{Node: root}.NameNode()), Declares)
		}
	}
	props := SectionProperties(kind, section, root)
	if section == ActionHandlers {
		r.addHandlers(props)
	}
	r.addTableNames(props)
}

// kindWith returns the kind of file that has the section.
func kindWith(section string) FileKind {
	s, _ := LookupSection(section)
	for _, kind := range []FileKind{Agent, Supervisor, Profile} {
		if s.Fits(kind) {
			return kind
		}
	}
	return Unknown
}

// addHead adds what the keyword of a section declares, and the names in a map after
// it.
func (r *nameReader) addHead(section string, root syntax.Node) {
	switch section {
	case "AGENT", "SUPERVISOR":
		r.addName(AgentRef, UnquotedWord(root.Value()), Declares)
	case "BEHAVIOR_PROFILE":
		r.addName(ProfileRef, UnquotedWord(root.Value()), Declares)
	}
	if slices.Contains(declaringSections, section) {
		for n := range KeyedNodes(root, false) {
			r.addNamed(section, UnquotedWord(KeyOf(n)), Declares)
		}
	}
}

// addNamed adds a name that a section of the file declares.
func (r *nameReader) addNamed(section string, w Word, access Access) {
	r.addOwned(SectionEntryRef, section, w, access)
}

// addTableNames adds what the values of properties name, by their fields of the schema table.
func (r *nameReader) addTableNames(props []Property) {
	first, remote := len(r.refs), slices.ContainsFunc(props, isRemote)
	for i := range props {
		if p := &props[i]; p.Field != nil {
			r.addTableName(p)
			if p.Field.Name == "ON_ACTION" {
				r.addHandlers(p.Properties())
			}
		}
	}
	for i := range r.refs[first:] {
		r.refs[first+i].Remote = remote
	}
	for i := range props {
		r.addTableNames(props[i].Properties())
		for _, item := range props[i].Items() {
			r.addTableNames(item.Properties())
		}
	}
}

// isRemote reports whether a property says that the agent of its entry is outside the workspace.
func isRemote(p Property) bool {
	switch {
	case p.Field == nil:
		return false
	case p.Field.Name == "LOCATION":
		return strings.EqualFold(p.Text(), "remote")
	case p.Field.Name == "REMOTE":
		return !strings.EqualFold(p.Text(), "false")
	}
	return p.Field.Name == "ENDPOINT"
}

// addTableName adds what the value of a property names, by its field.
func (r *nameReader) addTableName(p *Property) {
	switch section := RefSections[p.Field.Ref]; {
	case p.Field.Ref == tool.RefAgent:
		for _, w := range ValueWords(p.Node) {
			if isVariable(w.Text) { // and no path
				r.addName(AgentRef, w, Reads)
			}
		}
	case p.Field.Ref == tool.RefProfile:
		if p.Node.Kind() != syntax.SectionNode || p.Field.Name != "BEHAVIOR_PROFILE" {
			for _, w := range ValueWords(p.Node) {
				r.addName(ProfileRef, w, Reads)
			}
		}
	case p.Field.Ref == tool.RefAction:
		r.addAction(p)
	case section != "":
		for _, w := range ValueWords(p.Node) {
			r.addNamed(section, w, Reads)
		}
	case p.Field.Name == "ALIAS":
		r.addNamed(Aliases, UnquotedWord(p.Value), Declares)
	}
}

// ActionHandlers is the section that declares handlers of buttons and inputs by their id, as
// ON_ACTION of a step does.
const ActionHandlers = "ACTION_HANDLERS"

// addHandlers adds the actions that are handled under their id.
func (r *nameReader) addHandlers(props []Property) {
	for i := range props {
		if props[i].IsAuthorName {
			r.addNamed(ActionHandlers, UnquotedWord(props[i].Key), Declares)
		}
	}
}

// addAction adds the id of an action: that of a button or an input, or the one that a handler
// is for.
func (r *nameReader) addAction(p *Property) {
	w, access := UnquotedWord(p.Value), Reads
	switch {
	case p.Field.Name == "ACTION":
		access = Declares
	case p.Value.Kind() == syntax.Mapping: // "Label" -> id
		w = UnquotedWord(p.Value.Value())
	case p.Field.Name == "BUTTON":
		return
	}
	if isStepName(w.Text) {
		r.addNamed(ActionHandlers, w, access)
	}
}

// Aliases is the section with the names that a supervisor's rules use for its agents.
const Aliases = "AGENTS"

var (
	agentEvent = lazyregexp.New(`^["']?agent:([A-Za-z_]\w*):(?:before|after)["']?$`)
	handedTo   = lazyregexp.New(`^(?:HANDOFF|DELEGATE)[ \t]+(?:to[ \t]+)?([A-Za-z_]\w*)$`)
	routedTo   = lazyregexp.New(`^ROUTE_TO[ \t]+([A-Za-z_]\w*)$`)
	lookupName = lazyregexp.New(`\{\{[ \t]*lookup:([A-Za-z_]\w*):`)
)

// addHandedTo adds the agent in a value such as `HANDOFF to X`.
func (r *nameReader) addHandedTo(v syntax.Node) {
	switch s := v.Text(); {
	case v.Kind() != syntax.Text:
	case strings.HasPrefix(s, "ROUTE_TO"):
		r.addName(RouteRef, first(Matches(routedTo, v)), Reads)
	case strings.HasPrefix(s, "HANDOFF") || strings.HasPrefix(s, "DELEGATE"):
		r.addName(AgentRef, first(Matches(handedTo, v)), Reads)
	}
}

// addLookups adds the tables that `lookup` placeholders name.
func (r *nameReader) addLookups(n syntax.Node) {
	if strings.Contains(n.Text(), "lookup:") {
		for _, w := range Matches(lookupName, n) {
			r.addNamed("LOOKUP_TABLES", w, Reads)
		}
	}
}
