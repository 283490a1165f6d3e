package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect"
	"github.com/abl-lsp/abl-lsp/internal/disk"
)

// variablePrefix begins an argument that names an environment variable instead of a file.
const variablePrefix = "env:"

// isVariable reports whether an argument names an environment variable. A file with such
// a name must be given with its folder: ./env:NAME.
func isVariable(arg string) bool { return strings.HasPrefix(arg, variablePrefix) }

// read returns the text of the file, or of the environment variable that is named in its
// place.
func (s source) read() (string, error) {
	if isVariable(s.shown) {
		return readVariable(s.shown)
	}
	content, absent := disk.Read(s.path)
	if absent != model.Present {
		return "", readError(s.shown)
	}
	return content, nil
}

// absolutePath returns the absolute path of a file. The text of an environment variable
// gets a path in the current folder, with the extension of the form in which it is
// written.
func absolutePath(shown string) (string, error) {
	if !isVariable(shown) {
		return filepath.Abs(shown)
	}
	content, err := readVariable(shown)
	if err != nil {
		return "", err
	}
	return filepath.Abs(shown + cmp.Or(extensionOf(content), ".json"))
}

func readVariable(shown string) (string, error) {
	name := strings.TrimPrefix(shown, variablePrefix)
	if name == "" {
		return "", fmt.Errorf("%s wants the name of a variable: env:CORAIL_TOOLS", shown)
	}
	content, ok := os.LookupEnv(name)
	if !ok {
		return "", fmt.Errorf("%s: the environment variable %s is not set", shown, name)
	}
	return content, nil
}

// extensionOf returns the extension of files that have tools in the form of a text, "" if
// the form is not known.
func extensionOf(content string) string {
	for _, ending := range []string{".json", ".yaml", ".ts"} {
		if dialect.Read(ending, content).System != "" {
			return ending
		}
	}
	return ""
}

// sourceOf returns the file, or the variable, with an absolute path.
func sourceOf(path string) source {
	name := filepath.Base(path)
	if _, absent := disk.Read(path); absent == model.NotFound && isVariable(name) {
		return source{path, strings.TrimSuffix(name, filepath.Ext(name))}
	}
	return source{path, path}
}
