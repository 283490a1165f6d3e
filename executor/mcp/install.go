package mcp

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
)

// installers are the programs that install a server before they start it, with the subcommands that
// do so; nil: always.
var installers = map[string][]string{
	"npx":    nil,
	"pnpx":   nil,
	"bunx":   nil,
	"uvx":    nil,
	"npm":    {"exec", "x"},
	"pnpm":   {"dlx"},
	"yarn":   {"dlx"},
	"bun":    {"x"},
	"pipx":   {"run"},
	"uv":     {"run", "tool"},
	"go":     {"run"},
	"deno":   {"run"},
	"docker": {"run"},
	"podman": {"run"},
}

// installTimeout bounds the start of a server that may have to be installed.
const installTimeout = 120 * time.Second

// installs reports whether a command may install a server before it starts it.
func installs(words []string) bool {
	if len(words) == 0 {
		return false
	}
	name := strings.ToLower(filepath.Base(words[0]))
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	subcommands, ok := installers[name]
	if !ok || subcommands == nil {
		return ok
	}
	i := slices.IndexFunc(words[1:], func(word string) bool { return !strings.HasPrefix(word, "-") })
	return i >= 0 && slices.Contains(subcommands, words[1+i])
}

// Prepare starts a server that may have to be installed first, and obtains the token of a server that
// has asked for one. The time limit of the tool does not count it. Other servers are started by Run.
func (r *Runner) Prepare(ctx context.Context, call executor.Call) (subject string, err error) {
	t, err := r.target(call)
	switch {
	case err != nil:
		return "", err
	case t.resource != nil:
		return r.opts.Tokens.PrepareResource(ctx, call, t.resource)
	case t.transport != viaStdio || !installs(t.words):
		return "", nil
	}
	v, err := r.enterSession(ctx, call, t)
	if err != nil {
		return "", err
	}
	defer v.leave()
	if v.session.isReady() {
		return "", nil
	}
	if err := v.waitForInstallation(r.opts.InstallTimeout); err != nil {
		return "", err
	}
	if v.first {
		v.session.keepStartOutput(v.output.text())
		v.reportDiscovery()
	}
	return "", nil
}

// keepStartOutput keeps what the program printed while it started, for the console of the next call.
func (s *session) keepStartOutput(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.startOutput = text
}

// takeStartOutput returns what keepStartOutput has kept, once.
func (s *session) takeStartOutput() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.startOutput
	s.startOutput = ""
	return text
}

// progressInterval is how often the progress of an installation is shown.
const progressInterval = time.Second

// waitForInstallation waits until the session is ready, and shows what the program prints
// meanwhile.
func (v *call) waitForInstallation(limit time.Duration) error {
	doing := "starting " + filepath.Base(v.target.host()) + " … (installing?)"
	v.request.Report(executor.Progress{Message: doing})
	expired := time.NewTimer(limit)
	defer expired.Stop()
	show := time.NewTicker(progressInterval)
	defer show.Stop()
	last := ""
	for {
		select {
		case <-v.session.ready:
			return v.installError(copyError(v.session.err))
		case <-v.ctx.Done():
			return v.endError()
		case <-expired.C:
			return v.installError(executor.Errorf(executor.KindTimeout, "start", "%s (%s) did not start within %s, the limit for servers that may have to be installed",
				v.target.name, v.target.host(), executor.FormatDuration(limit)))
		case <-show.C:
			if printed := v.lastLines(shownLines); printed != last {
				last = printed
				v.request.Report(executor.Progress{Message: doing + "\n" + printed})
			}
		}
	}
}

// The number of lines of a program's output that its progress and its error show.
const (
	shownLines = 3
	errorLines = 20
)

// installError adds what the program printed to the error of its start, which may be nil.
func (v *call) installError(err error) error {
	fault, ok := err.(*executor.Error) //nolint:errorlint // it is copyError's own
	if !ok {
		return err
	}
	v.session.console.flush(v.ctx)
	printed := v.lastLines(errorLines)
	if printed == "" {
		return fault
	}
	fault.Message += "; it printed:\n" + printed
	return fault
}

// lastLines returns the last lines that the program printed, without secrets.
func (v *call) lastLines(most int) string {
	lines := strings.Split(strings.TrimSpace(v.request.Redact(v.output.text())), "\n")
	lines = lines[max(0, len(lines)-most):]
	for i, line := range lines {
		lines[i] = executor.Shorten(strings.TrimSpace(line[strings.LastIndexByte(strings.TrimRight(line, "\r"), '\r')+1:]), maxShownLine)
	}
	return strings.Join(lines, "\n")
}

// maxShownLine is the most bytes of a line that is shown.
const maxShownLine = 200
