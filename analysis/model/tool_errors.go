package model

// ErrorsInTool returns the errors among a file's diagnostics that are inside a tool declared in it.
// They must be repaired before the tool can run.
func ErrorsInTool(found []Diagnostic, t PositionedTool) []Diagnostic {
	var broken []Diagnostic
	span := t.Span()
	for _, d := range found {
		if d.Severity == Error && d.Span.Start >= span.Start && d.Span.End <= span.End {
			broken = append(broken, d)
		}
	}
	return broken
}
