package invoke

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/projectfile"
	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/executor"
)

// IsEmptyExpectation reports whether a case expects nothing.
func IsEmptyExpectation(e projectfile.Expect) bool { return e.OK == nil && e.Value == "" }

// answerKinds are the kinds of errors that answer the call: the next call will probably
// fail in the same way.
var answerKinds = []executor.ErrorKind{
	executor.KindRemote, executor.KindResult, executor.KindArguments, executor.KindSandbox, executor.KindNeeds,
}

// Expectation returns the expectation for a case with this result: its exact value, or the
// kind and code of its error. The expectation has no Value if that condition cannot be
// evaluated. The error says why no case can expect the result.
func Expectation(ctx context.Context, args json.RawMessage, e executor.Envelope) (refactor.NewExpect, error) {
	want := refactor.NewExpect{OK: new(e.OK)}
	if e.OK {
		if len(e.Value) > 0 {
			want.Value, _ = FieldsCondition(ctx, e.Value, []ExpectedField{{Path: "value", How: Equal}}) // the whole value is always there
		}
	} else {
		if wasNotRun(e) || !slices.Contains(answerKinds, e.Error.Kind) {
			return want, fmt.Errorf("nothing to record: %s", failureReason(e.Error))
		}
		want.Value = fmt.Sprintf("error.kind == %q && error.code == %q", e.Error.Kind, e.Error.Code)
	}
	if met, err := evaluateCondition(ctx, want.Value, args, e); err != nil || !met { // too long, or of numbers that cannot be compared
		want.Value = ""
	}
	return want, nil
}
