// Package check finds what is wrong with a file, by the pages of the language: docs/diagnostics has
// a page for every code.
//
// A check is one small file, named by its code, and one line in [All]. It has one or both of two
// functions: Entry looks at one entry alone and is called again only when the text of that entry
// changes; File looks at names, sections and imports, and is called every time. Checks know nothing
// of each other, and one that panics loses its own diagnostics only.
//
// A file without an underscore, this one apart, is the check of its name. The others have parts of
// several checks (rules_*.go), functions that checks call (helper_*.go), and the code that runs the
// checks (run_*.go).
//
// The first law is that there are no false alarms: if the language leaves something open, a check
// is silent.
package check

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// Check finds the diagnostics of one code.
type Check struct {
	Code string

	// Entry looks at one entry. Spans are relative to it, also those of Related, whose Path is left
	// empty.
	Entry func(*findings, Entry)

	// File looks at a file as a whole and at what it imports.
	File func(*findings, File)

	// Project looks at a project's abl.yaml; YAML looks at that and at saved cases.
	Project, YAML func(*findings, File)

	// Form checks look at the form of the lines, and at nothing outside the file: see [HasForm].
	Form bool

	Tag model.Tag // of all that the check finds; 0 for none

	// Standard is the severity under [Options.Standard], 0 for the same one. Checks with OnlyStandard
	// are silent without that option.
	Standard     model.Severity
	OnlyStandard bool
}

// Options say how a file is checked.
type Options struct {
	// Cache makes the next run for a file cheaper and never changes the result; it may be nil.
	Cache *Cache

	// Standard reports what is not in the published language.
	Standard bool

	// Unsuppressed also returns what comments suppress, for callers that act on it: a comment does not
	// repair a file.
	Unsuppressed bool
}

// All returns the checks, in the order of docs/README.md.
func All() []Check {
	return []Check{
		syntaxError,
		missingSection,
		duplicateSection,
		fileSuffix,
		removedSection,
		unknownSection,
		sectionCase,
		sectionIndent,
		trailingComment,
		platformLoss,
		deprecatedSpelling,
		unusedSuppression,
		invalidSignature,
		duplicateTool,
		reservedName,
		tooManyTools,
		nameStyle,
		noDescription,
		duplicateParameter,
		typeTypo,
		defaultType,
		unknownParameter,
		unusedParameterBlock,
		unknownProperty,
		duplicateProperty,
		missingProperty,
		invalidValue,
		misplacedProperty,
		extension,
		bindingWithoutType,
		unboundTool,
		confirmationMissing,
		readBeforeWrite,
		pathParameter,
		confirmationParameter,
		templateSyntax,
		unknownTemplateName,
		plaintextSecret,
		authConfig,
		cacheableMutation,
		retryMutation,
		unsafeEndpoint,
		unresolvedImport,
		unknownImportName,
		importCollision,
		importCycle,
		unusedImport,
		undefinedTool,
		undefinedAgent,
		unusedTool,
		callArguments,
		undefinedStep,
		unreachableStep,
		unreachableAction,
		unmatchedInput,
		missingReasoning,
		unknownServer,
		unknownFunction,
		ambiguousMatches,
		unknownHandler,
		unknownSource,
		unknownAuthService,
		unknownSecret,
		codeSyntax,
		returnMismatch,
		sqlStatement,
		mcpSchema,
		committedSecrets,
	}
}

// Entry is an entry with everything that its checks may depend on.
type Entry struct {
	Kind    model.FileKind
	Section string // the keyword around it, or its own if Head; "" between sections
	Head    bool
	Root    syntax.Node
	Tools   []model.ToolDecl // declared in it
	Maps    []model.Map      // the places with keys in it
	Auth    string           // the shared default for tools, as written
	Servers *model.Servers   // of the project; nil if nothing is known of them
}

// InTools reports whether the entry is a line of TOOLS.
func (e Entry) InTools() bool { return e.Section == "TOOLS" && !e.Head }

// File is a file with the workspace around it.
type File struct {
	*model.File
	Workspace model.Workspace
	run       *run
}

// Run returns the diagnostics of the file at path, by position. Imports are looked for in the
// workspace alone, so complete the workspace first. A run whose context is done returns nothing. If
// there are more than MaxDiagnostics, the first ones are returned.
func Run(ctx context.Context, w model.Workspace, path string, o Options) []model.Diagnostic {
	f := w.File(path)
	if f == nil || f.Doc == nil || !isChecked(f) {
		return nil
	}
	if o.Cache == nil {
		o.Cache = new(Cache)
	}
	r := newRun(ctx, w, path, o.Cache)
	var found []model.Diagnostic
	if f.IsYAMLAgent() {
		found = r.checkYAMLAgent(w, f, o.Standard)
	} else {
		found = r.withSeverities(r.checkFile(w, f), o.Standard)
	}
	if ctx.Err() != nil {
		return nil
	}
	o.Cache.dropMissing(w)
	if written := f.Written(); !o.Unsuppressed && !isUnreadableText(written.Doc) {
		found = r.withoutSuppressed(written, found, o)
	}
	return model.InFile(f, found[:min(len(found), MaxDiagnostics)])
}

