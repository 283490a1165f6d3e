package marker

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// IsKnown reports whether a path is that of what a server has said.
func IsKnown(path string) bool {
	return filepath.Base(filepath.Dir(path)) == ".known" && filepath.Ext(path) == ".json"
}

// Known is what a server has said, by the file that says it: in which project, and
// which server.
func Known(path string, raw []byte) (root, server string, said model.ServerListing, err error) {
	if err := json.Unmarshal(raw, &said); err != nil {
		return "", "", said, fmt.Errorf("%s: %w", path, err)
	}
	return filepath.Dir(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), ".json"), said, nil
}

// Judged is what a database has said of a statement.
type Judged struct {
	Source, Statement, Fault string
	Position                 int
}

// IsJudged reports whether a path is that of what databases have said.
func IsJudged(path string) bool { return IsKnown(path) && filepath.Base(path) == "statements.json" }

// Verdicts are what databases have said, by the file that says it, and in which
// project.
func Verdicts(path string, raw []byte) (root string, all []Judged, err error) {
	if err := json.Unmarshal(raw, &all); err != nil {
		return "", nil, fmt.Errorf("%s: %w", path, err)
	}
	return filepath.Dir(filepath.Dir(path)), all, nil
}

// WithVerdicts is a workspace that knows what databases have said.
func WithVerdicts(w model.Workspace, root string, all []Judged) model.Workspace {
	said := map[string]model.Verdict{}
	for _, j := range all {
		said[model.StatementKey(j.Source, j.Statement)] = model.Verdict{Fault: j.Fault, Position: j.Position}
	}
	return w.WithVerdicts(root, said)
}

func (f *Fixture) know(path string, raw []byte) error {
	if IsJudged(path) {
		root, all, err := Verdicts(path, raw)
		f.Judged[root] = all
		return err
	}
	root, server, said, err := Known(path, raw)
	if err != nil {
		return err
	}
	if f.Known[root] == nil {
		f.Known[root] = map[string]model.ServerListing{}
	}
	f.Known[root][server] = said
	return nil
}
