package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"unicode/utf8"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/executor/rest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// The most characters of a program's output that are kept, after a success and after a failure.
const (
	maxOutput        = 4000
	maxFailureOutput = 2000
)

// output collects what a program prints.
type output struct {
	call           executor.Call
	stdout, stderr process.Head
}

func newOutput(call executor.Call, full func()) *output {
	most := int(call.Environment.Limits.MaxBytes())
	return &output{
		call:   call,
		stdout: process.Head{Max: most, Full: full},
		stderr: process.Head{Max: most, Full: full},
	}
}

// result returns the result of the program. ended is how the process ended.
func (o *output) result(ended error) (executor.Result, error) {
	r := executor.Result{Console: text(o.stderr.String())}
	exit, failed := errors.AsType[*exec.ExitError](ended)
	switch {
	case failed:
		return o.exitFailure(r, exit)
	case errors.Is(ended, process.ErrTooMuch):
		return r, executor.Errorf(executor.KindLimit, "output-size", "%s printed more than %s, and was ended", o.name(), rest.Size(int64(o.stdout.Max)))
	case ended != nil:
		return r, ended
	}
	o.keepOutput(&r, maxOutput)
	if r.Truncated != nil {
		return r, o.cutJSON(r)
	}
	nothing := strings.TrimSpace(r.Text) == ""
	answer := rest.Answer(o.call.Tool.Returns, "", []byte(r.Text))
	r.Value, r.Text, r.ContentType = answer.Value, answer.Text, "text/plain"
	switch {
	case nothing && takesText(o.call.Tool.Returns):
		r.Value = json.RawMessage(`""`)
	case r.Value != nil:
		r.ContentType = "application/json"
	}
	return r, nil
}

// takesText reports whether a type accepts text, so that empty output is valid.
func takesText(t *tool.Type) bool { return t == nil || t.Name == "string" || t.Name == "any" }

// keepOutput sets the text of a result to the beginning of the output, at most most characters.
func (o *output) keepOutput(r *executor.Result, most int) {
	printed := o.stdout.String()
	if !utf8.ValidString(printed) {
		r.Warnings = append(r.Warnings, "the output is no UTF-8 text; what is not was replaced")
	}
	kept, total := cutText(o.call.Redact(text(printed)), most)
	r.Text, r.ContentType = kept, "text/plain"
	if total > most {
		all := int64(total)
		r.Truncated = &executor.Truncation{Kept: int64(most), Total: &all}
		r.Warnings = append(r.Warnings, fmt.Sprintf("the output was cut: %d of its %d characters are kept", most, total))
	}
}

// cutJSON returns the error for a JSON value that was cut. It is nil for text.
func (o *output) cutJSON(r executor.Result) error {
	if takesText(o.call.Tool.Returns) || !strings.ContainsAny(r.Text[:1], "{[") {
		return nil
	}
	return executor.Errorf(executor.KindLimit, "output-size", "%s printed %d characters, of which %d are kept: that is no whole value any more",
		o.name(), *r.Truncated.Total, r.Truncated.Kept).
		WithHint("Have the program print less, by a filter or a limit of its own, or declare `-> string`.")
}

// exitFailure returns the result and the error of a program that failed.
func (o *output) exitFailure(r executor.Result, exit *exec.ExitError) (executor.Result, error) {
	o.keepOutput(&r, maxFailureOutput)
	stderr, _ := cutText(o.call.Redact(r.Console), maxFailureOutput)
	e := executor.Errorf(executor.KindRemote, "exit", "%s ended with %s", o.name(), exit.ProcessState)
	e.Details = map[string]any{"exit_code": exit.ExitCode(), "stderr": stderr}
	if last := lastLine(stderr); last != "" {
		e.Message += ": " + executor.Shorten(last, 300)
	}
	return r, e
}

// lastLine returns the last line, in which most programs say why they failed.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
}

func (o *output) name() string {
	s, err := executor.SpecOf[*tool.CLI](o.call)
	if err != nil {
		return o.call.Tool.Name
	}
	return s.Binary
}

func text(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// cutText returns the first most characters of s. total is the number of characters in s.
func cutText(s string, most int) (kept string, total int) {
	total = utf8.RuneCountInString(s)
	if total <= most {
		return s, total
	}
	for i := range s {
		if most == 0 {
			return s[:i], total
		}
		most--
	}
	return s, total
}
