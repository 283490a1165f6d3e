package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
)

// testFlags are the flags of the command test.
type testFlags struct {
	format      string
	environment string
	filter      string
	tag         string
	jobs        int
	bail        bool
	repeat      int
	record      bool
	answerFlags
}

func newTest() *cobra.Command {
	var flags testFlags
	cmd := &cobra.Command{
		Use:   "test PATH…",
		Short: "Run saved cases",
		Long: "Runs the saved cases of files and folders by the same code as the editor's Run.\n" +
			"A path is a file of cases, a file of tools with cases beside it, or a folder.\n" +
			"Exits with 0 if all pass, 1 if some fail, and 2 if no case matches --filter and --tag.",
		Args: argumentCount(1, anyNumber),
		RunE: func(cmd *cobra.Command, args []string) error { return runTests(cmd, args, flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.format, "format", "text", "the `FORMAT` of the report: text, json or junit")
	f.StringVar(&flags.environment, "environment", "", "the environment `NAME` of abl.yaml, instead of those of the cases")
	flags.addFlags(f, "the tools", "the runs")
	f.StringVar(&flags.filter, "filter", "", "only the cases whose TOOL/NAME matches a `REGEXP`")
	f.StringVar(&flags.tag, "tag", "", "only the cases with this `TAG`")
	f.IntVar(&flags.jobs, "jobs", 1, "run `N` cases at once")
	f.BoolVar(&flags.bail, "bail", false, "stop at the first case that fails")
	f.IntVar(&flags.repeat, "repeat", 1, "run each case `N` times, until it fails")
	f.BoolVar(&flags.record, "record", false, "write the results as expect into the cases that have none")
	return cmd
}

// savedTest is a saved case to be run.
type savedTest struct {
	in    source // the file of cases
	line  int    // from 1
	index int    // among the cases of the file
	saved projectfile.Case
}

// name returns the name of the case as it is shown.
func (t savedTest) name() string {
	if t.saved.Tool == "" {
		return "(file)"
	}
	return t.saved.Tool + "/" + t.saved.Name
}

// testResult is the result of a saved case.
type testResult struct {
	savedTest
	status   testStatus
	message  string
	envelope *executor.Envelope  // nil if the tool was not called
	expect   *refactor.NewExpect // the expectation to record; nil: none
}

// isFailure reports whether the case did not pass, unless it says itself that it must not
// run.
func (r testResult) isFailure() bool {
	return r.status == statusFail || r.status == statusSkip && r.saved.Skip == ""
}

// dropValue frees what only the report in JSON shows, since values may be large and cases
// many.
func (r testResult) dropValue() {
	if r.envelope != nil {
		r.envelope.Value, r.envelope.Text = nil, ""
	}
}

type testStatus string

const (
	statusPass testStatus = "pass"
	statusFail testStatus = "fail"
	statusSkip testStatus = "skip"
)

func runTests(cmd *cobra.Command, args []string, flags testFlags) error {
	if err := checkTestFlags(flags); err != nil {
		return err
	}
	answer, err := flags.parse()
	if err != nil {
		return err
	}
	sources, err := caseFiles(args)
	if err != nil {
		return err
	}
	w, err := loadAll(cmd.Context(), sources)
	if err != nil {
		return err
	}
	w = completeFolders(w, args, sources)
	ex := newExecutor(newServerCache(), newLocalState())
	defer closeExecutor(cmd, ex)
	r := testRun{workspace: w, flags: flags, answer: answer, executor: ex}
	saved := allTests(w, sources)
	tests := flags.selectCases(saved)
	switch {
	case len(saved) == 0:
		fmt.Fprintln(cmd.ErrOrStderr(), noCasesMessage(args, sources))
	case len(tests) == 0:
		return flags.noMatchError(saved)
	}
	r.tools = r.findTools(cmd.Context(), tests)
	wait := newSpinner(cmd)
	report := testReports[flags.format](cmd, wait.sharedOutput(cmd.OutOrStdout()))
	tell := report.reportOne
	if flags.record { // a case whose expectation cannot be written has failed
		tell = func(testResult) {}
	}
	var results []testResult
	progress := func(ended int) { wait.setLabel(fmt.Sprintf("%d of %s", ended, plural(len(tests), "case"))) }
	wait.work(plural(len(tests), "case"), func() {
		results = r.runAll(cmd.Context(), tests, &orderedReporter{ended: make([]*testResult, len(tests)), report: tell, progress: progress})
	})
	if flags.record {
		recordAll(w, sources, results)
		for _, result := range results {
			report.reportOne(result)
		}
	}
	if err := report.reportAll(results); err != nil {
		return err
	}
	if slices.ContainsFunc(results, testResult.isFailure) {
		return exitCode(exitFound)
	}
	return nil
}

// noCasesMessage says where there are no cases: in which files, or that the paths lead to
// none.
func noCasesMessage(args []string, sources []source) string {
	if len(sources) == 0 {
		return "no saved cases (*.cases.yaml) in " + strings.Join(args, ", ")
	}
	var files []string
	for _, s := range sources {
		files = append(files, s.shown)
	}
	return "not one case is in " + strings.Join(files, ", ")
}

func checkTestFlags(flags testFlags) error {
	if err := checkOneOf("format", flags.format, "text", "json", "junit"); err != nil {
		return err
	}
	if _, err := regexp.Compile(flags.filter); err != nil {
		return fmt.Errorf("--filter: %w", err)
	}
	if flags.record && flags.repeat > 1 {
		return errors.New("--record and --repeat do not go together: it is what one run gave that is written")
	}
	if flags.jobs < 1 || flags.repeat < 1 {
		return errors.New("--jobs and --repeat take a number from 1 up")
	}
	return nil
}

// caseFiles returns the files of cases that args name or that are below the folders that
// args name. For a file of tools it returns the cases file next to it. Other files and
// environment variables are errors.
func caseFiles(args []string) ([]source, error) {
	given, err := expandArguments(args, model.IsCases)
	if err != nil {
		return nil, err
	}
	var casesPaths []string
	for _, s := range given {
		shown := s.shown
		if isVariable(shown) {
			return nil, fmt.Errorf("%s: an environment variable has no saved cases; they are read from files (*.cases.yaml)", shown)
		}
		if !model.IsCases(s.path) {
			cases := model.CasesPathIfAny(s.path)
			if cases == "" {
				return nil, fmt.Errorf("%s is neither a file of cases nor one of tools", s.shown)
			}
			shown = displayPath(s, cases)
		}
		casesPaths = append(casesPaths, shown)
	}
	return expandArguments(casesPaths, model.IsCases)
}

// allTests returns the cases of files, in order. If some cases of a file cannot be read,
// it adds a test without a tool for the file, which fails.
func allTests(w model.Workspace, sources []source) []savedTest {
	var all []savedTest
	for _, s := range sources {
		file := w.File(s.path)
		lines := file.Doc.Lines()
		if lost := projectfile.LostCase(file.YAML); lost != nil {
			all = append(all, savedTest{s, lines.Line(lost.Span.Start) + 1, 0, projectfile.Case{Misread: errors.New(lost.Message)}})
		}
		for i, c := range model.SavedCases(w, s.path) {
			all = append(all, savedTest{s, lines.Line(c.Span.Start) + 1, i, c})
		}
	}
	return all
}

// testRun runs cases.
type testRun struct {
	workspace model.Workspace
	flags     testFlags
	answer    func(*executor.Request) // puts the person's answers into each request
	executor  *executor.Executor
	tools     map[caseToolName]foundTool
}

// runAll runs the cases, as many at once as the flags say. The results have the order of
// the cases, and are reported in that order.
func (r testRun) runAll(ctx context.Context, tests []savedTest, reporter *orderedReporter) []testResult {
	results := make([]testResult, len(tests))
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(r.flags.jobs, len(tests)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(tests)); i = next.Add(1) - 1 {
				results[i] = r.runRepeatedly(ctx, tests[i])
				if r.flags.format != "json" {
					results[i].dropValue()
				}
				if r.flags.bail && results[i].status == statusFail {
					stop()
				}
				reporter.addResult(int(i), results[i])
			}
		})
	}
	workers.Wait()
	return results
}