// SyntaxOfLarge returns those diagnostics of [Run] that are about lines which cannot be read, if
// the file at path is a large ABL file; for other files it returns none. It takes a small part of
// the time of Run. Some diagnostics are missing if a slip is repaired.
func SyntaxOfLarge(ctx context.Context, w model.Workspace, path string, o Options) []model.Diagnostic {
	f := w.File(path)
	isLarge := f != nil && f.Doc != nil && f.Kind != model.YAML && len(f.Doc.Text()) > maxRepairedText && !isUnreadableText(f.Doc)
	if !isLarge {
		return nil
	}
	r := newRun(ctx, w, path, &Cache{OnPanic: o.Cache.OnPanic})
	r.checks = lineChecks()
	found := r.withoutSuppressed(f, r.withSeverities(r.checkText(w, f), o.Standard), o)
	if ctx.Err() != nil {
		return nil
	}
	return found[:min(len(found), MaxDiagnostics)]
}

// isChecked reports whether any check looks at files such as f. It is false for a JSON or YAML file
// that is no agent, no file of a project, no saved cases and no foreign file, unless it is too
// large to be read.
func isChecked(f *model.File) bool {
	isOther := f.Kind == model.YAML && f.YAML == nil && f.Foreign == nil
	return !isOther || model.IsManifest(f.Path) || f.Doc.TooLarge()
}

// MaxDiagnostics is how many diagnostics of one file are returned.
const MaxDiagnostics = 10_000

// run holds the state of one [Run] over one file.
type run struct {
	ctx    context.Context
	cache  *Cache
	checks []Check // shared: do not change them

	suppressions   func() []suppression     // the comments of the file that suppress diagnostics
	statements     func() []model.Statement // of the file, which several checks look at
	stepStatements func() []model.Statement // of `verify` and `revert`
	agent          *model.YAMLAgent         // nil if the file is no agent in YAML
	agentValues    func() []agentValue      // of an agent in YAML

	unrepaired []model.Diagnostic // what is found without [run.withRepairs]
}

// allChecks are [All], made once. The slice is shared: do not change it.
var allChecks = sync.OnceValue(All)

// checksByCode are all checks by their code.
var checksByCode = sync.OnceValue(func() map[string]Check {
	byCode := map[string]Check{}
	for _, c := range allChecks() {
		byCode[c.Code] = c
	}
	return byCode
})

func newRun(ctx context.Context, w model.Workspace, path string, cache *Cache) *run {
	r := &run{
		ctx: ctx, cache: cache, checks: allChecks(), agent: w.File(path).Agent,
		suppressions:   sync.OnceValue(func() []suppression { return suppressionsIn(w.File(path).Written()) }),
		statements:     sync.OnceValue(func() []model.Statement { return model.Statements(w, path) }),
		stepStatements: sync.OnceValue(func() []model.Statement { return model.StepStatements(w, path) }),
	}
	r.agentValues = sync.OnceValue(func() []agentValue { return slices.Collect(r.eachAgentValue) })
	return r
}

func (r *run) checkFile(w model.Workspace, f *model.File) []model.Diagnostic {
	if isUnreadableText(f.Doc) {
		// What else is found in such a file is noise.
		return r.runCheck(syntaxError, func(out *findings) { textProblems(out, f.Doc) })
	}
	if f.YAML != nil {
		return r.checkYAML(w, f)
	}
	if model.IsManifest(f.Path) {
		return r.runCheck(undefinedAgent, func(out *findings) { undefinedAgent.File(out, File{f, w, r}) })
	}
	if f.Foreign != nil {
		return r.checkForeign(File{f, w, r})
	}
	return r.withRepairs(w, f, r.checkText(w, f))
}

// checkText returns the findings in an ABL text as it is, without repairs.
func (r *run) checkText(w model.Workspace, f *model.File) []model.Diagnostic {
	var found []model.Diagnostic
	for _, u := range r.checkEntries(f, w.Servers(f.Path)) {
		for _, d := range u.diagnostics() {
			found = append(found, d.Shift(f.Path, u.offset))
		}
	}
	found = append(found, r.runFileChecks(File{f, w, r}, func(c Check) func(*findings, File) { return c.File })...)
	slices.SortStableFunc(found, byPosition)
	return found
}

