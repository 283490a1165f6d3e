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

// variablePrefix begins what names an environment variable in the place of a file.
const variablePrefix = "env:"

// isVariable reports whether an argument names an environment variable. A file of such a
// name is named with its folder: ./env:NAME.
func isVariable(arg string) bool { return strings.HasPrefix(arg, variablePrefix) }

// read is the text of a file, or of the environment variable that is named in its place.
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

// absolutePath is the path of what is named: the text of an environment variable has one in
// the current folder, with the ending of the form that it is written in.
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

// extensionOf is the ending of the files in which a text holds tools of another system; "" for
// none.
func extensionOf(content string) string {
	for _, ending := range []string{".json", ".yaml", ".ts"} {
		if dialect.Read(ending, content).System != "" {
			return ending
		}
	}
	return ""
}

// sourceOf is the file with an absolute path, or the variable whose text has it.
func sourceOf(path string) source {
	name := filepath.Base(path)
	if _, absent := disk.Read(path); absent == model.NotFound && isVariable(name) {
		return source{path, strings.TrimSuffix(name, filepath.Ext(name))}
	}
	return source{path, path}
}
