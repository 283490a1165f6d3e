package sandbox

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// message is a line that a driver writes: first that it is ready, last its answer.
type message struct {
	Ready bool            `json:"ready"`
	Value json.RawMessage `json:"value"`
	Error *fault          `json:"error"`
}

// fault is what a driver says when there is no result.
type fault struct {
	Kind    string  `json:"kind"` // a row of faults
	Name    string  `json:"name"` // of the exception
	Message string  `json:"message"`
	Path    string  `json:"path"` // into the result
	Frames  []frame `json:"frames"`
}

// frame is a place in the code, in the function In; "": in the code itself.
type frame struct {
	In   string `json:"in"`
	Line int    `json:"line"` // of the code, from 1
}

// Kinds of faults.
const (
	threw        = "thrown"
	syntaxError  = "syntax"
	wrongName    = "name"
	noJSON       = "result"
	overMemory   = "memory"
	tooDeep      = "recursion"
	neverSettled = "pending"
	ended        = "ended"
)

// What a person reads of an exception.
const (
	maxText   = 10 << 10 // bytes of its message
	maxName   = 200      // bytes of a name
	maxFrames = 100
)

// result is what an answer means.
func (m message) result(p plan) (executor.Result, error) {
	switch {
	case m.Error == nil && len(m.Value) > p.maxBytes:
		return executor.Result{}, overflow(p)
	case m.Error == nil:
		return executor.Result{Value: m.Value, ContentType: "application/json"}, nil
	}
	return executor.Result{}, m.Error.short().asError(p)
}

// short is a fault without what nobody reads.
func (f *fault) short() *fault {
	out := *f
	out.Name, out.Message, out.Path = executor.Shorten(f.Name, maxName), executor.Shorten(f.Message, maxText), executor.Shorten(f.Path, maxText)
	out.Frames = nil
	for _, in := range f.Frames[:min(len(f.Frames), maxFrames)] {
		out.Frames = append(out.Frames, frame{executor.Shorten(in.In, maxName), in.Line})
	}
	return &out
}

func (f *fault) asError(p plan) *executor.Error {
	where := p.places.where(f.Frames)
	switch f.Kind {
	case wrongName:
		return definition("parameter-name", "%s: a variable of %s cannot be called that; give the parameter another name", f.Message, p.runtime.title)
	case noJSON:
		return executor.Errorf(executor.KindResult, "no-json", "%s %s", subject(f.Path), f.Message)
	case overMemory:
		return executor.Errorf(executor.KindLimit, "memory", "%sthe code needs more than %d MB of memory (memory_mb)", where, p.memory)
	case neverSettled:
		return executor.Errorf(executor.KindSandbox, "never-settles", "the code waits for a promise that nothing will ever settle")
	case ended:
		return executor.Errorf(executor.KindSandbox, "ended", "%s", strings.TrimSpace("the code ended its program, where it should return a value\n"+f.Message))
	case tooDeep:
		return f.sandboxError(p, "recursion", where+text(f.Name, "the code calls itself too deep"))
	case syntaxError:
		return f.sandboxError(p, "syntax", where+text(f.Name, f.Message))
	}
	return f.sandboxError(p, "threw", where+text(f.Name, f.Message))
}

// subject is the part of a result that is at fault.
func subject(path string) string {
	if path == "" {
		return "the result"
	}
	return "the result: " + path
}

func text(name, message string) string {
	switch {
	case name == "":
		return message
	case message == "":
		return name
	}
	return name + ": " + message
}

func (f *fault) sandboxError(p plan, code, message string) *executor.Error {
	e := executor.Errorf(executor.KindSandbox, code, "%s", message)
	e.Details = map[string]any{"stack": p.places.stack(text(f.Name, f.Message), f.Frames)}
	if len(f.Frames) > 0 {
		if line := p.places.line(f.Frames[0].Line); line > 0 {
			e.Details["file"], e.Details["line"] = p.places.file, line
		}
	}
	return e
}

// places says where the lines of code stand.
type places struct {
	tool  string
	file  string // "": not known
	lines []int  // of the file, for each line of the code
}

func placesOf(t *tool.Tool, s *tool.Sandbox) places {
	return places{tool: t.Name, file: t.Origin.File, lines: s.Lines}
}

// line is a line of the code in its file, 0 where that is not known.
func (p places) line(n int) int {
	if p.file == "" || len(p.lines) == 0 || n < 1 {
		return 0
	}
	return p.lines[min(n, len(p.lines))-1]
}

// name is a line of the code as a person finds it.
func (p places) name(n int) string {
	if line := p.line(n); line > 0 {
		return fmt.Sprintf("%s:%d", filepath.Base(p.file), line)
	}
	return fmt.Sprintf("line %d of the code", n)
}

// where begins a message about the innermost of some frames.
func (p places) where(frames []frame) string {
	if len(frames) == 0 {
		return ""
	}
	return p.name(frames[0].Line) + ": "
}

// stack is a stack trace.
func (p places) stack(message string, frames []frame) string {
	var b strings.Builder
	b.WriteString(message)
	for _, f := range frames {
		in := f.In
		if in == "" {
			in = p.tool
		}
		fmt.Fprintf(&b, "\n    at %s (%s)", in, p.name(f.Line))
	}
	return b.String()
}
