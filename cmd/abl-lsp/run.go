package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

// runFlags are the flags of run.
type runFlags struct {
	args        string
	arg         []string
	saved       string // the name of a case
	environment string
	session     string
	dryRun      bool
	format      string
	answerFlags
}

// answerFlags are the flags with which a person answers what calls may ask.
type answerFlags struct {
	yes        bool
	grant      []string
	allowHosts []string
	proxy      string
	authTokens []string
}

// addFlags adds the flags to those of a command. tools and runs are the words that its help
// uses for tools and runs.
func (a *answerFlags) addFlags(f *pflag.FlagSet, tools, runs string) {
	f.BoolVar(&a.yes, "yes", false, "confirm whatever asks for confirmation")
	f.StringArrayVar(&a.grant, "grant", nil, "allow "+tools+" an access, `KIND:OP:RESOURCE` (repeatable)")
	f.StringArrayVar(&a.allowHosts, "allow-host", nil, "let "+runs+" reach a private `HOST[:PORT]` or CIDR (repeatable)")
	f.StringVar(&a.proxy, "proxy", "", "send HTTP through a proxy, `http://HOST:PORT`")
	f.StringArrayVar(&a.authTokens, "auth-token", nil, "an identity token of the caller, `SERVICE=TOKEN` (repeatable)")
}

// exitCodeOf is the exit code of run for each kind of error.
var exitCodeOf = map[executor.ErrorKind]exitCode{
	executor.KindDefinition: 5,
	executor.KindArguments:  4,
	executor.KindNeeds:      3,
	executor.KindDenied:     3,
}

func newRun() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run FILE TOOL",
		Short: "Run one tool",
		Long: "Runs one tool, by the same code as the editor's Run. Exits with 0 if it succeeded,\n" +
			"1 if it failed, 3 if it was refused (not confirmed, or a host that was not allowed),\n" +
			"4 for missing or wrong arguments, and 5 if the tool's own definition has errors.",
		Args: argumentCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return runTool(cmd, args[0], args[1], flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.args, "args", "", "all arguments, as a `JSON` object; for a tool without parameters also its input, as a JSON string")
	f.StringArrayVar(&flags.arg, "arg", nil, "one argument, `NAME=VALUE`, converted to its declared type (repeatable)")
	f.StringVar(&flags.saved, "case", "", "take arguments, session and environment of the saved case `NAME`; other flags override them")
	f.StringVar(&flags.environment, "environment", "", "the environment `NAME` of abl.yaml")
	f.BoolVar(&flags.dryRun, "dry-run", false, "show the request and send nothing")
	flags.addAnswers(cmd)
	return cmd
}

// addAnswers adds the flags with which a person answers what a call may ask.
func (flags *runFlags) addAnswers(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&flags.session, "session", "", "session variables, as a `JSON` object")
	flags.addFlags(f, "the tool", "the run")
	f.StringVar(&flags.format, "format", "text", "the `FORMAT` of the output: text or json")
}

// check returns an error if the answers themselves are invalid.
func (flags runFlags) check() error {
	if err := checkOneOf("format", flags.format, "text", "json"); err != nil {
		return err
	}
	if err := checkSession(flags.session); err != nil {
		return err
	}
	return flags.checkHosts()
}

func checkSession(session string) error {
	if session != "" && !json.Valid([]byte(session)) {
		return fmt.Errorf("--session is not JSON: %s", session)
	}
	return nil
}

// checkHosts returns an error if the flags about hosts are invalid.
func (a answerFlags) checkHosts() error {
	g, err := dial.NewGuard(a.allowHosts)
	if err != nil {
		return fmt.Errorf("--allow-host: %w", err)
	}
	if _, err := g.WithProxy(a.proxy); err != nil {
		return fmt.Errorf("--proxy: %w", err)
	}
	return nil
}

// applyTo puts the answers into a request.
func (a answerFlags) applyTo(req *executor.Request) (err error) {
	req.Trusted = true // typing the command is trust
	req.Yes = a.yes
	req.AllowHosts, req.Proxy = a.allowHosts, a.proxy
	if req.Grants, err = parsePermissions(a.grant); err != nil {
		return err
	}
	req.AuthTokens, err = parseAuthTokens(a.authTokens)
	return err
}

// parse returns a function that puts the answers into a request, for commands that make
// many runs.
func (a answerFlags) parse() (func(*executor.Request), error) {
	if err := a.checkHosts(); err != nil {
		return nil, err
	}
	var answers executor.Request
	if err := a.applyTo(&answers); err != nil {
		return nil, err
	}
	return func(req *executor.Request) {
		req.Trusted, req.Yes, req.AllowHosts, req.Proxy = answers.Trusted, answers.Yes, answers.AllowHosts, answers.Proxy
		req.Grants, req.AuthTokens = answers.Grants, answers.AuthTokens
	}, nil
}

