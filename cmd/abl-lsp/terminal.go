package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

// terminal asks the person for what a run needs.
type terminal struct {
	in    *os.File
	lines *bufio.Reader
	out   io.Writer
	wait  *spinner // is shown while nothing is asked

	interrupted bool // by Ctrl-C at a question that does not show what is typed
	declined    bool // the person did not confirm the run
}

// terminalOf returns the terminal that a command runs in, nil unless both stdin and
// stderr are one. Questions take the place of the spinner wait, which may be nil.
func terminalOf(cmd *cobra.Command, wait *spinner) *terminal {
	in, ok := cmd.InOrStdin().(*os.File)
	out, also := cmd.ErrOrStderr().(*os.File)
	if !ok || !also || !term.IsTerminal(int(in.Fd())) || !term.IsTerminal(int(out.Fd())) {
		return nil
	}
	return &terminal{in: in, lines: bufio.NewReader(in), out: wait.sharedOutput(printableOutput{out}), wait: wait}
}

// askFor asks for what is missing and puts it into the request. It returns false if the
// person declines, or if the person cannot be asked for it.
func (t *terminal) askFor(ctx context.Context, req *executor.Request, e executor.Envelope) bool {
	switch n := e.Needs; {
	case n.Confirmation != nil:
		req.Confirm = n.Confirmation.Digest
		t.show(e.Request)
		t.declined = !t.confirm(ctx, n.Confirmation.Summary) && ctx.Err() == nil
		return !t.declined && ctx.Err() == nil
	case len(n.Permission) > 0:
		return t.askPermissions(ctx, req, n.Permission)
	case len(n.Secrets) > 0:
		return t.askSecrets(req, n.Secrets)
	case n.Arguments != nil:
		return t.askArguments(ctx, req, n.Arguments)
	case n.Input != nil:
		return t.askInput(ctx, req, n.Input)
	default:
		return false
	}
}

// askPermissions asks for each access in turn. No is an answer, too: the run gets it, and
// refuses itself.
func (t *terminal) askPermissions(ctx context.Context, req *executor.Request, wanted []tool.Permission) bool {
	for _, p := range wanted {
		if !t.confirm(ctx, p.Question(req.Tool.Name)) {
			req.Refusals = append(slices.Clip(req.Refusals), p)
			return true
		}
		req.Grants = append(slices.Clip(req.Grants), p)
	}
	return true
}

// show prints the request that would be sent.
func (t *terminal) show(request json.RawMessage) {
	if len(request) > 0 {
		fmt.Fprintln(t.out, executor.Shorten(indent.Text(request), maxRequestShown))
	}
}

const maxRequestShown = 100_000 // how many bytes of a request are shown: no one reads more before a confirmation

func (t *terminal) confirm(ctx context.Context, question string) bool {
	fmt.Fprintf(t.out, "%s [y/N] ", question)
	return strings.HasPrefix(strings.ToLower(t.readLine(ctx)), "y")
}

// permissionPrompt returns a function that asks the person for a permission of the tool
// and reports whether it is given. The tool waits meanwhile.
func (t *terminal) permissionPrompt(of *tool.Tool) func(context.Context, tool.Permission) bool {
	return func(ctx context.Context, p tool.Permission) bool { return t.confirm(ctx, p.Question(of.Name)) }
}

// openURL asks the person to open a page. The run waits meanwhile.
func (t *terminal) openURL(_ context.Context, page string) error {
	_, err := fmt.Fprintln(t.out, "Open this page:", page)
	return err
}

// showProgress prints what the run works at, for a terminal that has no spinner. It does nothing
// on a nil terminal.
func (t *terminal) showProgress(p executor.Progress) {
	if t != nil && p.Message != "" {
		fmt.Fprintln(t.out, p.Message)
	}
}

// readLine returns the next line that the person types, "" at the end of the input and
// after Ctrl-C.
func (t *terminal) readLine(ctx context.Context) string {
	typed := make(chan string, 1)
	go func() { // a read from a terminal cannot be cancelled
		s, _ := t.lines.ReadString('\n')
		typed <- strings.TrimSpace(s)
	}()
	select {
	case s := <-typed:
		t.wait.endLine()
		return s
	case <-ctx.Done():
		if !wasInterrupted(ctx) {
			fmt.Fprintln(t.out)
		}
		return ""
	}
}

func (t *terminal) askSecrets(req *executor.Request, names []string) bool {
	given := maps.Clone(req.Secrets)
	if given == nil {
		given = map[string]string{}
	}
	for _, name := range names {
		value, err := t.readHidden(name + ": ")
		if err != nil || value == "" {
			return false
		}
		given[name] = value
	}
	req.Secrets = given
	return true
}

// readHidden asks for a line that is not shown, not even if it is typed before the prompt
// appears. It returns [errInterrupted] after Ctrl-C, which is a key here, and no signal.
func (t *terminal) readHidden(prompt string) (string, error) {
	before, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return "", err
	}
	defer term.Restore(int(t.in.Fd()), before) //nolint:errcheck // there is no other way back
	both := struct {
		io.Reader
		io.Writer
	}{keyReader{t}, t.out}
	text, err := term.NewTerminal(both, "").ReadPassword(prompt)
	if t.interrupted {
		return "", errInterrupted
	}
	return text, err
}

// keyReader reads the keys that are typed at a terminal, and notes Ctrl-C.
type keyReader struct{ *terminal }

func (k keyReader) Read(keys []byte) (int, error) {
	const ctrlC = 3
	n, err := k.in.Read(keys)
	k.interrupted = k.interrupted || bytes.IndexByte(keys[:n], ctrlC) >= 0
	return n, err
}

// askArguments asks for the required properties of a JSON Schema that the request does
// not have.
func (t *terminal) askArguments(ctx context.Context, req *executor.Request, schema json.RawMessage) bool {
	var want struct {
		Required   []string
		Properties map[string]json.RawMessage
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(schema, &want) != nil {
		return false
	}
	if req.Args != nil && json.Unmarshal(req.Args, &given) != nil {
		return false
	}
	if given == nil { // there are no arguments, or null
		given = map[string]json.RawMessage{}
	}
	missing := slices.DeleteFunc(want.Required, func(name string) bool { _, ok := given[name]; return ok })
	for _, name := range missing {
		declared := typeOf(req.Tool, name)
		var p argumentSchema
		_ = json.Unmarshal(want.Properties[name], &p) // the schema `true` has no properties
		word := t.askArgument(ctx, fmt.Sprintf("%s (%s): ", name, p.typeName(declared)), p)
		if word == "" {
			return false
		}
		given[name] = parseWord(declared, word)
	}
	args, err := json.Marshal(given)
	req.Args = args
	return err == nil && len(missing) > 0
}

// argumentSchema is the part of an argument's schema that the person sees.
type argumentSchema struct {
	Enum      []json.RawMessage
	Format    string
	WriteOnly bool
}

// typeName returns the type, or the values that are allowed.
func (p argumentSchema) typeName(declared *tool.Type) string {
	if len(p.Enum) == 0 {
		return declared.String()
	}
	values := make([]string, len(p.Enum))
	for i, raw := range p.Enum {
		if json.Unmarshal(raw, &values[i]) != nil {
			values[i] = string(raw)
		}
	}
	return strings.Join(values, " | ")
}

func (t *terminal) askArgument(ctx context.Context, prompt string, p argumentSchema) string {
	if p.Format == "password" || p.WriteOnly {
		word, err := t.readHidden(prompt)
		if err != nil {
			return ""
		}
		return word
	}
	fmt.Fprint(t.out, prompt)
	return t.readLine(ctx)
}
