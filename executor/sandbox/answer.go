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

// message is a line that a driver writes: first that it is ready, at the end its answer.
type message struct {
	Ready bool            `json:"ready"`
	Value json.RawMessage `json:"value"`
	Error *fault          `json:"error"`
}

// fault is a driver's message that there is no result.
type fault struct {
	javascript.Fault
	Frames []frame `json:"frames"`
}

// frame is a line of the code, in the function In. In is "" outside functions.
type frame struct {
	In   string `json:"in"`
	Line int    `json:"line"` // of the code, from 1
}

// The kinds of faults.
const (
	codeException = "thrown"
	syntaxError   = "syntax"
	wrongName     = "name"
	notJSON       = "result"
	overMemory    = "memory"
	tooDeep       = "recursion"
	neverSettled  = "pending"
	processEnded  = "ended"
)

// toResult converts an answer to a Result or an error.
func (m message) toResult(p plan) (executor.Result, error) {
	switch {
	case m.Error == nil && len(m.Value) > p.maxBytes:
		return executor.Result{}, answerTooLarge(p)
	case m.Error == nil:
		return executor.ParseReturnValue(p.tool, m.Value)
	}
	return executor.Result{}, m.Error.trimmed().asError(p)
}

// trimmed returns a copy with bounded texts and a bounded number of frames.
func (f *fault) trimmed() *fault {
	out := &fault{Fault: f.Short()}
	for _, in := range f.Frames[:min(len(f.Frames), javascript.MaxFrames)] {
		out.Frames = append(out.Frames, frame{executor.Shorten(in.In, javascript.MaxName), in.Line})
	}
	return out
}

func (f *fault) asError(p plan) *executor.Error {
	where := p.codeLines.messagePrefix(f.Frames)
	switch f.Kind {
	case wrongName:
		return executor.DefinitionError("parameter-name", "%s: a variable of %s cannot be called that; give the parameter another name", f.Message, p.runtime.title)
	case notJSON:
		return f.NotJSONError()
	case overMemory:
		return executor.Errorf(executor.KindLimit, "memory", "%sthe code needs more than %d MB for its memory and its files (memory_mb)", where, p.memory)
	case neverSettled:
		return executor.Errorf(executor.KindSandbox, "never-settles", "the code waits for a promise that nothing will ever settle")
	case processEnded:
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
	e.Details = map[string]any{"stack": p.codeLines.stackTrace(f.Text(), f.Frames)}
	if len(f.Frames) > 0 {
		if line := p.codeLines.fileLine(f.Frames[0].Line); line > 0 {
			e.Details["file"], e.Details["line"] = p.codeLines.file, line
		}
	}
	return e
}

// codeLines maps the lines of the code to the lines of the tool's file.
type codeLines struct {
	tool  string
	file  string // "": not known
	lines []int  // the line of the file, for each line of the code
}

// fileLine returns the line in the file of line n of the code, counted from 1. It is 0 if that is not
// known.
func (p codeLines) fileLine(n int) int {
	if p.file == "" || len(p.lines) == 0 || n < 1 {
		return 0
	}
	return p.lines[min(n, len(p.lines))-1]
}

// describeLine returns the file and line of line n of the code for a message.
func (p codeLines) describeLine(n int) string {
	if line := p.fileLine(n); line > 0 {
		return fmt.Sprintf("%s:%d", filepath.Base(p.file), line)
	}
	return fmt.Sprintf("line %d of the code", n)
}

// messagePrefix returns the place of the innermost frame as the beginning of a message. It is "" if there
// are no frames.
func (p codeLines) messagePrefix(frames []frame) string {
	if len(frames) == 0 {
		return ""
	}
	return p.describeLine(frames[0].Line) + ": "
}

// stackTrace returns a stack trace as text.
func (p codeLines) stackTrace(message string, frames []frame) string {
	var b strings.Builder
	b.WriteString(message)
	for _, f := range frames {
		fmt.Fprintf(&b, "\n    at %s (%s)", cmp.Or(f.In, p.tool), p.describeLine(f.Line))
	}
	return b.String()
}
