package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// savedCase is one row of the answer to abl.cases.
type savedCase struct {
	Tool  string         `json:"tool"`
	Name  string         `json:"name"`
	URI   uri.URI        `json:"uri"` // of the file with the cases
	Range protocol.Range `json:"range"`
	Tags  []string       `json:"tags"`
	Skip  string         `json:"skip"` // why it is skipped, "" if it is not

	// The arguments, the session and the environment of its call.
	Args        json.RawMessage `json:"args"`
	Session     json.RawMessage `json:"session"`
	Environment string          `json:"environment"`
}

// listCases answers with the saved cases of a file of cases, or of the cases file next to
// a file of tools.
func listCases(_ context.Context, x execution, path string, _ *fileArgument) (any, error) {
	if !model.IsCases(path) {
		path = model.CasesPathIfAny(path)
	}
	all := []savedCase{}
	for _, c := range model.SavedCases(x.snap.workspace, path) {
		where, _ := x.snap.location(path, c.Span) // the file has a text, since it has cases
		all = append(all, savedCase{
			c.Tool, c.Name, where.URI, where.Range, append([]string{}, c.Tags...), c.Skip,
			c.Args, c.Session, c.Environment,
		})
	}
	return all, nil
}
