package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// What a client sends when its person ticks what a case expects of an answer:
//
//	abl.caseFields {"answer": VALUE}, the value of an envelope, answers with the fields to tick,
//	in the order of the answer:
//	  [{"path": "value[0].tier", "type": "string", "value": "silver", "how": "equal", "pattern": "", "ticked": true}]
//	  path: an expression over `value`; also `len(value.rows)` for a list. type: string, number,
//	  boolean, null, list or object. how: what is suggested. pattern: what `matches` would
//	  compare with; "" if it is not offered. ticked: whether the field is suggested at all.
//	abl.saveCase {…, "answer": VALUE, "expect": [{"path": "value[0].tier", "how": "equal"|"type"|"matches", "value"?}]}
//	  value: what equal and matches compare with, and the name of the type; absent: as in the answer.

// saveCaseArgument is the argument of abl.saveCase: a call, and the name of the case.
type saveCaseArgument struct {
	runArgument
	Name   string             `json:"name"` // "": a name that is not used yet
	Expect refactor.NewExpect `json:"expect"`
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
	snap := x.snap.withFiles([]string{cases})
	edit, after, place, err := refactor.SaveCase(snap.workspace, cases, refactor.NewCase{
		Tool: key, Name: strings.TrimSpace(argument.Name), Args: argument.Args, Session: argument.Session,
		Environment: argument.Environment, Expect: argument.Expect,
	})
	if err != nil {
		return nil, err
	}
	if err := x.client.applyEdit(ctx, snap, "Save a case", edit); err != nil {
		return nil, err
	}
	return saveCaseAnswer{snap.uriOf(cases), converter{after.Positions(), snap.encoding}.rangeOf(place)}, nil
}
