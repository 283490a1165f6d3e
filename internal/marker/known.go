package marker

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
)

// IsKnownFile reports whether a path is a file in a folder .known: the answers of a server
// or of databases.
func IsKnownFile(path string) bool {
	return filepath.Base(filepath.Dir(path)) == ".known" && filepath.Ext(path) == ".json"
}

// ParseListing parses the file with a server's list of tools. It returns the project's folder,
// the server's name and the list.
func ParseListing(path string, raw []byte) (root, server string, listing model.ServerListing, err error) {
	if err := json.Unmarshal(raw, &listing); err != nil {
		return "", "", listing, fmt.Errorf("%s: %w", path, err)
	}
	return filepath.Dir(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), ".json"), listing, nil
}

// StatementVerdict is the answer of a database to a statement.
type StatementVerdict struct {
	Source, Statement, Fault string
	Position                 int
}

// IsVerdictFile reports whether a path is the file with the verdicts of databases.
func IsVerdictFile(path string) bool {
	return IsKnownFile(path) && filepath.Base(path) == "statements.json"
}

// ParseVerdicts parses the file with the verdicts of databases. It returns the project's folder
// and the verdicts.
func ParseVerdicts(path string, raw []byte) (root string, all []StatementVerdict, err error) {
	if err := json.Unmarshal(raw, &all); err != nil {
		return "", nil, fmt.Errorf("%s: %w", path, err)
	}
	return filepath.Dir(filepath.Dir(path)), all, nil
}

// WithVerdicts adds the verdicts of databases to a workspace.
func WithVerdicts(w model.Workspace, root string, all []StatementVerdict) model.Workspace {
	verdicts := map[string]model.Verdict{}
	for _, j := range all {
		verdicts[model.StatementKey(j.Source, j.Statement)] = model.Verdict{Fault: j.Fault, Position: j.Position}
	}
	return w.WithVerdicts(root, verdicts)
}

func (f *Fixture) addKnownFile(path string, raw []byte) error {
	if IsVerdictFile(path) {
		root, all, err := ParseVerdicts(path, raw)
		f.Verdicts[root] = all
		return err
	}
	root, server, listing, err := ParseListing(path, raw)
	if err != nil {
		return err
	}
	if f.Listings[root] == nil {
		f.Listings[root] = map[string]model.ServerListing{}
	}
	f.Listings[root][server] = listing
	return nil
}
