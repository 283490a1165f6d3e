package model

import (
	"slices"
	"strings"
)

// SectionInfo is what the language says of one section keyword.
type SectionInfo struct {
	Name    string
	Aliases []string   // other spellings that are read as the same section
	Kinds   []FileKind // kinds of files that have it
	Repeat  Repeat
	Shape   SectionShape
	Doc     string // Markdown
}

// Repeat says what a second section of the same name means.
type Repeat int

// The ways to repeat.
const (
	RepeatOnce        Repeat = iota // a second one is an error
	RepeatMerged                    // all are read as one
	RepeatMany                      // each is independent
	RepeatLastWins                  // the last one counts
	RepeatUnspecified               // the language does not say
)

// String returns the way to repeat in a reader's words.
func (r Repeat) String() string {
	return [...]string{
		RepeatOnce: "once in a file", RepeatMerged: "several are read as one", RepeatMany: "as often as needed",
		RepeatLastWins: "the last one counts", RepeatUnspecified: "",
	}[r]
}

// SectionShape says what may follow the colon of a section.
type SectionShape int

// The shapes.
const (
	NameShape  SectionShape = iota // a word or a quoted string on the line
	TextShape                      // a string, or a pipe block
	BlockShape                     // indented lines
)

// Fits reports whether a file of that kind may have the section. A file of unknown kind may have
// all.
func (s SectionInfo) Fits(kind FileKind) bool {
	return kind == Unknown || slices.Contains(s.Kinds, kind)
}

// Sections returns all sections of the language, in the order in which editors show them. The table
// is shared: do not change it.
func Sections() []SectionInfo { return sectionTable }

// LookupSection returns the section that keyword means, in any casing. The second result is false
// if it means none.
func LookupSection(keyword string) (SectionInfo, bool) {
	is := func(s string) bool { return len(s) == len(keyword) && strings.EqualFold(s, keyword) }
	for i := range sectionTable {
		if s := &sectionTable[i]; is(s.Name) || slices.ContainsFunc(s.Aliases, is) {
			return *s, true
		}
	}
	return SectionInfo{}, false
}

// The sets of file kinds that sections belong to.
var (
	inAgents      = []FileKind{Agent, Supervisor}
	inSupervisors = []FileKind{Supervisor}
	inProfiles    = []FileKind{Profile}
	inBoth        = []FileKind{Agent, Supervisor, Profile}
	inAll         = []FileKind{Agent, Supervisor, Library, Profile}
)

var sectionTable = slices.Concat(headSections, toolSections, talkSections, teamSections, profileSections)

// headSections say who the agent is.
var headSections = []SectionInfo{
	{Name: "AGENT", Kinds: inAgents, Doc: "Declares an agent. The name is a letter, then letters, digits and `_`."},
	{Name: "SUPERVISOR", Kinds: inAgents, Doc: "Declares an agent that leads others. The name is a letter, then letters, digits and `_`."},
	{Name: "VERSION", Kinds: inAgents, Doc: "The agent's version, such as `\"1.0.0\"`."},
	{Name: "DESCRIPTION", Kinds: inAgents, Shape: TextShape, Doc: "What the agent is for, to readers of the file."},
	{Name: "LANGUAGE", Kinds: inAgents, Doc: "The agent's language as a quoted BCP 47 tag, such as `\"en\"`."},
	{Name: "GOAL", Kinds: inAgents, Shape: TextShape, Doc: "What the agent is to achieve. Required, unless `IDENTITY` has a `role`."},
	{Name: "PERSONA", Kinds: inAgents, Shape: TextShape, Doc: "How the agent speaks and behaves."},
	{Name: "LIMITATIONS", Kinds: inAgents, Repeat: RepeatLastWins, Shape: BlockShape, Doc: "A list of what the agent must not or cannot do."},
	{Name: "INSTRUCTIONS", Kinds: inBoth, Repeat: RepeatMerged, Shape: TextShape, Doc: "Further instructions, appended to the goal."},
	{Name: "IDENTITY", Kinds: inAgents, Shape: BlockShape, Doc: "Goal, persona and limitations in one block: `role`, `persona`, `expertise`, `limitations`."},
	{Name: "SYSTEM_PROMPT", Kinds: inAgents, Shape: TextShape, Doc: "Replaces the prompt that is made from the other sections."},
	{Name: "BEHAVIOR", Kinds: inAgents, Shape: BlockShape, Doc: "What the agent is among others, its `role`: `router`, `orchestrator` or `assistant`."},
	{Name: "EXECUTION", Kinds: inAgents, Shape: BlockShape, Doc: "Model and limits: `model`, `temperature`, `tool_timeout` (milliseconds), `max_reasoning_iterations`, …"},
}

