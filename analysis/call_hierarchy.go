package analysis

import (
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/cursor"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Caller is something that calls or is called: a tool, a step of a flow, or an agent, which calls
// what its hooks and handlers call.
type Caller struct {
	Kind     CallerKind
	Name     string
	Detail   string // the agent of a step, the name of a tool's file
	Path     string
	Span     text.Span // of the whole declaration
	NameSpan text.Span // inside Span
}

// CallerKind is the kind of a caller.
type CallerKind int

// The kinds of callers.
const (
	ToolCaller CallerKind = iota
	StepCaller
	AgentCaller
)

// CallEdge says where one caller calls another.
type CallEdge struct {
	Other Caller
	From  []text.Span // the names in the calls, in the file of the calling one
}

// CallerAt returns the tool, the step or the agent whose name is at an offset of the file at path.
// The second result is false if no such name is there, or it is declared nowhere.
func CallerAt(w model.Workspace, path string, offset int) (Caller, bool) {
	f := w.File(path)
	if f == nil || f.Doc == nil {
		return Caller{}, false
	}
	for _, n := range f.Public[model.AgentNameKind] {
		if n.Span.Touches(offset) && !model.IsManifest(path) {
			return agentCaller(f, n.Name), true
		}
	}
	u, ok := cursor.OccurrenceAt(w, path, offset)
	if !ok {
		return Caller{}, false
	}
	switch u.Symbol.Kind {
	case model.ToolSymbol:
		return CallerNamed(w, u.Symbol.Path, ToolCaller, u.Symbol.Name)
	case model.StepSymbol:
		step, ok := f.FlowAt(u.Span.Start).Step(u.Symbol.Name)
		return stepCaller(f, &step), ok
	case model.AgentSymbol:
		for _, declared := range agentsNamed(w, u.Symbol) {
			return agentCaller(declared, u.Symbol.Name), true
		}
	}
	return Caller{}, false
}

// agentsNamed returns the files that declare an agent and have a text, by path.
func agentsNamed(w model.Workspace, s model.Symbol) []*model.File {
	var files []*model.File
	for _, path := range model.PathsDeclaring(w, model.AgentNameKind, s.Name) {
		if f := w.File(path); f.Doc != nil && !model.IsManifest(path) && w.MarkedRoot(path) == s.Path {
			files = append(files, f)
		}
	}
	return files
}

// CallerNamed returns the tool, the step or the agent of that name in the file at path, by kind. If
// no agent has the name, it returns the first agent of the file. The second result is false if
// there is no such tool or step, or the file is no text of the language.
func CallerNamed(w model.Workspace, path string, kind CallerKind, name string) (Caller, bool) {
	f := w.File(path)
	if f == nil || f.Doc == nil || f.Kind == model.YAML {
		return Caller{}, false
	}
	switch kind {
	case ToolCaller:
		for _, t := range f.Tools {
			if t.Name == name {
				return toolCaller(f, t), true
			}
		}
	case StepCaller:
		for _, flow := range f.Flows() {
			if step, ok := flow.Step(name); ok {
				return stepCaller(f, &step), true
			}
		}
	case AgentCaller:
		return agentCaller(f, name), true
	}
	return Caller{}, false
}

// IncomingCalls returns the callers of c. For a tool they are steps, agents outside steps, and
// tools with a call in their `do:` lists; a reasoning step that may use the tool is one of them.
// For an agent they are those that hand over or delegate to it. A step has none. It returns nothing
// if ctx is done.
func IncomingCalls(ctx context.Context, w model.Workspace, c Caller) []CallEdge {
	switch c.Kind {
	case StepCaller:
		return nil
	case AgentCaller:
		return incomingHandoffs(ctx, w, c)
	}
	var out []CallEdge
	called := model.Symbol{Kind: model.ToolSymbol, Path: c.Path, Owner: "", Name: c.Name}
	for _, path := range w.Paths() {
		if ctx.Err() != nil {
			return nil
		}
		h := w.Handle(path)
		if h.Kind == model.YAML || !h.ContainsWord(c.Name) {
			continue
		}
		f := h.File()
		r := model.Resolver{Workspace: w, File: f, Wanted: &called}
		for _, m := range calledTools(f) {
			if m.Name == c.Name && slices.Contains(r.ToolSymbols(m.Name), called) {
				out = addEdge(out, callerAt(f, m.Span.Start), m.Span)
			}
		}
	}
	return out
}

// incomingHandoffs returns the steps and agents that call an agent.
func incomingHandoffs(ctx context.Context, w model.Workspace, c Caller) []CallEdge {
	called := model.Symbol{Kind: model.AgentSymbol, Path: w.MarkedRoot(c.Path), Name: c.Name}
	files := model.FilesThatMayName(w, c.Path, called)
	slices.SortFunc(files, func(a, b *model.Handle) int { return strings.Compare(a.Path, b.Path) })
	var out []CallEdge
	for _, h := range files {
		f := h.File()
		if ctx.Err() != nil {
			return nil
		}
		r := model.Resolver{Workspace: w, File: f, Wanted: &called}
		for m := range calledAgents(f) {
			if m.Name == c.Name && slices.Contains(r.SymbolsOf(m), called) {
				out = addEdge(out, callerAt(f, m.Span.Start), m.Span)
			}
		}
	}
	return out
}

// calledAgents returns the places of the file that call an agent. A roster or an event only names
// one.
func calledAgents(f *model.File) iter.Seq[model.NameRef] {
	return func(yield func(model.NameRef) bool) {
		for m := range f.AgentRefs() {
			if m.Owner != model.Aliases && m.Owner != "MEMORY" && !yield(m) {
				return
			}
		}
	}
}

// OutgoingCalls returns the tools that c calls, or may use if it is a reasoning step, and the
// agents that it hands over to. For an agent these are all calls that are written in the agent.
func OutgoingCalls(ctx context.Context, w model.Workspace, c Caller) []CallEdge {
	f := w.File(c.Path)
	if f == nil || f.Doc == nil || f.Kind == model.YAML {
		return nil
	}
	var out []CallEdge
	r := model.Resolver{Workspace: w, File: f}
	for _, m := range calledTools(f) {
		if ctx.Err() != nil {
			return nil
		}
		if !c.contains(m) {
			continue
		}
		for _, t := range r.ToolsNamed(m.Name) {
			out = addEdge(out, toolCaller(t.File, t.PositionedTool), m.Span)
		}
	}
	for m := range calledAgents(f) {
		if !c.contains(m) {
			continue
		}
		for _, s := range r.SymbolsOf(m) {
			for _, declared := range agentsNamed(w, s) {
				out = addEdge(out, agentCaller(declared, m.Name), m.Span)
			}
		}
	}
	return out
}

// contains reports whether a name is within the declaration of the caller.
func (c Caller) contains(m model.NameRef) bool {
	return c.Span.Start <= m.Span.Start && m.Span.End <= c.Span.End
}

func addEdge(edges []CallEdge, other Caller, at text.Span) []CallEdge {
	for i := range edges {
		if edges[i].Other == other {
			edges[i].From = append(edges[i].From, at)
			return edges
		}
	}
	return append(edges, CallEdge{other, []text.Span{at}})
}

// calledTools returns the names of tools that the file calls, or offers to the model.
func calledTools(f *model.File) []model.NameRef {
	var out []model.NameRef
	for c := range f.Calls() {
		if c.Tool != "" {
			out = append(out, model.NameRef{Span: c.ToolSpan, Name: c.Tool, Kind: model.ToolRef})
		}
	}
	return slices.AppendSeq(out, f.OfferedTools())
}

// callerAt returns the caller that contains an offset.
func callerAt(f *model.File, offset int) Caller {
	if flow := f.FlowAt(offset); flow != nil {
		for i := range flow.Steps {
			if s := &flow.Steps[i]; s.Full().Touches(offset) {
				return stepCaller(f, s)
			}
		}
	}
	if t, ok := f.ToolAround(offset); ok {
		return toolCaller(f, t)
	}
	return agentCallerAt(f, offset)
}

func toolCaller(f *model.File, t model.PositionedTool) Caller {
	return Caller{ToolCaller, t.Name, filepath.Base(f.Path), f.Path, t.Span(), t.NameSpan()}
}

func stepCaller(f *model.File, s *model.Step) Caller {
	return Caller{StepCaller, s.Name, agentCallerAt(f, s.NameSpan.Start).Name, f.Path, s.Full(), s.NameSpan}
}

// agentCaller returns the agent called name in f; if there is none, the first agent of f.
func agentCaller(f *model.File, name string) Caller {
	for _, n := range f.Public[model.AgentNameKind] {
		if n.Name == name {
			return agentCallerAt(f, n.Span.Start)
		}
	}
	return agentCallerAt(f, 0)
}

// agentCallerAt returns the agent at an offset of the file; one without a name gets the name of the
// file.
func agentCallerAt(f *model.File, offset int) Caller {
	c := Caller{Kind: AgentCaller, Name: filepath.Base(f.Path), Path: f.Path, Span: text.Span{End: len(f.Doc.Text())}}
	for _, part := range f.Parts() {
		switch start := part.Offset; {
		case start <= offset:
			c.Span.Start = start
		case start < c.Span.End:
			c.Span.End = start
		}
	}
	for _, n := range f.Public[model.AgentNameKind] {
		if c.Span.Start <= n.Span.Start && n.Span.End <= c.Span.End {
			c.Name, c.NameSpan = n.Name, n.Span
			break
		}
	}
	return c
}
