package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	"golang.org/x/text/width"

	"github.com/abl-lsp/abl-lsp/executor"
)

// spinnerDelay is how long a command works before its spinner appears.
const spinnerDelay = 500 * time.Millisecond

// spinner shows in the last line of a terminal that a command works, at what, and for how long.
// It leaves nothing on the screen. All methods do nothing on a nil spinner.
type spinner struct {
	out io.Writer

	mu     sync.Mutex
	label  string
	since  time.Time
	drawn  int           // how many columns it takes now
	inLine bool          // other output has begun a line, which must not be overwritten
	end    chan struct{} // closed when the work ends; nil between works
	ended  chan struct{}
}

// newSpinner returns a spinner on stderr. It is nil unless stderr is a terminal and the output
// is for people.
func newSpinner(cmd *cobra.Command) *spinner {
	if errs := cmd.ErrOrStderr(); isTerminal(errs) && isForPeople(cmd) && os.Getenv("TERM") != "dumb" {
		return &spinner{out: errs}
	}
	return nil
}

// newFileSpinner returns a spinner for a command that reads files. It is nil for stdin, since the
// person may type there.
func newFileSpinner(cmd *cobra.Command, args []string) *spinner {
	if slices.Contains(args, "-") {
		return nil
	}
	return newSpinner(cmd)
}

// work shows the spinner while do works, from [spinnerDelay] on.
func (s *spinner) work(label string, do func()) {
	if s == nil {
		do()
		return
	}
	s.mu.Lock()
	s.label, s.since, s.inLine = label, time.Now(), false
	s.end, s.ended = make(chan struct{}), make(chan struct{})
	s.mu.Unlock()
	go s.spin()
	defer func() {
		close(s.end)
		<-s.ended
	}()
	do()
}

// spin draws the spinner until the work ends.
func (s *spinner) spin() {
	defer close(s.ended)
	for wait := spinnerDelay; ; wait = 100 * time.Millisecond {
		select {
		case <-s.end:
			s.mu.Lock()
			s.erase()
			s.mu.Unlock()
			return
		case <-time.After(wait):
			s.mu.Lock()
			s.draw()
			s.mu.Unlock()
		}
	}
}

// setLabel says what the command works at.
func (s *spinner) setLabel(label string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.label = label
}

// showProgress says what a run works at.
func (s *spinner) showProgress(p executor.Progress) {
	if p.Message != "" {
		s.setLabel(p.Message)
	}
}

// endLine says that the person has ended the line that other output has begun.
func (s *spinner) endLine() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inLine = false
}

// sharedOutput returns a writer to the same terminal, whose output never mixes with the spinner.
func (s *spinner) sharedOutput(out io.Writer) io.Writer {
	if s == nil {
		return out
	}
	return outputWithSpinner{s, out}
}

type outputWithSpinner struct {
	*spinner
	to io.Writer
}

func (o outputWithSpinner) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.erase()
	if len(text) > 0 {
		o.inLine = text[len(text)-1] != '\n'
	}
	return o.to.Write(text)
}

// draw shows the present line. s.mu is locked.
func (s *spinner) draw() {
	if s.inLine {
		return
	}
	frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	elapsed := time.Since(s.since)
	frame := frames[int(elapsed/(100*time.Millisecond))%len(frames)]
	took := fmt.Sprintf(" %.1f s", elapsed.Seconds())
	label := fitColumns(strings.Join(strings.Fields(escapeForTerminal(s.label)), " "), terminalWidth(s.out)-len(took)-3)
	line := string(frame) + " " + label + took
	width := columns(line)
	rest := max(0, s.drawn-width) // of the line before
	fmt.Fprint(s.out, "\r", line, strings.Repeat(" ", rest), strings.Repeat("\b", rest))
	s.drawn = width
}

// erase removes the line from the terminal, with the ^C that may follow it. s.mu is locked.
func (s *spinner) erase() {
	if s.drawn > 0 {
		fmt.Fprint(s.out, "\r"+strings.Repeat(" ", s.drawn)+"\r")
		s.drawn = 0
	}
}

// terminalWidth returns how many columns the terminal has that out writes to. It is 80 if that
// is not known.
func terminalWidth(out io.Writer) int {
	if f, ok := out.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 80
}

// columns returns how many columns a text takes on a terminal.
func columns(text string) int {
	n := 0
	for _, r := range text {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	switch k := width.LookupRune(r).Kind(); k {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// fitColumns cuts a text that takes more columns than most.
func fitColumns(text string, most int) string {
	if columns(text) <= most {
		return text
	}
	used := 0
	for i, r := range text {
		if used += columnsOf(r); used >= most {
			return text[:i] + "…"
		}
	}
	return text
}