// orderedReporter reports the result of a case as soon as all cases before it have ended.
type orderedReporter struct {
	lock   sync.Mutex
	ended  []*testResult // by case: the result; nil: it still runs, or has been reported
	next   int
	report func(testResult)

	count    int // of results
	progress func(count int)
}

func (o *orderedReporter) addResult(i int, r testResult) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.ended[i] = &r
	o.count++
	o.progress(o.count)
	for ; o.next < len(o.ended) && o.ended[o.next] != nil; o.next++ {
		o.report(*o.ended[o.next])
		o.ended[o.next] = nil
	}
}

// runRepeatedly runs a case until it fails, or as often as the flags say.
func (r testRun) runRepeatedly(ctx context.Context, t savedTest) testResult {
	result := testResult{savedTest: t, status: statusSkip}
	for range r.flags.repeat {
		if ctx.Err() != nil {
			return cancelledResult(t)
		}
		if result = r.runOnce(ctx, t); result.status != statusPass {
			break
		}
	}
	return result
}

func cancelledResult(t savedTest) testResult {
	return testResult{savedTest: t, status: statusSkip, message: cmp.Or(t.saved.Skip, "not run any more")}
}

func (r testRun) runOnce(ctx context.Context, t savedTest) testResult {
	result := testResult{savedTest: t, status: statusFail}
	if t.saved.Tool == "" {
		result.message = "not all cases can be read: " + t.saved.Misread.Error()
		return result
	}
	found := r.tools[caseToolName{t.in.path, t.saved.Tool}]
	if found.err != nil {
		result.message = found.err.Error()
		return result
	}
	judged := context.WithoutCancel(ctx) // a result that has arrived counts, even if the other runs are stopped meanwhile
	tested := found.tool.RunCase(judged, t.saved, invoke.CallOptions{Environment: r.flags.environment}, r.answer, func(req executor.Request) executor.Envelope {
		req.Unattended = true
		return r.executor.Run(ctx, req)
	})
	result.envelope = tested.Result
	if ctx.Err() != nil && wasStopped(tested.Result) {
		if len(tested.Result.Attempts) == 0 {
			return cancelledResult(t)
		}
		result.status, result.message = statusSkip, "stopped while it ran"
		return result
	}
	result.status = statuses[tested.Outcome]
	if tested.Failure != nil {
		result.message = tested.Failure.Message
	}
	if r.flags.record && tested.Result != nil && invoke.IsEmptyExpectation(t.saved.Expect) {
		result.recordExpectation(judged, tested)
	}
	return result
}

// wasStopped reports whether a run was stopped before its end.
func wasStopped(e *executor.Envelope) bool {
	return e != nil && e.Error != nil && e.Error.Code == executor.CodeCancelled
}

// statuses are the words of reports. A case whose tool was not called has failed.
var statuses = map[invoke.Outcome]testStatus{
	invoke.Passed: statusPass, invoke.Failed: statusFail, invoke.Errored: statusFail, invoke.Skipped: statusSkip,
}