// toolSections say what it can do and in which order.
var toolSections = []SectionInfo{
	{Name: "TOOLS", Kinds: inAll, Repeat: RepeatMerged, Shape: BlockShape, Doc: "Tools: declarations `name(parameter: type) -> type` with their properties below. " +
		"An agent may import some with `file: \"./x.tools.abl\" [name]`, a library may begin with defaults for all of its tools, a behaviour profile has `HIDE` and `ADD`."},
	{Name: "GATHER", Kinds: inBoth, Repeat: RepeatMerged, Shape: BlockShape, Doc: "The information to collect, a block for each field: `prompt`, `type`, `required`, `validate`, …"},
	{Name: "FLOW", Aliases: []string{"STEPS"}, Kinds: inBoth, Shape: BlockShape, Doc: "The conversation in steps: `entry_point`, `steps`, then a block for each step. Each step says `REASONING: true` or `false`."},
	{Name: "MEMORY", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "What is remembered: the lists `session`, `persistent`, `remember` and `recall`."},
	{Name: "CONSTRAINTS", Kinds: inBoth, Repeat: RepeatMerged, Shape: BlockShape, Doc: "Rules under labels: `- REQUIRE`, `- LIMIT`, `- RESTRICT` or `- WARN`, a condition, and `ON_FAIL` below."},
	{Name: "GUARDRAILS", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "Checks of what goes in and out, a block for each: `kind`, `action`, and `check` or `llm_check`."},
	{Name: "ON_ERROR", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "What to do on errors, by type: `RESPOND`, `RETRY`, `THEN`, …"},
	{Name: "ON_START", Kinds: inAgents, Shape: BlockShape, Doc: "Actions at the beginning: `SET`, `CALL`, `RESPOND`, …"},
	{Name: "HOOKS", Kinds: inAgents, Shape: BlockShape, Doc: "Actions around the agent and each turn: `before_agent`, `after_agent`, `before_turn`, `after_turn`."},
}

// talkSections say what it understands and says.
var talkSections = []SectionInfo{
	{Name: "MESSAGES", Kinds: inAgents, Shape: BlockShape, Doc: "Texts by key, such as `error_default`."},
	{Name: "ACTION_HANDLERS", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "What buttons and other actions do, by their id."},
	{Name: "TEMPLATES", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "Texts and rich content by name, used as `RESPOND: TEMPLATE(name)`."},
	{Name: "RICH_CONTENT", Kinds: inAgents, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "Rich content beside the answer, by channel. Only in an agent without `FLOW`."},
	{Name: "ACTIONS", Kinds: inAgents, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "Buttons and inputs beside the answer. Only in an agent without `FLOW`."},
	{Name: "NLU", Kinds: inAgents, Shape: BlockShape, Doc: "What the agent recognises: `intents`, `categories`, `entities`, `languages`, …"},
	{Name: "MULTI_INTENT", Kinds: inAgents, Shape: BlockShape, Doc: "What happens where one message asks for several things."},
	{Name: "INTENTS", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "Intents by name, with an optional description."},
	{Name: "ENTITIES", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "Entities by name: `TYPE`, `VALUES`, `SYNONYMS`, `PATTERN`, …"},
	{Name: "LOOKUP_TABLES", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "Tables to look values up in, inline, from a collection or from an API."},
	{Name: "ATTACHMENTS", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "Files to ask for, a block for each: `prompt`, `category`, `allowed_types`, …"},
	{Name: "DESTINATIONS", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "Places to send to, a block for each: `url`, `method`, `auth`, `headers`."},
	{Name: "CONVERSATION", Kinds: inBoth, Shape: BlockShape, Doc: "How the agent speaks, listens and interacts."},
}

