package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/internal/invoke"
	"github.com/abl-lsp/abl-lsp/tool"
)

// saveCaseArgument is the argument of abl.saveCase: a call, the name of the case, and what it
// expects.
type saveCaseArgument struct {
	runArgument
	Name   string          `json:"name"` // "": a name that is not used yet
	Expect caseExpectation `json:"expect"`
	Answer json.RawMessage `json:"answer"` // the value of the envelope in which the person has ticked fields
}

// caseExpectation is an object with `ok` and `value`, or a list of fields that the person has
// ticked.
type caseExpectation struct {
	refactor.NewExpect
	fields []invoke.ExpectedField
}

// UnmarshalJSON reads either form.
func (e *caseExpectation) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		return json.Unmarshal(raw, &e.fields)
	}
	return json.Unmarshal(raw, &e.NewExpect)
}

// newExpect returns what the case expects of an answer.
func (a *saveCaseArgument) newExpect(ctx context.Context) (refactor.NewExpect, error) {
	if a.Expect.fields == nil {
		return a.Expect.NewExpect, nil
	}
	condition, err := invoke.FieldsCondition(ctx, a.Answer, a.Expect.fields)
	return refactor.NewExpect{OK: new(true), Value: condition}, err
}

// caseFieldsArgument is the argument of abl.caseFields.
type caseFieldsArgument struct {
	Answer json.RawMessage `json:"answer"` // the value of an envelope
}

// listCaseFields answers with the fields of an answer that a case may expect.
func listCaseFields(_ context.Context, _ execution, argument *caseFieldsArgument) (any, error) {
	return invoke.ProposeFields(argument.Answer), nil
}

// saveCaseAnswer is the location of the saved case.
type saveCaseAnswer struct {
	URI   uri.URI        `json:"uri"`
	Range protocol.Range `json:"range"`
}

// saveCase asks the client to write a call into the file of cases, and answers with its
// location.
func saveCase(ctx context.Context, x execution, path string, argument *saveCaseArgument) (any, error) {
	if argument.Tool == "" {
		return nil, errNoTool
	}
	name := tool.JoinVersion(argument.Tool, argument.Version)
	cases, key, err := refactor.CasesPathFor(x.snap.workspace, toolFile(x.snap, path, name), name)
	if err != nil {
		return nil, err
	}
	expect, err := argument.newExpect(ctx)
	if err != nil {
		return nil, err
	}
	snap := x.snap.withFiles([]string{cases})
	edit, after, place, err := refactor.SaveCase(snap.workspace, cases, refactor.NewCase{
		Tool: key, Name: strings.TrimSpace(argument.Name), Args: argument.Args, Session: argument.Session,
		Environment: argument.Environment, Expect: expect,
	})
	if err != nil {
		return nil, err
	}
	if err := x.client.applyEdit(ctx, snap, "Save a case", edit); err != nil {
		return nil, err
	}
	return saveCaseAnswer{snap.uriOf(cases), converter{after.Positions(), snap.encoding}.rangeOf(place)}, nil
}