func runTool(cmd *cobra.Command, path, name string, flags runFlags) error {
	if err := refuseEmptyFlags(cmd, "args", "case", "session"); err != nil {
		return err
	}
	if err := flags.check(); err != nil {
		return err
	}
	w, in, err := loadFile(cmd.Context(), path, "declares the tool")
	if err != nil {
		return err
	}
	t, ok := invoke.Find(w, in.path, name, checkAllIn(cmd.Context(), w))
	if !ok {
		return noSuchTool(w, in, name)
	}
	if len(t.Broken) > 0 {
		return refuseRun(cmd, w, in, t, flags.format)
	}
	req, err := newRequest(t, flags)
	if fault, ok := errors.AsType[*executor.Error](err); ok {
		return showResult(cmd, executor.RefusedEnvelope(&t.Tool, fault), flags.format)
	}
	if err != nil {
		return err
	}
	ex := newExecutor(newServerCache(), newLocalState())
	defer closeExecutor(cmd, ex)
	if flags.dryRun {
		return showResult(cmd, ex.Preview(cmd.Context(), req), flags.format)
	}
	return runInteractively(cmd, req, flags.format, func(req executor.Request) executor.Envelope { return ex.Run(cmd.Context(), req) })
}

// runInteractively makes a call, and repeats it with each answer that the person gives in
// the terminal. What the tool streams is shown as it arrives.
func runInteractively(cmd *cobra.Command, req executor.Request, format string, call func(executor.Request) executor.Envelope) error {
	if format != "text" {
		return showResult(cmd, call(req), format)
	}
	wait := newSpinner(cmd)
	pieces := &streamPrinter{out: wait.sharedOutput(printableWriter(cmd.OutOrStdout()))}
	person := terminalOf(cmd, wait)
	req.Report = func(p executor.Progress) {
		wait.showProgress(p)
		if wait == nil {
			person.showProgress(p)
		}
		pieces.printOutput(p)
	}
	spinAndCall := func() (e executor.Envelope) {
		wait.work(req.Tool.QualifiedName(), func() { e = call(req) })
		return e
	}
	if person == nil {
		return showResult(cmd, pieces.withoutPrinted(spinAndCall()), format)
	}
	req.OpenURL, req.Approve = person.openURL, person.permissionPrompt(req.Tool)
	envelope := spinAndCall()
	for envelope.Needs != nil && person.askFor(cmd.Context(), &req, envelope) {
		envelope = spinAndCall()
	}
	switch {
	case person.interrupted:
		return errInterrupted
	case person.declined:
		fmt.Fprintln(person.out, "not run: you said no")
		return exitCodeOf[executor.KindDenied]
	}
	return showResult(cmd, pieces.withoutPrinted(envelope), format)
}

func noSuchTool(w model.Workspace, in source, name string) error {
	scope := w.Scope(in.path)
	if called := scope.Ambiguous(name); called != nil {
		return fmt.Errorf("%s: several services have a tool %q; name %s", in.shown, name, strings.Join(called, " or "))
	}
	names := scope.CallNames()
	slices.Sort(names)
	if len(names) == 0 {
		return fmt.Errorf("%s has no tools%s", in.shown, model.WantedTools(in.path))
	}
	meant := ""
	if near := model.Nearest(name, names); near != "" {
		meant = "; did you mean " + near + "?"
	}
	return fmt.Errorf("%s has no tool %q; it has %s%s", in.shown, name, strings.Join(names, ", "), meant)
}

func newRequest(t invoke.Tool, flags runFlags) (executor.Request, error) {
	args, err := parseArguments(&t.Tool, flags.args, flags.arg)
	if err != nil {
		return executor.Request{}, err
	}
	if err := checkArgumentNames(&t.Tool, flags.arg); err != nil {
		return executor.Request{}, err
	}
	req, err := t.Request(invoke.CallOptions{
		Case: flags.saved, Environment: flags.environment, Args: args, Session: json.RawMessage(flags.session),
	})
	if err != nil {
		return req, err
	}
	return req, flags.applyTo(&req)
}

// parsePermissions parses the values of --grant.
func parsePermissions(words []string) ([]tool.Permission, error) {
	var all []tool.Permission
	for _, word := range words {
		var p tool.Permission
		if err := p.UnmarshalText([]byte(word)); err != nil {
			return nil, fmt.Errorf("--grant: %w", err)
		}
		all = append(all, p)
	}
	return all, nil
}