// teamSections say whom it works with.
var teamSections = []SectionInfo{
	{Name: "DELEGATE", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "Agents that do a part of the work and report back: a list of `AGENT`, `WHEN`, `PURPOSE`, …"},
	{Name: "HANDOFF", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "Agents that take over: a list of `TO`, `WHEN`, `CONTEXT`, …"},
	{Name: "RETURN_HANDLERS", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "What to do when another agent hands back, by name."},
	{Name: "ESCALATE", Kinds: inAgents, Shape: BlockShape, Doc: "When and how a human takes over: `triggers`, `context_for_human`, `routing`, …"},
	{Name: "COMPLETE", Kinds: inAgents, Repeat: RepeatMerged, Shape: BlockShape, Doc: "When the work is done: a list of `WHEN` and what to say then."},
	{Name: "TRANSFER_FLOW_POLICIES", Kinds: inAgents, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "Policies for transfers to a human, in a shape of their own."},
	{Name: "USE BEHAVIOR_PROFILE", Aliases: []string{"USE_BEHAVIOR_PROFILE"}, Kinds: inAgents, Repeat: RepeatMany, Doc: "Attaches a behaviour profile by its name."},
	{Name: "TESTS", Kinds: inAgents, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "Reserved. What stands below is accepted and not read."},
	{Name: "AGENTS", Kinds: inSupervisors, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "The agents that the supervisor leads: `REF`, `ALIAS`, `CAPABILITIES`, …"},
	{Name: "ROUTING", Kinds: inSupervisors, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "Rules by which messages go to agents: `NAME`, `WHEN`, `THEN`, …"},
	{Name: "STATE", Kinds: inSupervisors, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "State that the agents share."},
	{Name: "POLICIES", Kinds: inSupervisors, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "Policies that hold for all of the agents."},
	{Name: "COMMUNICATION", Kinds: inSupervisors, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "How the agents talk to each other."},
}

// profileSections are those that only behaviour profiles have, and the profile
// itself, which an agent may also hold inline.
var profileSections = []SectionInfo{
	{Name: "BEHAVIOR_PROFILE", Kinds: inBoth, Repeat: RepeatMany, Doc: "Declares a behaviour profile: changes to an agent that hold under a condition."},
	{Name: "PRIORITY", Kinds: inProfiles, Repeat: RepeatUnspecified, Doc: "Which profile wins where several hold: the higher number. Not negative."},
	{Name: "WHEN", Kinds: inProfiles, Repeat: RepeatUnspecified, Doc: "The condition under which the profile holds."},
	{Name: "RESPONSE", Kinds: inProfiles, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "How answers are given while the profile holds."},
	{Name: "VOICE", Kinds: inProfiles, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "How the voice sounds while the profile holds."},
	{Name: "RESPONSE_RULES", Kinds: inProfiles, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "How answers are given: the full specification's name of `RESPONSE`."},
	{Name: "TOOLS_HIDE", Kinds: inProfiles, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "Tools that are hidden: the full specification's name of `HIDE` in `TOOLS`."},
	{Name: "TOOLS_ADD", Kinds: inProfiles, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "Tools that are added: the full specification's name of `ADD` in `TOOLS`."},
	{Name: "GATHER_OVERRIDES", Kinds: inProfiles, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "Changes to what is collected: the full specification's name of `GATHER`."},
	{Name: "FLOW_MODIFICATIONS", Kinds: inProfiles, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "Changes to the flow: the full specification's name of `FLOW`."},
	{Name: "FLOW_REPLACE", Kinds: inProfiles, Repeat: RepeatUnspecified, Shape: BlockShape, Doc: "Steps that are replaced: the full specification's name of `REPLACE` in `FLOW`."},
}
