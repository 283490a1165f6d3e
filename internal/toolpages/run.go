package toolpages

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// Runner runs examples.
type Runner struct {
	Program string   // what `abl-lsp` of a command stands for: an absolute path
	Root    string   // of the repository: an absolute path
	Env     []string // further variables, NAME=value each
}

// Result is a command that was run, what it printed, and its exit code: 0 for a server.
type Result struct {
	Command
	Got  string
	Exit int
}

// IsExpected reports whether the command printed what the page says, and ended as the page
// says.
func (r Result) IsExpected() bool { return r.Prints(r.Got) && r.Exit == r.ExitCode() }

// Missing returns which of p.Needs this machine does not have.
func (r Runner) Missing(p Page) []string {
	return slices.DeleteFunc(slices.Clone(p.Needs), func(need string) bool {
		if strings.Contains(need, "/") {
			_, err := os.Stat(filepath.Join(r.Root, need))
			return err == nil
		}
		return r.find(need) != ""
	})
}

// Run writes the files of an example into dir, which is empty, and runs its commands there, one
// after the other. One that ends in `&` is a server: it must print as many lines as on the page,
// and ends with Run. Ports of localhost stand for free ones. The error is about what could not
// be run; wrong output is none.
func (r Runner) Run(ctx context.Context, p Page, dir string) ([]Result, error) {
	var servers sync.WaitGroup
	defer servers.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end()
	p, err := withFreePorts(p)
	if err != nil {
		return nil, err
	}
	if err := p.Write(dir); err != nil {
		return nil, err
	}
	var results []Result
	for _, c := range p.Commands {
		got, exit, err := r.run(ctx, c, dir, &servers)
		if err != nil {
			return results, fmt.Errorf("%s: %w", c.Line, err)
		}
		results = append(results, Result{c, got, exit})
	}
	return results, nil
}

// run runs a command, and returns its output and its exit code.
func (r Runner) run(ctx context.Context, c Command, dir string, servers *sync.WaitGroup) (string, int, error) {
	words := c.Words()
	isServer := words[len(words)-1] == "&"
	if isServer {
		words = words[:len(words)-1]
	}
	cmd := r.command(ctx, words, dir)
	if isServer {
		got, err := start(cmd, strings.Count(c.Output, "\n"), servers)
		return got, 0, err
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return "", 0, err
	}
	return out.String(), cmd.ProcessState.ExitCode(), ctx.Err()
}

// assignment is a word before a command that sets a variable for it.
var assignment = lazyregexp.New(`^[A-Z_]+=`)

func (r Runner) command(ctx context.Context, words []string, dir string) *exec.Cmd {
	env := append(os.Environ(), r.Env...)
	env = append(env, "PATH="+strings.Join(r.folders(), string(os.PathListSeparator)))
	for len(words) > 1 && assignment.MatchString(words[0]) {
		env, words = append(env, words[0]), words[1:]
	}
	program := r.Program
	if words[0] != "abl-lsp" {
		program = r.find(words[0])
	}
	cmd := exec.CommandContext(ctx, program, words[1:]...) //nolint:forbidigo // what a reader types, and no child of the program
	cmd.Dir, cmd.Env = dir, env
	return cmd
}

// startTimeout is how long a server may take to print the lines on the page.
const startTimeout = time.Minute

// start starts cmd, which is a server, and returns the first lines of its output, as many
// as lines says or fewer if it ends. It adds the server to servers until the server ends. The
// server is killed if it has not printed the lines after startTimeout.
func start(cmd *exec.Cmd, lines int, servers *sync.WaitGroup) (string, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return "", err
	}
	cmd.Stdout, cmd.Stderr = in, in
	err = cmd.Start()
	_ = in.Close()
	if err != nil {
		return "", err
	}
	late := time.AfterFunc(startTimeout, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	scanner := bufio.NewScanner(out)
	var got strings.Builder
	for range lines {
		if !scanner.Scan() {
			break // it ended
		}
		got.WriteString(scanner.Text() + "\n")
	}
	servers.Go(func() {
		_, _ = io.Copy(io.Discard, out)
		_ = out.Close()
		_ = cmd.Wait()
	})
	return got.String(), nil
}

// folders returns the folders in which programs are looked for: first those of npm's
// packages and of the programs that the tests get, then those of PATH.
func (r Runner) folders() []string {
	own := []string{filepath.Join(r.Root, ".cache", "npm", "node_modules", ".bin"), filepath.Join(r.Root, ".cache", "bin")}
	return append(own, filepath.SplitList(os.Getenv("PATH"))...)
}

// find returns the path of the program called name, or "" if there is none.
func (r Runner) find(name string) string {
	for _, folder := range r.folders() {
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return path
		}
	}
	return ""
}

var (
	port   = lazyregexp.New(`(?:localhost|127\.0\.0\.1):(\d{4,5})\b`)
	number = lazyregexp.New(`\d+`)
)

// withFreePorts returns the page with a free port in place of each port of this machine
// that its example names.
func withFreePorts(p Page) (Page, error) {
	text := ""
	for _, f := range p.Files {
		text += f.Text
	}
	for _, c := range p.Commands {
		text += c.Line + "\n" + c.Output
	}
	var pairs []string // a port of the page, and the one that takes its place
	for _, m := range port.FindAllStringSubmatch(text, -1) {
		if slices.Contains(pairs, m[1]) {
			continue
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return Page{}, err
		}
		defer l.Close()
		_, free, _ := net.SplitHostPort(l.Addr().String())
		pairs = append(pairs, m[1], free)
	}
	return p.withReplaced(func(text string) string {
		return number.ReplaceAllStringFunc(text, func(n string) string {
			if i := slices.Index(pairs, n); i >= 0 && i%2 == 0 {
				return pairs[i+1]
			}
			return n
		})
	}), nil
}

// withReplaced returns the page with the texts of its example as replace returns them.
func (p Page) withReplaced(replace func(text string) string) Page {
	p.Files, p.Commands = slices.Clone(p.Files), slices.Clone(p.Commands)
	for i := range p.Files {
		p.Files[i].Text = replace(p.Files[i].Text)
	}
	for i := range p.Commands {
		p.Commands[i] = Command{replace(p.Commands[i].Line), replace(p.Commands[i].Output)}
	}
	return p
}
