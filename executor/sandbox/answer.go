package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/javascript"
)

// message is a line that a driver writes: first that it is ready, last its answer.
type message struct {
	Ready bool            `json:"ready"`
	Value json.RawMessage `json:"value"`
	Error *fault          `json:"error"`
}

// fault is what a driver says when there is no result.
type fault struct {
	javascript.Fault
	Frames []frame `json:"frames"`
}

// frame is a place in the code, in the function In; "": in the code itself.
type frame struct {
	In   string `json:"in"`
	Line int    `json:"line"` // of the code, from 1
}

// Kinds of faults.
const (
	codeException = "thrown"
	syntaxError   = "syntax"
	wrongName     = "name"
	noJSON        = "result"
	overMemory    = "memory"
	tooDeep       = "recursion"
	neverSettled  = "pending"
	ended         = "ended"
)

// result is what an answer means.
func (m message) result(p plan) (executor.Result, error) {
	switch {
	case m.Error == nil && len(m.Value) > p.maxBytes:
		return executor.Result{}, overflow(p)
	case m.Error == nil:
		return executor.ParseReturnValue(p.tool, m.Value)
	}
	return executor.Result{}, m.Error.shortened().asError(p)
}

// shortened is a fault without what nobody reads.
func (f *fault) shortened() *fault {
	out := &fault{Fault: f.Short()}
	for _, in := range f.Frames[:min(len(f.Frames), javascript.MaxFrames)] {
		out.Frames = append(out.Frames, frame{executor.Shorten(in.In, javascript.MaxName), in.Line})
	}
	return out
}

func (f *fault) asError(p plan) *executor.Error {
	where := p.places.where(f.Frames)
	switch f.Kind {
	case wrongName:
		return executor.DefinitionError("parameter-name", "%s: a variable of %s cannot be called that; give the parameter another name", f.Message, p.runtime.title)
	case noJSON:
		return f.NotJSONError()
	case overMemory:
		return executor.Errorf(executor.KindLimit, "memory", "%sthe code needs more than %d MB for its memory and its files (memory_mb)", where, p.memory)
	case neverSettled:
		return executor.Errorf(executor.KindSandbox, "never-settles", "the code waits for a promise that nothing will ever settle")
	case ended:
		return executor.Errorf(executor.KindSandbox, "ended", "%s", strings.TrimSpace("the code ended its program, where it should return a value\n"+f.Message))
	case tooDeep:
		return f.sandboxError(p, "recursion", where+(javascript.Fault{Name: f.Name, Message: "the code calls itself too deep"}).Text())
	case syntaxError:
		return f.sandboxError(p, "syntax", where+f.Text())
	}
	return f.sandboxError(p, "threw", where+f.Text())
}

func (f *fault) sandboxError(p plan, code, message string) *executor.Error {
	e := executor.Errorf(executor.KindSandbox, code, "%s", message)
	e.Details = map[string]any{"stack": p.places.stack(f.Text(), f.Frames)}
	if len(f.Frames) > 0 {
		if line := p.places.line(f.Frames[0].Line); line > 0 {
			e.Details["file"], e.Details["line"] = p.places.file, line
		}
	}
	return e
}

// codeLines says where the lines of code stand.
type codeLines struct {
	tool  string
	file  string // "": not known
	lines []int  // of the file, for each line of the code
}

// line is a line of the code in its file, 0 where that is not known.
func (p codeLines) line(n int) int {
	if p.file == "" || len(p.lines) == 0 || n < 1 {
		return 0
	}
	return p.lines[min(n, len(p.lines))-1]
}

// name is a line of the code as a person finds it.
func (p codeLines) name(n int) string {
	if line := p.line(n); line > 0 {
		return fmt.Sprintf("%s:%d", filepath.Base(p.file), line)
	}
	return fmt.Sprintf("line %d of the code", n)
}

// where begins a message about the innermost of some frames.
func (p codeLines) where(frames []frame) string {
	if len(frames) == 0 {
		return ""
	}
	return p.name(frames[0].Line) + ": "
}

// stack is a stack trace.
func (p codeLines) stack(message string, frames []frame) string {
	var b strings.Builder
	b.WriteString(message)
	for _, f := range frames {
		fmt.Fprintf(&b, "\n    at %s (%s)", cmp.Or(f.In, p.tool), p.name(f.Line))
	}
	return b.String()
}