// checkYAML returns the findings in an abl.yaml and in saved cases, which are no ABL texts.
func (r *run) checkYAML(w model.Workspace, f *model.File) []model.Diagnostic {
	found := r.runFileChecks(File{f, w, r}, func(c Check) func(*findings, File) { return c.YAML })
	if f.Project != nil {
		found = append(found, r.runFileChecks(File{f, w, r}, func(c Check) func(*findings, File) { return c.Project })...)
	}
	slices.SortStableFunc(found, byPosition)
	return found
}

// runFileChecks runs the function that look returns for each check, and returns what they find in
// f. A check for which look returns nil is left out.
func (r *run) runFileChecks(f File, look func(Check) func(*findings, File)) []model.Diagnostic {
	var found []model.Diagnostic
	for _, c := range r.checks {
		if look := look(c); look != nil {
			found = append(found, r.runCheck(c, func(out *findings) { look(out, f) })...)
		}
	}
	return found
}

func byPosition(a, b model.Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Span.End, b.Span.End),
		cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
	)
}

// checkEntry returns the findings of some checks in one entry.
func (r *run) checkEntry(e Entry, checks []Check) []model.Diagnostic {
	var found []model.Diagnostic
	r.runCheck(Check{}, func(*findings) { e.Maps = withoutStrayItems(model.Maps(e.Kind, e.Section, e.Root, e.Tools)) })
	var some findings // of one check after the other, since most find nothing
	for i := range checks {
		if c := &checks[i]; c.Entry != nil {
			some = some[:0]
			r.runEntryCheck(c, &some, e)
			found = append(found, some...)
		}
	}
	return found
}

// runCheck returns the findings of c, which look adds, with the code and the tag of c. A check that
// panics has no findings.
func (r *run) runCheck(c Check, look func(*findings)) (found findings) {
	defer r.recoverCheck(&c, &found)
	look(&found)
	found.setCheck(&c)
	return found
}

// runEntryCheck is [run.runCheck] for a check of an entry.
func (r *run) runEntryCheck(c *Check, found *findings, e Entry) {
	defer r.recoverCheck(c, found)
	c.Entry(found, e)
	found.setCheck(c)
}

// recoverCheck recovers a check that panics, which then has no findings. It is deferred.
func (r *run) recoverCheck(c *Check, found *findings) {
	if p := recover(); p != nil {
		*found = nil
		if r.cache.OnPanic != nil {
			r.cache.OnPanic(c.Code, p, debug.Stack())
		}
	}
}

// setCheck sets the code and the tag of the check.
func (f findings) setCheck(c *Check) {
	for i := range f {
		f[i].Code = c.Code
		if c.Tag != 0 {
			f[i].Tags = append(f[i].Tags, c.Tag)
		}
	}
}

// withSeverities sets the severity of each diagnostic, by the published language or by this tool
// set.
func (r *run) withSeverities(found []model.Diagnostic, standard bool) []model.Diagnostic {
	checks := checksByCode()
	if !standard {
		return slices.DeleteFunc(found, func(d model.Diagnostic) bool { return checks[d.Code].OnlyStandard })
	}
	for i := range found {
		if s := checks[found[i].Code].Standard; s != 0 {
			found[i].Severity = s
		}
	}
	return found
}

// maxFindings is how many findings one check reports in one place. It bounds the checks that
// compare all names to make a suggestion.
const maxFindings = 100

// findings collects what a check finds.
type findings []model.Diagnostic

func (f *findings) add(s model.Severity, at text.Span, format string, args ...any) *model.Diagnostic {
	*f = append(*f, model.Diagnostic{Span: at, Severity: s, Message: model.EscapeInvisible(fmt.Sprintf(format, args...))})
	return &(*f)[len(*f)-1]
}

func (f *findings) err(at text.Span, format string, args ...any) *model.Diagnostic {
	return f.add(model.Error, at, format, args...)
}

func (f *findings) warn(at text.Span, format string, args ...any) *model.Diagnostic {
	return f.add(model.Warning, at, format, args...)
}

func (f *findings) info(at text.Span, format string, args ...any) *model.Diagnostic {
	return f.add(model.Information, at, format, args...)
}

func (f *findings) hint(at text.Span, format string, args ...any) *model.Diagnostic {
	return f.add(model.Hint, at, format, args...)
}

// eachTool makes an Entry function of a check of one declared tool.
func eachTool(check func(*findings, Entry, *model.ToolDecl)) func(*findings, Entry) {
	return func(out *findings, e Entry) {
		for i := range e.Tools {
			check(out, e, &e.Tools[i])
		}
	}
}
