package lsp

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// typingDelay delays the diagnostics of one version of a document that come from the line
// being typed. It ends with the next edit elsewhere, when a document is saved, and after
// maxTypingDelay. A nil typingDelay delays nothing.
type typingDelay struct {
	document *document
	lines    lineRange // of the last edit
}

// maxTypingDelay is how long diagnostics are delayed if there is no further edit.
const maxTypingDelay = 1500 * time.Millisecond

// lineRange is the lines of an edit, both ends included, counted from 0.
type lineRange struct{ first, last int }

// withoutDelayed returns the diagnostics of a document without the delayed ones.
func (h *typingDelay) withoutDelayed(snap *snapshot, d *document, found []model.Diagnostic) []model.Diagnostic {
	f := snap.workspace.File(d.path)
	if h == nil || h.document != d || f == nil || f.Written().Doc != d.Document {
		return found
	}
	lines := d.Lines()
	last := lines.LineCount() - 1
	unfinished := analysis.UnfinishedAt(f, text.Span{
		Start: lines.LineStart(min(h.lines.first, last)),
		End:   lines.LineStart(min(h.lines.last, last)),
	})
	return slices.DeleteFunc(slices.Clone(found), unfinished.Explains)
}

// newTypingDelay returns the delay after changes of a document. It is nil if they replace
// the whole text or several lines, or if the client cannot be asked to pull again when
// the delay ends.
func newTypingDelay(snap *snapshot, d *document, changes []contentChange) *typingDelay {
	lines, ok := editedLine(changes)
	if !ok || snap.capabilities.pullsDiagnostics() && !snap.capabilities.Workspace.Diagnostics.RefreshSupport {
		return nil
	}
	if lines.first < lines.last && !snap.typingDelay.isAt(d.path, lines.first) && isNewLine(d, changes[len(changes)-1]) {
		lines.first = lines.last
	}
	return &typingDelay{document: d, lines: lines}
}

// isAt reports whether a line of the document at path is the last line of the delay. It is
// false for a nil delay.
func (h *typingDelay) isAt(path string, line int) bool {
	return h != nil && h.document.path == path && h.lines.last == line
}

// isNewLine reports whether the change c has only begun a new line in d, the document
// after the change.
func isNewLine(d *document, c contentChange) bool {
	_, indent, ok := strings.Cut(*c.Text, "\n")
	line := d.Lines().LineText(clamp(c.Range.Start.Line) + 1)
	return ok && c.Range.Start == c.Range.End && d.Text()[line.Start:line.End] == indent
}

// editedLine returns the line that changes have edited, or two lines if a line break was
// typed as well. ok is false if the changes reach further, or if there are none.
func editedLine(changes []contentChange) (lines lineRange, ok bool) {
	for i, c := range changes {
		if !c.isOneLine() {
			return lineRange{}, false
		}
		first := clamp(c.Range.Start.Line)
		last := first + lineBreaks(*c.Text)
		if i > 0 && first != lines.last && last != lines.last {
			return lineRange{}, false
		}
		lines = lineRange{first, last}
	}
	return lines, len(changes) > 0
}

// isOneLine reports whether a change replaces a range that has at most one line break, by
// a text that has at most one and does not fill both of its lines (see filledLines). It is
// false for a change of the whole text.
func (c contentChange) isOneLine() bool {
	return c.hasRange() && clamp(c.Range.End.Line)-clamp(c.Range.Start.Line) <= 1 && lineBreaks(*c.Text) <= 1 && filledLines(*c.Text) <= 1
}

// lineBreaks counts the line breaks of a text, in any of the three forms.
func lineBreaks(s string) int {
	return strings.Count(s, "\n") + strings.Count(strings.ReplaceAll(s, "\r\n", ""), "\r")
}

// filledLines returns how many lines of s have other characters than spaces, tabs, "-" and
// "#", which an editor inserts by itself.
func filledLines(s string) int {
	n := 0
	for line := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if strings.Trim(line, " \t-#") != "" {
			n++
		}
	}
	return n
}

// typingDelayTimer waits for the end of the current delay. It is safe for concurrent use.
type typingDelayTimer struct {
	after func(time.Duration) <-chan time.Time

	mu   sync.Mutex         // guards stop
	stop context.CancelFunc // ends the current wait; nil if there was none
}

// restart cancels the current wait and returns the context of the next one.
func (t *typingDelayTimer) restart(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stop != nil {
		t.stop()
	}
	t.stop = stop
	return ctx, stop
}

// cancel cancels the current wait, if there is one.
func (t *typingDelayTimer) cancel() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stop != nil {
		t.stop()
	}
}

// restartDelayTimer cancels the wait for the last delay, and ends this one after
// maxTypingDelay unless it is called again before. A nil delay only cancels.
func (p *publisher) restartDelayTimer(h *typingDelay) {
	ctx, stop := p.delayTimer.restart(p.client.Context())
	if h == nil {
		stop()
		return
	}
	over := p.delayTimer.after(maxTypingDelay)
	p.client.GoUntilDone("hold", func(context.Context) {
		defer stop()
		select {
		case <-over:
			p.endTypingDelay(h)
		case <-ctx.Done():
		}
	})
}

// endTypingDelay ends a delay and sends the diagnostics that were delayed, unless it has
// ended already.
func (p *publisher) endTypingDelay(h *typingDelay) {
	snap := p.session.update(func(next *snapshot) {
		if next.typingDelay == h {
			next.typingDelay = nil
		}
	})
	if snap.typingDelay == nil {
		p.diagnose(nil, h.document.path)
	}
}

// releasedDocuments returns the path of the delayed document if an edit of edited, another
// document, ends the delay. Otherwise it returns nil.
func (h *typingDelay) releasedDocuments(edited *document) []string {
	if h == nil || h.document.path == edited.path {
		return nil
	}
	return []string{h.document.path}
}
