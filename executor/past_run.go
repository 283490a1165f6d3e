package executor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/executor/secrets"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/expression"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// originalRunFrom returns the arguments and the result of the run that row records, to be reverted
// by the step s. The result is nil if s does not read it. originalRunFrom returns an error if row
// lacks a value that s needs, or has only a part of the value.
func originalRunFrom(row journal.Row, s *tool.Step) (template.Run, error) {
	if why := whyArgsLost(row); why != "" {
		return template.Run{}, notKeptError(row, "its arguments", why)
	}
	args, err := decodeObject(row.Args)
	if err != nil {
		return template.Run{}, Errorf(KindInternal, "journal", "the arguments in the journal: %w", err)
	}
	past := template.Run{Args: args}
	paths := resultPaths(s)
	if len(paths) == 0 {
		return past, nil
	}
	if why := whyResultLost(row); why != "" {
		return template.Run{}, notKeptError(row, "its result", why)
	}
	if past.Result, err = exactjson.Decode[any](row.Value); err != nil {
		return template.Run{}, Errorf(KindInternal, "journal", "the result in the journal: %w", err)
	}
	for _, path := range paths {
		if hasSecretMark(past.Result, path) {
			return template.Run{}, notKeptError(row, path, "a secret is in it")
		}
	}
	return past, nil
}

func notKeptError(row journal.Row, what, why string) error {
	return Errorf(KindDenied, "not-kept", "%s cannot be reverted: the journal does not have %s: %s", row.Run, what, why)
}

// whyArgsLost says why row does not have the exact arguments of its run. It returns "" if row has
// them.
func whyArgsLost(row journal.Row) string {
	switch {
	case isPersonalDataAccess(row.PIIAccess):
		return "the tool says pii_access: " + row.PIIAccess
	case row.Cut != nil && row.Cut.Args > 0:
		return "they are too long for it"
	case strings.Contains(string(row.Args), secrets.MarkPrefix):
		return "a secret was among them"
	}
	return ""
}

// whyResultLost says why row does not have the result of its run. It returns "" if row has the
// result.
func whyResultLost(row journal.Row) string {
	switch {
	case row.Cut != nil && row.Cut.Value > 0:
		return "it is too long for it"
	case len(row.Value) == 0 || string(row.Value) == "null":
		return "the tool says store_result: false, or there was none"
	}
	return ""
}

var (
	readInExpression = lazyregexp.New(`(?:^|[^.\w])(result(?:\.\w+|\[\d+\])*)\b`)
	readInBraces     = lazyregexp.New(`\{\s*(result(?:\.\w+|\[\d+\])*)\s*\}`)
)

// resultPaths returns the paths into the result that a step reads, sorted. Where a path ends in
// a call or the like, the step counts as reading all that the path has up to there.
func resultPaths(s *tool.Step) []string {
	paths := firstGroups(readInBraces, string(encode(s.Spec)))
	sources := []string{s.Expr}
	for _, a := range s.Args {
		sources = append(sources, a.Expr)
	}
	for _, source := range sources {
		paths = append(paths, firstGroups(readInExpression, source)...)
		if strings.Contains(source, "$env") { // it may use any name
			paths = append(paths, "result")
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

func firstGroups(form *lazyregexp.Regexp, text string) []string {
	var out []string
	for _, m := range form.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// hasSecretMark reports whether the value at path in the result contains the mark of a removed
// secret. If path does not exist, hasSecretMark looks at the longest beginning of path that does.
func hasSecretMark(result any, path string) bool {
	tree := map[string]any{"result": result}
	for {
		if v, ok := expression.Path(tree, path); ok {
			return strings.Contains(string(encode(v)), secrets.MarkPrefix)
		}
		path = path[:strings.LastIndexAny(path, ".[")]
	}
}

// reportRevertible sets in the envelope and in row whether the run can be reverted. It warns if
// row lacks a value that the revert needs.
func (r *run) reportRevertible(row *journal.Row) {
	t := r.req.Tool
	row.CanRevert = t.CanRevert() && r.reverts == ""
	if !row.CanRevert || !tookEffect(*row) {
		return
	}
	if _, err := originalRunFrom(row.Shortened(), t.Revert); err != nil {
		row.CanRevert = false
		r.warn("%v", err)
		return
	}
	if r.unrecorded {
		return
	}
	r.envelope.CanRevert = true
	if e := r.envelope.Error; e != nil {
		e.Hint = cmp.Or(e.Hint, fmt.Sprintf("It can be reverted: abl-lsp history revert %s (in an editor: Revert).", r.envelope.Run))
	}
}