// parseAuthTokens parses the values of --auth-token. An error shows no part of a token.
func parseAuthTokens(words []string) (map[string]string, error) {
	tokens := map[string]string{}
	for _, word := range words {
		service, token, ok := strings.Cut(word, "=")
		if !ok || service == "" || token == "" {
			return nil, errors.New("--auth-token wants SERVICE=TOKEN, the service as it is called under auth_services")
		}
		if _, twice := tokens[service]; twice {
			return nil, fmt.Errorf("--auth-token is there twice for %s, which has one token", service)
		}
		tokens[service] = token
	}
	return tokens, nil
}

// refuseRun ends a run of a tool whose definition has errors. As text it shows them as check
// does.
func refuseRun(cmd *cobra.Command, w model.Workspace, in source, t invoke.Tool, format string) error {
	if format == "json" {
		return showResult(cmd, t.RefusedEnvelope(displayPath(in, t.BrokenIn.Path)), format)
	}
	return reportBroken(cmd, w, toolErrors(t, in))
}

// showResult shows a result and returns its exit code.
func showResult(cmd *cobra.Command, e executor.Envelope, format string) error {
	switch n := e.Needs; {
	case n == nil:
	case n.Browser != "":
		e.Error.Hint = "Run it in a terminal, without --format, or in an editor: this run is over, and nobody waits for the sign-in any more."
	case n.Input != nil:
		e.Error.Hint = "Run it in a terminal, without --format, or in an editor: this run is over, and the server does not wait any more."
	case n.Arguments != nil && e.Error.Hint == "":
		e.Error.Hint = "Give it with --arg NAME=VALUE, or all arguments with --args JSON."
	}
	if wasInterrupted(cmd.Context()) && format == "text" {
		e.Error, e.Needs = nil, nil // the run was cancelled, which is said at the end
	}
	show := showEnvelope
	if format == "json" {
		show = func(cmd *cobra.Command, e executor.Envelope) error { return indent.Encode(cmd.OutOrStdout(), e) }
	}
	if err := show(cmd, e); err != nil {
		return err
	}
	if e.Error == nil {
		return nil
	}
	if e.Needs != nil && e.Needs.Arguments != nil {
		return exitCodeOf[executor.KindArguments]
	}
	if code, ok := exitCodeOf[e.Error.Kind]; ok {
		return code
	}
	return exitCode(exitFound)
}

// showEnvelope prints the value to stdout, and what a person should know about it to stderr.
// What the tool has printed comes first.
func showEnvelope(cmd *cobra.Command, e executor.Envelope) error {
	errs := newMessageWriter(cmd, cmd.ErrOrStderr())
	if e.Console != "" {
		fmt.Fprintln(errs, errs.escape(strings.TrimRight(e.Console, "\n")))
	}
	for _, w := range e.Warnings {
		fmt.Fprintln(errs, errs.paint(boldYellow, "warning:"), errs.escape(w))
	}
	if err := showValue(newTextWriter(cmd, cmd.OutOrStdout()), e); err != nil {
		return err
	}
	for _, m := range e.Set {
		fmt.Fprintf(errs, "set %s = %s\n", errs.paint(bold, m.Name), errs.escape(compact(m.Value)))
	}
	if e.Verified != nil && *e.Verified {
		fmt.Fprintln(errs, errs.paint(green, "verified"))
	}
	if e.Error == nil {
		return nil
	}
	if c := e.Needs; c != nil && c.Confirmation != nil {
		fmt.Fprintln(errs, errs.escape(c.Confirmation.Summary))
	}
	if e.Error.Code != executor.CodeCancelled {
		fmt.Fprintln(errs, errs.paintLabel(boldRed, e.Error.Title()))
	}
	_, err := fmt.Fprintln(errs, errs.paintLabel(bold, e.Error.FullMessage()))
	return err
}

// showValue prints what a tool returned, if it did: a text as it is, any other value as JSON.
func showValue(out textWriter, e executor.Envelope) (err error) {
	switch {
	case e.Text != "":
		_, err = fmt.Fprintln(out, out.escape(strings.TrimRight(e.Text, "\n")))
	case len(e.Value) == 0 || !e.OK && string(e.Value) == "null":
	case out.escaped && isContent(e):
		for _, line := range describeContent(e.Content) {
			_, err = fmt.Fprintln(out, out.escape(line))
		}
	case out.escaped:
		var text strings.Builder
		if err = indent.Encode(&text, e.Value); err == nil {
			_, err = io.WriteString(out, out.paintJSON(text.String()))
		}
	default:
		err = indent.Encode(out, e.Value)
	}
	return err
}

func compact(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
