package module

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/javascript"
)

// fault is the message of host.js that there is no answer.
type fault struct {
	javascript.Fault
	Code    string  `json:"code"`    // Node's error code
	Refused int     `json:"refused"` // the id of the refused connection that caused this; 0: none
	Frames  []frame `json:"frames"`
}

// frame is a line of a file, in the function In.
type frame struct {
	In   string `json:"in"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// codeException is the error code of an exception.
const codeException = "threw"

// result converts an answer to a Result or an error.
func (v *invocation) result(m message) (executor.Result, error) {
	switch {
	case m.Error != nil:
		return executor.Result{}, v.faultError(m.Error)
	case !m.Done && v.Tool.Streaming.Is(true):
		v.Report(executor.Progress{Chunk: liveText(m.Value)})
		return pieceOf(m.Value), nil
	case !m.Done:
		return executor.ParseReturnValue(v.Tool, m.Value)
	}
	r, err := executor.ParseReturnValue(v.Tool, m.Value)
	if string(m.Value) == "null" {
		r, err = v.yielded.answer(v.Tool)
	}
	if !v.Tool.Streaming.Is(true) {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s gives its answer in pieces; with `streaming: true` they are shown as they come", v.handler))
	}
	return r, err
}

// faultError returns the error for a fault.
func (v *invocation) faultError(f *fault) error {
	f.Fault = f.Short()
	if refusal := v.broker.refusal(f.Refused); refusal != nil {
		return refusal
	}
	switch f.Kind {
	case "handler":
		return v.missingHandlerError(f.Message)
	case "old":
		return oldNode(f.Message)
	case "result":
		return f.NotJSONError()
	case "pending":
		return executor.Errorf(executor.KindSandbox, "never-settles", "%s waits for a promise that nothing will ever settle", v.handler)
	case "load":
		return v.loadError(f)
	}
	return v.exceptionError(f, codeException)
}

func (v *invocation) missingHandlerError(known string) error {
	e := executor.DefinitionError("handler", "%s exports no function %q", v.name, v.handler)
	if known == "" {
		return e.WithHint("Export it by name, in an exported object, or in the default export.")
	}
	return e.WithHint("It exports %s. The function is named by `handler:`, else by the tool.", executor.Shorten(known, javascript.MaxName))
}

// loadError returns the error for a module that Node could not load.
func (v *invocation) loadError(f *fault) error {
	switch {
	case f.Code == "ERR_MODULE_NOT_FOUND", f.Code == "MODULE_NOT_FOUND":
		e := executor.DefinitionError("module", "%s: %s", v.name, firstLine(f.Message))
		hint := "A module sees its own folder, and the node_modules folders above it; run npm install there."
		if isTypeScript(v.file) {
			hint += " No tsconfig.json is read: the path of a file begins with a dot."
		}
		return e.WithHint("%s", hint)
	case f.Name == "SyntaxError":
		if _, err := bundle(v.file, v.hiddenFiles(v.file)); err != nil { // its error names the place
			return err
		}
		return executor.DefinitionError("module", "%s: %s", v.name, f.Text())
	}
	return v.exceptionError(f, "load")
}

func (v *invocation) exceptionError(f *fault, code string) error {
	text := f.Text()
	e := executor.Errorf(executor.KindSandbox, code, "%s: %s", v.locationPrefix(f.Frames, code), text)
	e.Details = map[string]any{"stack": formatStack(text, f.Frames)}
	if at := v.innermostFrame(f.Frames); at != nil {
		e.Details["file"], e.Details["line"] = at.File, at.Line
	}
	return e
}

// innermostFrame returns the innermost frame in the module's own files. It is nil if there is none.
func (v *invocation) innermostFrame(frames []frame) *frame {
	for i, f := range frames {
		dir, file := filepath.Dir(v.file), filepath.FromSlash(f.File)
		if isWithin(file, dir) && !strings.Contains(strings.TrimPrefix(file, dir), "node_modules") {
			return &frames[i]
		}
	}
	return nil
}

// locationPrefix returns the beginning of a message about an exception: the file and line, or the
// module's name if the exception has no frames.
func (v *invocation) locationPrefix(frames []frame, code string) string {
	switch at := v.innermostFrame(frames); {
	case at != nil:
		return fmt.Sprintf("%s:%d", filepath.Base(at.File), at.Line)
	case code == codeException:
		return v.name + ": " + v.handler + " threw"
	}
	return v.name
}

// formatStack returns a stack trace as text. message is its first line.
func formatStack(message string, frames []frame) string {
	var b strings.Builder
	b.WriteString(message)
	for _, f := range frames[:min(len(frames), javascript.MaxFrames)] {
		fmt.Fprintf(&b, "\n    at %s (%s:%d)", orCode(f.In), f.File, f.Line)
	}
	return b.String()
}

func orCode(name string) string {
	if name == "" {
		return "the module"
	}
	return executor.Shorten(name, javascript.MaxName)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func noNode() error {
	return executor.DefinitionError("node", "a module runs under Node, which is not on this machine").
		WithHint("Install Node 20 or newer, so that the program node is on PATH.")
}

func oldNode(version string) error {
	return executor.DefinitionError("node", "%s", strings.TrimSpace("a module runs under Node 20 or newer; the one on PATH is older "+version)).
		WithHint("Install a newer Node, so that it comes first on PATH.")
}
