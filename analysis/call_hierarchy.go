package analysis

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Caller is what calls or is called: a tool, a step of a flow, or an agent, which
// calls what its hooks and handlers do.
type Caller struct {
	Kind     CallerKind
	Name     string
	Detail   string // the agent of a step, the name of a tool's file
	Path     string
	Span     text.Span // of all that belongs to it
	NameSpan text.Span // inside Span
}

// CallerKind is what a caller is.
type CallerKind int

// The kinds of callers.
const (
	ToolCaller CallerKind = iota
	StepCaller
	AgentCaller
)

// CallEdge says where one calls another.
type CallEdge struct {
	Other Caller
	From  []text.Span // the names in the calls, in the file of the one that calls
}

// Caller is the tool, the step or the agent whose name stands at an offset of the
// file at path.
func (w Workspace) Caller(path string, offset int) (Caller, bool) {
	f := w.files[path]
	if f == nil || f.Doc == nil {
		return Caller{}, false
	}
	if name := f.agentName(); name.text != "" && name.span.Touches(offset) {
		return f.agent(), true
	}
	u, ok := w.useAt(path, offset)
	if !ok {
		return Caller{}, false
	}
	switch u.subject.kind {
	case ToolSubject:
		return w.CallerNamed(u.subject.path, ToolCaller, u.subject.name)
	case StepSubject:
		step, ok := f.FlowAt(u.span.Start).Step(u.subject.name)
		return f.stepCaller(&step), ok
	}
	return Caller{}, false
}

// CallerNamed is the caller of that kind and name in the file at path. An agent is
// the one of the file, whatever its name.
func (w Workspace) CallerNamed(path string, kind CallerKind, name string) (Caller, bool) {
	f := w.files[path]
	if f == nil || f.Doc == nil || f.Kind == YAML {
		return Caller{}, false
	}
	switch kind {
	case ToolCaller:
		for _, t := range f.Tools {
			if t.Name == name {
				return f.toolCaller(t), true
			}
		}
	case StepCaller:
		for _, flow := range f.Flows() {
			if step, ok := flow.Step(name); ok {
				return f.stepCaller(&step), true
			}
		}
	case AgentCaller:
		return f.agent(), true
	}
	return Caller{}, false
}

// Incoming are those that call a tool: steps, agents outside of steps, tools in
// their `do:` lists. A reasoning step counts that may use it.
func (w Workspace) Incoming(ctx context.Context, c Caller) []CallEdge {
	if c.Kind != ToolCaller {
		return nil
	}
	var out []CallEdge
	called := subject{ToolSubject, c.Path, "", c.Name}
	for _, path := range w.Paths() {
		f := w.files[path]
		if ctx.Err() != nil {
			return nil
		}
		if f.Doc == nil || f.Kind == YAML || !strings.Contains(f.Doc.Text(), c.Name) {
			continue
		}
		r := resolver{w: w, f: f, want: &called}
		for _, m := range f.called() {
			if m.Name == c.Name && slices.Contains(r.tools(m.Name), called) {
				out = addEdge(out, f.callerAt(m.Span.Start), m.Span)
			}
		}
	}
	return out
}

// Outgoing are the tools that a step, an agent or a tool calls, or that a
// reasoning step may use. Those of an agent are all in its file.
func (w Workspace) Outgoing(ctx context.Context, c Caller) []CallEdge {
	f := w.files[c.Path]
	if f == nil || f.Doc == nil || f.Kind == YAML {
		return nil
	}
	var out []CallEdge
	r := resolver{w: w, f: f}
	for _, m := range f.called() {
		if ctx.Err() != nil {
			return nil
		}
		if c.Kind != AgentCaller && (m.Span.Start < c.Span.Start || m.Span.End > c.Span.End) {
			continue
		}
		for _, t := range r.scoped(m.Name) {
			out = addEdge(out, t.File.toolCaller(t.PlacedTool), m.Span)
		}
	}
	return out
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

// called are the names of tools that the file calls, or offers to the model.
func (f *File) called() []Mention {
	var out []Mention
	for c := range f.Calls() {
		if c.Tool != "" {
			out = append(out, Mention{Span: c.ToolSpan, Name: c.Tool, Kind: OfTool})
		}
	}
	return slices.AppendSeq(out, f.Offered())
}

// callerAt is what calls at an offset.
func (f *File) callerAt(offset int) Caller {
	if flow := f.FlowAt(offset); flow != nil {
		for i := range flow.Steps {
			if s := &flow.Steps[i]; s.full().Touches(offset) {
				return f.stepCaller(s)
			}
		}
	}
	if t, ok := f.toolAround(offset); ok {
		return f.toolCaller(t)
	}
	return f.agent()
}

func (f *File) toolCaller(t PlacedTool) Caller {
	return Caller{ToolCaller, t.Name, filepath.Base(f.Path), f.Path, t.Span(), t.NameSpan()}
}

func (f *File) stepCaller(s *Step) Caller {
	return Caller{StepCaller, s.Name, f.agent().Name, f.Path, s.full(), s.NameSpan}
}

// agent is the agent of the file; one without a name is called like the file.
func (f *File) agent() Caller {
	c := Caller{Kind: AgentCaller, Name: filepath.Base(f.Path), Path: f.Path, Span: text.Span{End: len(f.Doc.Text())}}
	if name := f.agentName(); name.text != "" {
		c.Name, c.NameSpan = name.text, name.span
	}
	return c
}
