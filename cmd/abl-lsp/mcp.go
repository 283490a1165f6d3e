package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/describe"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/executor/webhook"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/internal/export"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/internal/mcpserver"
	"github.com/abl-lsp/abl-lsp/internal/metrics"
)

// mcpFlags are the flags of the command mcp.
type mcpFlags struct {
	environment        string
	defaultEnvironment string
	session            string
	http               string
	toolset            string
	stateKey           string
	config             string
	shared             string
	insecure           bool
	drain              time.Duration
	answerFlags
}

func newMCP() *cobra.Command {
	var flags mcpFlags
	cmd := &cobra.Command{
		Use:   "mcp FILE…",
		Short: "Serve tools over the Model Context Protocol",
		Long: "Serves the tools of files, imports followed, to clients of the Model Context\n" +
			"Protocol: on stdin and stdout, or by HTTP. A call runs by the same code as the\n" +
			"editor's Run; what it needs of a person is asked through the client. Left out, and\n" +
			"named on stderr, are tools whose own definition has errors, the platform's built-in\n" +
			"tools, and tools that nothing here runs. Exits with 5 if no tool is left.",
		Args: argumentCount(1, anyNumber),
		RunE: func(cmd *cobra.Command, args []string) error { return serveMCP(cmd, args, flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.environment, "environment", "", "the environment `NAME` of abl.yaml")
	f.StringVar(&flags.defaultEnvironment, "usual-environment", "", "the environment `NAME` of the projects that have any; in one that lacks it, no call runs")
	f.StringVar(&flags.session, "session", "", "session variables of every call, as a `JSON` object")
	f.StringVar(&flags.http, "http", "", "serve by streamable HTTP at `[HOST:]PORT` instead; on this machine unless a host is named")
	f.StringVar(&flags.toolset, "toolset", "", "serve only the tools and prompts of the toolset or group `NAME` of a Toolbox file")
	f.StringVar(&flags.stateKey, "state-key", "", "the `NAME` of a secret that seals what clients keep between the rounds of a call; processes with the same one accept each other's. Else a key made at the start")
	f.StringVar(&flags.shared, "shared", "", "the `URL` (redis:// or rediss://) of a Redis server with what several servers agree on: limits, used confirmations, tasks; --state-key seals it. Else this machine alone")
	f.StringVar(&flags.config, "config", "", "read from `FILE` where and for whom tools are served; other flags override it")
	f.DurationVar(&flags.drain, "drain", defaultDrain, "how long `DURATION` calls may go on when the server is asked to end")
	f.BoolVar(&flags.insecure, "insecure", false, "serve beyond this machine although anyone who reaches the address can call the tools")
	flags.addFlags(f, "the tools", "the runs")
	return cmd
}

func serveMCP(cmd *cobra.Command, args []string, flags mcpFlags) error {
	defer ignoreBrokenPipe()()
	if err := checkSession(flags.session); err != nil {
		return err
	}
	if err := refuseEmptyFlags(cmd, "config", "shared"); err != nil {
		return err
	}
	rules, err := readOperatorRules(cmd.Context(), &flags)
	if err != nil {
		return err
	}
	answer, err := flags.parse()
	if err != nil {
		return err
	}
	choice := invoke.CallOptions{Environment: flags.environment, Usual: flags.defaultEnvironment, Session: []byte(flags.session)}
	sharing, err := sharingOf(flags, rules.config)
	if err != nil {
		return err
	}
	known, stored := newServerCache(), newLocalState()
	callbacks := newCallbackEndpoint(flags, stored)
	ex := newServingExecutor(known, stored, callbacks)
	defer func() { ex.Close() }() // there is no one left to report an error to
	served := &servedFiles{cmd: cmd, errs: cmd.ErrOrStderr(), args: args, toolset: flags.toolset, supports: supportCheck(ex, choice)}
	defer known.Watch(func(string) { served.listingsChanged.Store(true) })()
	if err := served.read(); err != nil {
		return err
	}
	if err := served.report(); err != nil {
		return err
	}
	if len(served.tools)+len(served.texts.prompts) == 0 {
		return exitCodeOf[executor.KindDefinition]
	}
	if err := served.checkEnvironment(choice); err != nil {
		return err
	}
	checkScopes := func() error { return nil } // no scopes are needed on stdin and stdout
	if flags.http != "" {
		checkScopes = served.checkScopes
		if err := checkScopes(); err != nil {
			return err
		}
		served.warnOfClosedTools(choice, rules.callers)
	}
	key, err := served.stateKey(flags.stateKey, choice)
	if err != nil {
		return err
	}
	key = cmp.Or(key, rules.config.StateKey)
	log := newServerLogger(cmd.ErrOrStderr())
	warnOfWeakSecrets(log, key, rules)
	if sharing != nil {
		if stored, err = sharing.open(key, log); err != nil {
			return err
		}
		defer stored.Close()
		rules.callers.ShareLimits(stored)
		ex.Close() // it only knew what it runs: the key was not known yet
		callbacks = newCallbackEndpoint(flags, stored)
		ex = newServingExecutor(known, stored, callbacks)
		served.supports = supportCheck(ex, choice)
	}
	var counted *metrics.Metrics
	var logger *slog.Logger
	if flags.http != "" {
		counted, logger = metrics.New(version), log
	}
	s := mcpserver.New(mcpserver.Options{
		Run: ex.Run, ApplyAnswers: rules.withHosts(answer), Callers: rules.callers, Version: version, Title: served.title(), CallOptions: choice, DescribeTool: describe.DeclarationMarkdown,
		State: stored, Resumer: ex, StateKey: key, Metrics: counted, Logger: logger, Identify: ex.Identify,
	})
	defer s.Close()
	served.updateServer(s)
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	if logger != nil {
		served.errs = lineLogger{logger}
	}
	go served.reloadOnChange(ctx, s, checkScopes)
	go rules.reloadOnChange(ctx, func(text string) {
		if logger == nil {
			fmt.Fprintln(printableOutput{cmd.ErrOrStderr()}, text)
			return
		}
		logger.Warn(text)
	})
	if flags.http == "" {
		return s.Serve(ctx, cmd.InOrStdin(), cmd.OutOrStdout())
	}
	return serveOverHTTP(ctx, cmd, s, callbacks, flags, rules, log)
}

// newCallbackEndpoint returns where callbacks come in over HTTP; nil if nothing is served there.
func newCallbackEndpoint(flags mcpFlags, s state.Store) *webhook.Endpoint {
	if flags.http == "" {
		return nil
	}
	return webhook.NewEndpoint(s, mcpserver.CallbackPath)
}

// defaultDrain is how long calls may go on at the end where nothing else is said.
const defaultDrain = 10 * time.Second

// serveOverHTTP serves HTTP until ctx ends.
func serveOverHTTP(ctx context.Context, cmd *cobra.Command, s *mcpserver.Server, callbacks *webhook.Endpoint, flags mcpFlags, rules *operatorRules, log *slog.Logger) (err error) {
	o := rules.first
	how := mcpserver.HTTP{Drain: defaultDrain, Callbacks: callbacks}
	switch {
	case cmd.Flags().Changed("drain"):
		how.Drain = flags.drain
	case o.Drain != nil:
		how.Drain = *o.Drain
	}
	if how.Listener, err = mcpserver.Listen(flags.http); err != nil {
		return fmt.Errorf("--http: %w", err)
	}
	if rules.exposesTokens(how.Listener.Addr()) {
		log.Warn("callers send their tokens to " + how.Listener.Addr().String() + " without encryption: add `tls`, or let a proxy encrypt the connections")
	}
	how.Listener = rules.listener(how.Listener)
	defer how.Listener.Close()
	if o.Metrics != "" {
		if how.Operations, err = mcpserver.Listen(o.Metrics); err != nil {
			return o.Errorf("metrics", "%w", err)
		}
		defer how.Operations.Close()
		fmt.Fprintf(cmd.ErrOrStderr(), "metrics at http://%s/metrics\n", how.Operations.Addr())
	}
	callbacks.SetAddress(rules.scheme() + "://" + reachableAddress(how.Listener.Addr()))
	fmt.Fprintf(cmd.ErrOrStderr(), "serving at %s://%s%s\n", rules.scheme(), how.Listener.Addr(), mcpserver.Path)
	return s.ServeHTTP(ctx, how)
}

// reachableAddress returns the address at which programs of this machine reach a listener.
func reachableAddress(at net.Addr) string {
	if tcp, ok := at.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return at.String()
}

// servedFiles are the files whose tools are served, as they were last read.
type servedFiles struct {
	cmd      *cobra.Command
	errs     io.Writer // gets what is wrong with the files
	args     []string
	toolset  string                  // the only one that is served; "" for everything
	supports func(invoke.Tool) error // returns an error if no call of a tool can be made

	sources       []source
	workspace     model.Workspace
	tools         []invoke.Tool
	broken        []mcpserver.BrokenTool
	platformTools []string  // the tools that run on the platform only
	unsupported   []string  // the tools that nothing here runs, with the reasons
	found         []finding // the errors of these files
	stamps        map[string]disk.Stamp
	texts         servedTexts

	listingsChanged atomic.Bool // an MCP server has listed other tools since the files were read
}

// read reads the files.
func (s *servedFiles) read() (err error) {
	folders := folderStamps(s.args)
	if s.sources, err = expandArguments(s.args, isLanguageFile); err != nil {
		return err
	}
	before := stampsOf(s.workspace, s.sources)
	if s.workspace, err = loadAll(s.cmd.Context(), s.sources); err != nil {
		return err
	}
	s.stamps = stampsOf(s.workspace, s.sources)
	maps.Copy(s.stamps, before) // files that change while they are read are read again
	maps.Copy(s.stamps, folders)
	s.tools, s.broken, s.platformTools, s.unsupported, s.found = nil, nil, nil, nil, nil
	s.texts = servedTexts{}
	for _, in := range s.sources {
		s.addFile(in)
	}
	if s.toolset != "" {
		if err := s.only(s.toolset); err != nil {
			return err
		}
	}
	for _, t := range s.tools {
		for _, file := range executor.SchemaFiles(t.Tool) {
			s.stamps[file] = disk.StampOf(file)
		}
	}
	if len(s.tools)+len(s.broken)+len(s.platformTools)+len(s.unsupported)+len(s.texts.prompts)+len(s.texts.faulty) == 0 {
		return errors.New("the files have no tools")
	}
	return nil
}

func (s *servedFiles) addFile(in source) {
	before := len(s.tools)
	var broken []invoke.Tool
	for _, t := range allTools(s.cmd.Context(), s.workspace, in) {
		switch {
		case t.IsPlatformTool():
			s.platformTools = append(s.platformTools, t.Tool.Name)
			continue
		case len(t.Broken) == 0:
			s.addTool(t)
			continue
		}
		broken = append(broken, t)
		s.broken = append(s.broken, mcpserver.BrokenTool{Name: t.Tool.QualifiedName(), Answer: t.RefusedEnvelope(displayPath(in, t.BrokenIn.Path))})
		s.found = append(s.found, toolErrors(t, in)...)
	}
	s.texts.addTexts(s.workspace, in, s.tools[before:], broken)
}

// addTool adds a tool, unless it has errors or nothing here runs it.
func (s *servedFiles) addTool(t invoke.Tool) {
	if err := s.supports(t); err != nil {
		s.unsupported = append(s.unsupported, t.Tool.QualifiedName()+": "+err.Error())
		return
	}
	s.tools = append(s.tools, t)
}

// supportCheck returns a function that returns an error if ex cannot run a tool with the
// options choice, or if the tool has no single binding. Other errors in the chosen
// environment are left to the call.
func supportCheck(ex *executor.Executor, choice invoke.CallOptions) func(invoke.Tool) error {
	return func(t invoke.Tool) error {
		req, err := t.Request(choice)
		if err == nil {
			return ex.Supports(req.Tool, &req.Environment)
		}
		if fault, ok := errors.AsType[*executor.Error](err); ok && (fault.Code == "no-binding" || fault.Code == "ambiguous-binding") {
			return fault
		}
		return nil
	}
}

// checkEnvironment returns an error if no tool has the environment that was asked for:
// each call would fail, and no client could do anything about it.
func (s *servedFiles) checkEnvironment(choice invoke.CallOptions) (err error) {
	if choice.Environment == "" {
		return nil
	}
	for _, t := range s.tools {
		_, err = t.Request(choice)
		if _, unknown := errors.AsType[*projectfile.UnknownEnvironment](err); !unknown {
			return nil
		}
	}
	return err
}

// stateKey returns the secret that --state-key names, from where the project of the first tool keeps
// its secrets; "" if name is "".
func (s *servedFiles) stateKey(name string, choice invoke.CallOptions) (string, error) {
	if name == "" {
		return "", nil
	}
	var places secrets.Places
	for _, t := range s.tools {
		if req, err := t.Request(choice); err == nil {
			places = req.Environment.Secrets
			break
		}
	}
	providers, err := places.ProvidersIn(os.LookupEnv)
	if err != nil {
		return "", fmt.Errorf("abl.yaml: %w", err)
	}
	value, ok, err := secrets.Find(s.cmd.Context(), providers, name)
	if !ok {
		return "", errors.Join(fmt.Errorf("--state-key: there is no secret %s. %s", name, places.Hint()), err)
	}
	return value, nil
}

// report shows the errors of tools, and which tools run on the platform only.
func (s *servedFiles) report() error {
	for _, name := range s.platformTools {
		fmt.Fprintln(printableOutput{s.errs}, "left out:", export.PlatformOnly(name))
	}
	for _, why := range s.unsupported {
		fmt.Fprintln(printableOutput{s.errs}, "left out:", why)
	}
	if len(s.found) == 0 {
		return nil
	}
	return reportText(s.errs, checkReport{workspace: s.workspace, found: s.found, coloured: hasColours(s.cmd, s.errs)})
}

// updateServer gives the server the tools, and tells the person which tools are left out.
func (s *servedFiles) updateServer(to *mcpserver.Server) {
	errs := printableOutput{s.errs}
	for _, left := range to.Set(s.tools, s.broken) {
		fmt.Fprintln(errs, "left out:", left)
	}
	for _, b := range s.broken {
		fmt.Fprintf(errs, "left out: %s: its definition has errors\n", b.Name)
	}
	s.updateTexts(to)
}

// pollInterval is how often the files are checked for changes.
const pollInterval = 250 * time.Millisecond

// reloadOnChange reads the files again when they change. Files that cannot be read keep
// their last content. After each time, an error of checkScopes is a warning.
func (s *servedFiles) reloadOnChange(ctx context.Context, to *mcpserver.Server, checkScopes func() error) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pollInterval):
		}
		if !s.listingsChanged.Swap(false) && s.isUnchanged() {
			continue
		}
		if err := s.read(); err != nil {
			fmt.Fprintln(printableOutput{s.errs}, "the tools stay as they were:", err)
			for _, in := range s.sources { // including new ones
				s.stamps[in.path] = disk.Stamp{}
			}
			for path := range s.stamps {
				s.stamps[path] = disk.StampOf(path)
			}
			continue
		}
		_ = s.report() // there is no one left to report an error to
		if err := checkScopes(); err != nil {
			fmt.Fprintln(printableOutput{s.errs}, err)
		}
		s.updateServer(to)
	}
}

// isUnchanged reports whether all files are unchanged since they were read.
func (s *servedFiles) isUnchanged() bool {
	for path, stamp := range s.stamps {
		if !stamp.IsUnchanged(disk.StampOf(path)) {
			return false
		}
	}
	return true
}

// stampsOf returns the stamps of all files that were looked for.
func stampsOf(w model.Workspace, sources []source) map[string]disk.Stamp {
	stamps := map[string]disk.Stamp{}
	for _, path := range w.Paths() {
		stamps[path] = disk.StampOf(path)
	}
	for _, s := range sources {
		stamps[s.path] = disk.StampOf(s.path)
	}
	return stamps
}

// folderStamps returns the stamps of the folders among args and of those below, which change when a file
// appears there or goes.
func folderStamps(args []string) map[string]disk.Stamp {
	stamps := map[string]disk.Stamp{}
	for _, arg := range args {
		if isVariable(arg) {
			continue
		}
		for _, folder := range disk.FindFolders(arg) {
			stamps[folder] = disk.StampOf(folder)
		}
	}
	return stamps
}
