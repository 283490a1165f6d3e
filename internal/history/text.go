package history

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/journal"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

// Text returns a run in lines, so that the lines of two runs can be compared: how it ended, where it
// ran, its arguments and its value.
func Text(r executor.ListedRun) string {
	var b strings.Builder
	fmt.Fprintf(&b, "outcome: %s\n", Outcome(r))
	if r.Error != nil {
		fmt.Fprintln(&b, Failure(r))
	}
	for _, p := range parts(r) {
		if text, ok := p.value.(string); ok && p.isPlace {
			fmt.Fprintf(&b, "%s: %s\n", p.name, text)
		}
	}
	cut := journal.Cut{}
	if r.Cut != nil {
		cut = *r.Cut
	}
	writeValue(&b, "arguments", r.Args, cut.Args)
	writeValue(&b, "value", r.Value, cut.Value)
	return b.String()
}

// writeValue writes a value below its name. size is how many bytes it had before it was cut, 0 if
// it is whole.
func writeValue(b *strings.Builder, name string, raw json.RawMessage, size int) {
	if len(raw) == 0 || string(raw) == "null" {
		return
	}
	var text string
	if json.Unmarshal(raw, &text) != nil || size == 0 && !strings.Contains(text, "\n") {
		text = indent.Text(raw)
	}
	fmt.Fprintf(b, "%s:\n%s\n", name, strings.TrimSuffix(text, "\n"))
	if size > 0 {
		fmt.Fprintf(b, "… (the beginning of %d bytes)\n", size)
	}
}

// Failure says how a run failed: its title, and the message unless that says the same. r.Error must
// not be nil.
func Failure(r executor.ListedRun) string {
	if strings.EqualFold(r.Title, r.Error.Message) {
		return r.Title
	}
	return r.Title + ": " + r.Error.Message
}

// Outcome says how a run ended and how long it took, such as `ok (120 ms)`.
func Outcome(r executor.ListedRun) string {
	if r.Outcome == executor.OutcomeNoEnd {
		return r.Outcome
	}
	return fmt.Sprintf("%s (%s)", r.Outcome, executor.FormatDuration(executor.Took(r.PastRun)))
}
