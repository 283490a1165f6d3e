package model

// ErrorsInTool returns the errors among the diagnostics of a file that lie inside a tool declared
// in it: what must be mended before it can run.
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
