package lsp

import (
	"context"
	"slices"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/listing"
	"github.com/abl-lsp/abl-lsp/tool"
)

// listTools answers with the tools of a file, imports resolved. For a file of cases it
// answers with the tools that the cases may call.
func listTools(_ context.Context, x execution, path string, _ *fileArgument) (any, error) {
	if !model.IsCases(path) {
		return toolsOf(x.snap, path), nil
	}
	all, files := []listing.Tool{}, model.PathsTestedBy(x.snap.workspace, path)
	for _, tested := range files {
		all = append(all, slices.DeleteFunc(toolsOf(x.snap, tested), func(t listing.Tool) bool {
			return t.File != tested && slices.Contains(files, t.File) // it is listed with its own file
		})...)
	}
	return all, nil
}

// toolsOf lists the tools of one file, imports resolved.
func toolsOf(snap *snapshot, path string) []listing.Tool {
	return listing.List(snap.workspace, path, func(path string) string { return path }, snap.withSchemas)
}

// withSchemas returns a tool in which schemas that are in files are inlined, if these
// files may be read.
func (snap *snapshot) withSchemas(t tool.Tool) (tool.Tool, error) {
	if slices.ContainsFunc(executor.SchemaFiles(t), func(path string) bool { return !snap.mayRead(path) }) {
		return t, nil
	}
	return executor.InlineSchemas(t)
}
