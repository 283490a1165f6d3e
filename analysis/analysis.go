// Package analysis has the features of an editor that need one file of code each:
// hover, definition, rename, symbols, lenses, tokens, folding and their like.
// Each is a function of a [model.Workspace] and is named like the handler in package
// lsp that calls it. Its answers are byte spans, labels, Markdown and edits; the
// protocol is unknown here. The larger features are packages of their own:
// completion, format, refactor, check.
package analysis
