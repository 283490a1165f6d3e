// Package model is what the files of a workspace say: declarations, imports, steps,
// names and where they are used, tools of foreign files, and how a declaration
// becomes a [tool.Tool]. It knows nothing of editors and does no I/O: the caller
// hands the texts in.
//
// A [Workspace] is an immutable set of files; [Workspace.With] gives the next.
// A [File] is one version of one file with what can be read from it alone.
// What depends on other files is a function of the Workspace.
package model
