// Package model holds what the files of a workspace say: declarations, imports, steps, names and
// their occurrences, tools of foreign files, and how a declaration becomes a [tool.Tool]. It knows
// nothing of editors and does no I/O: the caller passes the texts in.
//
// A [Workspace] is an immutable set of files; [Workspace.With] returns the next one. A [File] is
// one version of one file with what can be read from it alone. What depends on other files is a
// function of the Workspace.
package model
