package cli

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/process"
	"github.com/abl-lsp/abl-lsp/executor/template"
	"github.com/abl-lsp/abl-lsp/tool"
)

// programOf returns the binary as it is written, and the program to start: a name to be found on
// PATH, or a path. A relative path starts at the folder of the tool's file.
func programOf(call executor.Call, s *tool.CLI) (written, program string, err error) {
	written, err = fillWithoutArguments(call, "binary", s.Binary)
	switch {
	case err != nil:
		return "", "", err
	case strings.TrimSpace(written) == "":
		return "", "", executor.DefinitionError("binary", "binary is missing: name the program")
	case strings.ContainsRune(written, 0):
		return "", "", executor.DefinitionError("binary", "binary: %q is no name of a program", written)
	case strings.HasPrefix(written, "-"):
		return "", "", executor.DefinitionError("binary", "binary: %s begins with -, as an option does; write ./%s if it is meant", written, written)
	}
	if isLookedUpInPath(written) || filepath.IsAbs(written) {
		return written, written, nil
	}
	return written, filepath.Join(fileFolder(call), filepath.FromSlash(written)), nil
}

func isLookedUpInPath(program string) bool {
	return filepath.Base(filepath.FromSlash(program)) == program
}

// fillWithoutArguments returns text, the value of property, with its placeholders filled in. Only
// variables of the environment are allowed, since a caller must not choose the program that runs.
func fillWithoutArguments(call executor.Call, property, text string) (string, error) {
	filled, err := call.Scope.Expand(text, func(v template.Value) (string, error) {
		if v.Source != template.Variable {
			return "", executor.DefinitionError("template", "%s: {{%s}} cannot stand here; write it out, or take it from {{env.NAME}}", property, v.Name)
		}
		return v.Text(), nil
	})
	if err != nil {
		return "", executor.TemplateError(property, err)
	}
	return filled, nil
}

// startError adds the name of the property to a failure to start the program.
func startError(err error) error {
	if _, ok := errors.AsType[*process.StartError](err); !ok {
		return err
	}
	return executor.DefinitionError("program", "binary: %w", err).
		WithHint("Install it, or correct `binary`: a name is looked for in PATH, a relative path starts at the folder of the tool's file.")
}
