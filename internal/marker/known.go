package marker

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis"
)

// IsKnown reports whether a path is that of what a server has said.
func IsKnown(path string) bool {
	return filepath.Base(filepath.Dir(path)) == ".known" && filepath.Ext(path) == ".json"
}

// Known is what a server has said, by the file that says it: in which project, and
// which server.
func Known(path string, raw []byte) (root, server string, said analysis.Said, err error) {
	if err := json.Unmarshal(raw, &said); err != nil {
		return "", "", said, fmt.Errorf("%s: %w", path, err)
	}
	return filepath.Dir(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), ".json"), said, nil
}

func (f *Fixture) know(path string, raw []byte) error {
	root, server, said, err := Known(path, raw)
	if err != nil {
		return err
	}
	if f.Known[root] == nil {
		f.Known[root] = map[string]analysis.Said{}
	}
	f.Known[root][server] = said
	return nil
}
