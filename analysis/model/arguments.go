package model

import (
	"path/filepath"
	"strings"
)

// argumentsSuffix is how the name of a document with the arguments of one call ends. An editor
// opens such a document while a person types them, beside the file of the tool:
// `NAME.TOOL.arguments.json`. NAME is the name of that file up to its first dot, as for saved cases.
const argumentsSuffix = ".arguments.json"

// IsArguments reports whether a path is that of the arguments of one call.
func IsArguments(path string) bool { return strings.HasSuffix(path, argumentsSuffix) }

// CalledToolName returns the name of the tool whose arguments are in the document at path.
func CalledToolName(path string) string {
	_, name, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), argumentsSuffix), ".")
	return name
}

// CalledTool returns the tool whose arguments are in the document at path. ok is false if there is
// none.
func CalledTool(w Workspace, path string) (t ScopedTool, ok bool) {
	_, t, ok = TestedTool(w, path, CalledToolName(path))
	return t, ok
}

// NamesTools reports whether a file names tools of the files beside it: it has saved cases, or the
// arguments of a call.
func NamesTools(path string) bool { return IsCases(path) || IsArguments(path) }
