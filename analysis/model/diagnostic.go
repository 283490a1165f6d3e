package model

import "github.com/abl-lsp/abl-lsp/syntax/text"

// Diagnostic is one problem of a file.
type Diagnostic struct {
	Span     text.Span
	Severity Severity
	Code     string // stable, kebab-case; docs/diagnostics has its page
	Message  string
	Related  []Related
	Tags     []Tag
	Fixes    []Fix // the best one first
}

// IsUnreadable reports whether the diagnostic is about a line that cannot be read: the line has no
// known form, or is no valid signature.
func (d *Diagnostic) IsUnreadable() bool {
	return d.Severity == Error && (d.Code == "syntax-error" || d.Code == "invalid-signature")
}

// Related is another place that a diagnostic is about.
type Related struct {
	Path    string
	Span    text.Span
	Message string
}

// Severity is how much a diagnostic matters, the gravest first.
type Severity int

// The severities.
const (
	Error Severity = iota + 1
	Warning
	Information
	Hint
)

// String returns the severity in lower case.
func (s Severity) String() string {
	return [...]string{"", "error", "warning", "information", "hint"}[s]
}

// Tag says how an editor may draw a diagnostic.
type Tag int

// The tags.
const (
	Unnecessary Tag = iota + 1
	Deprecated
)
