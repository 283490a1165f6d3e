// Package analysis answers questions about ABL files in an editor's terms: byte
// spans, labels, Markdown and edits. It knows nothing of the protocol and does
// no I/O: whoever asks hands the files in.
//
// A [Workspace] is an immutable set of files; [Workspace.With] gives the next.
// A [File] is one version of one file with what can be read from it alone;
// whatever depends on other files is asked of the Workspace. A feature is one
// file, named like the handler in package lsp that asks for it.
package analysis
