// Package analysis has the features of an editor that need one file of code each: hover,
// definition, rename, symbols, lenses, tokens, folding and similar ones. Each is a function of a
// [model.Workspace] and has the name of the handler in package lsp that calls it. It returns byte
// spans, labels, Markdown and edits, and knows nothing of the protocol. The larger features are
// packages of their own: completion, format, refactor, check.
package analysis
