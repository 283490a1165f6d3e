package check

import (
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// undefinedAgent: a conversation is handed over to an agent of the workspace, one that project.json
// lists, or one of AGENTS. If no other file has an agent, the file is a part of a project that is
// elsewhere.
var undefinedAgent = Check{
	Code: "undefined-agent",
	File: func(out *findings, f File) { f.undefinedAgents(out, f.agentsNamed()) },
}

// agentName is a name of an agent, with its place.
type agentName struct {
	name string
	at   text.Span
}

// agentsNamed returns the agents that a file hands over to, or begins with.
func (f File) agentsNamed() []agentName {
	if entry := f.EntryAgent(); entry.Text != "" {
		return []agentName{{entry.Text, entry.Span}}
	}
	var names []agentName
	for m := range f.AgentRefs() {
		if !m.Remote && m.Owner != "AGENTS" && m.Owner != "ESCALATE" && !strings.Contains(m.Name, "__") {
			names = append(names, agentName{m.Name, m.Span})
		}
	}
	return names
}

func (f File) undefinedAgents(out *findings, names []agentName) {
	var known []string
	for _, n := range names {
		if len(*out) >= maxFindings {
			break
		}
		if model.HasAgent(f.Workspace, f.Path, n.name) {
			continue
		}
		if known == nil {
			if !model.KnowsWorkspace(f.Workspace, f.Path) || !model.HasOtherAgents(f.Workspace, f.Path) {
				return
			}
			known = model.PublicNamesAround(f.Workspace, f.Path, model.AgentNameKind)
		}
		d := out.warn(n.at, "The workspace has no agent `%s`; %s", n.name, model.DidYouMean(n.name, known, "declare it in a file of its own, or say where it is with `REMOTE:`."))
		offerNear(d, n.at, n.name, known)
	}
}
