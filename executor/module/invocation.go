package module

import (
	"context"
	"crypto/rand"
	_ "embed" // host.js
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/jail"
	"github.com/abl-lsp/abl-lsp/executor/javascript"
	"github.com/abl-lsp/abl-lsp/executor/process"
)

//go:embed host.js
var hostSource string

// hostProgram returns the JavaScript program that Node runs.
func hostProgram() string { return "(" + hostSource + ")(" + javascript.Values + ")" }

// childProcess is the process of a call.
type childProcess interface {
	Done() <-chan struct{} // closed when the process has ended and all its output was written
	Kill()                 // kills the process and waits until it has ended
	Wait() error
}

// invocation is one call of a handler, in its own process.
type invocation struct {
	plan
	file    string // the module's file, with links resolved
	broker  *connectionBroker
	process childProcess
	console *process.Head
	last    process.Tail // the end of what Node wrote to descriptor 2

	answered      chan message  // gets the answer
	full          chan struct{} // closed when there is too much output
	stopped       chan error    // gets why there will be no answer
	yielded       yieldedValues
	openQuestions atomic.Int64 // the number of questions without an answer

	writing sync.Mutex
	in      *os.File
}

// invoke calls the handler in its own process.
func (r *Runner) invoke(ctx context.Context, p plan) (executor.Result, error) {
	file, err := p.realPath()
	if err != nil {
		return executor.Result{}, err
	}
	j, err := p.job(file)
	if err != nil {
		return executor.Result{}, err
	}
	v := &invocation{
		plan: p, file: file, last: process.Tail{Max: 4 << 10},
		answered: make(chan message, 1), full: make(chan struct{}), stopped: make(chan error, 1),
	}
	if v.broker, err = newConnectionBroker(ctx, r.dialer, p.Call); err != nil {
		return executor.Result{}, err
	}
	defer v.broker.close()
	if err := v.start(j.Word); err != nil {
		return executor.Result{}, err
	}
	go v.send(j) // the write ends when the process does
	result, err := v.wait(ctx)
	v.process.Kill() // then all output has arrived
	_ = v.in.Close()
	result.Console = strings.ToValidUTF8(v.console.String(), "\ufffd")
	return result, err
}

// job returns the first message to the process.
func (p plan) job(file string) (job, error) {
	source, err := translate(file, p.hiddenFiles(file))
	if err != nil {
		return job{}, err
	}
	j := job{Word: rand.Text(), URL: fileURL(file), Source: source, Handler: p.handler}
	session := p.Scope.Session
	if session == nil {
		session = map[string]any{}
	}
	j.add("args", p.args)
	j.add("settings", p.settings)
	j.add("auth", p.auth)
	j.add("session", session)
	return j, nil
}

func (v *invocation) start(word string) error {
	childEnd, parentEnd, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("start the module: %w", err)
	}
	defer childEnd.Close() // the process has its own
	full := sync.OnceFunc(func() { close(v.full) })
	v.console = &process.Head{Max: int(v.max), Full: full}
	v.yielded.max, v.yielded.full = v.max, full
	heard := &outputListener{word: word, receive: v.receive, console: v.console}
	out := &process.Lines{Max: int(v.max) + 1000, Full: full, Handle: heard.handleLine}
	v.in = parentEnd
	if v.process, err = v.launch(childEnd, out, teeWriter{v.console, &v.last}); err != nil {
		_ = parentEnd.Close()
	}
	return err
}

// teeWriter writes to a console, and also keeps the last part.
type teeWriter struct {
	console *process.Head
	last    *process.Tail
}

func (b teeWriter) Write(p []byte) (int, error) {
	_, _ = b.last.Write(p) // never fails
	return b.console.Write(p)
}

// command returns the command line that starts Node.
func (v *invocation) command(node string) []string {
	words := []string{node, "--no-warnings", fmt.Sprintf("--max-old-space-size=%d", megabytes)}
	if isTypeScript(v.file) {
		words = append(words, "--enable-source-maps")
	}
	return append(words, "-e", hostProgram())
}

// send writes a message to the process.
func (v *invocation) send(what any) {
	line, err := json.Marshal(what)
	if err != nil {
		v.stop(fmt.Errorf("the arguments: %w", err))
		return
	}
	v.writing.Lock()
	defer v.writing.Unlock()
	_, _ = v.in.Write(append(line, '\n')) // if the process has ended, the call has, too
}

// receive handles a message of the process.
func (v *invocation) receive(m message) {
	switch {
	case m.Open != nil, m.Permission != nil:
		v.answerQuestion(m)
	case m.Chunk != nil:
		v.yielded.addValue(m.Chunk)
		if v.Tool.Streaming.Is(true) {
			v.Report(executor.Progress{Chunk: liveText(m.Chunk)})
		}
	default:
		select {
		case v.answered <- m:
		default: // only the first one counts
		}
	}
}

// maxOpenQuestions is the most questions of a call that may wait for an answer at a time.
const maxOpenQuestions = 10_000

// answerQuestion answers a question in the background. Too many open questions end the call.
func (v *invocation) answerQuestion(m message) {
	if v.openQuestions.Add(1) > maxOpenQuestions {
		v.stop(executor.Errorf(executor.KindLimit, "questions", "%s asks for more than %d connections and permissions at a time", v.name, maxOpenQuestions))
		return
	}
	v.broker.open.Go(func() {
		defer v.openQuestions.Add(-1)
		if m.Open != nil {
			v.send(v.broker.answer(m.ID, *m.Open))
			return
		}
		v.permit(m.ID, *m.Permission)
	})
}

// stop ends the call with err. It ignores every error after the first.
func (v *invocation) stop(err error) {
	select {
	case v.stopped <- err:
	default:
	}
}

// abortGrace is how long a handler may take to end after its abort signal.
const abortGrace = 500 * time.Millisecond

// wait waits for the answer, a limit, or the end of the process or of ctx, whatever is first.
func (v *invocation) wait(ctx context.Context) (executor.Result, error) {
	select {
	case m := <-v.answered:
		return v.result(m)
	case err := <-v.stopped:
		return executor.Result{}, err
	case <-v.full:
		return executor.Result{}, v.overflowError()
	case <-v.process.Done():
		return v.exitResult()
	case <-ctx.Done():
	}
	go v.send(abortRequest{context.Cause(ctx).Error()})
	select {
	case <-v.process.Done():
	case <-v.answered:
	case <-time.After(abortGrace):
	}
	return executor.Result{}, context.Cause(ctx)
}

func (v *invocation) overflowError() error {
	return executor.Errorf(executor.KindLimit, "output", "%s prints or returns more than %d bytes (limits.response_bytes)", v.name, v.max)
}

// exitResult returns the result of a process that has ended.
func (v *invocation) exitResult() (executor.Result, error) {
	select {
	case m := <-v.answered:
		return v.result(m)
	case <-v.full:
		return executor.Result{}, v.overflowError()
	default:
	}
	err, words := v.process.Wait(), strings.TrimSpace(v.last.String())
	switch {
	case errors.Is(err, jail.ErrMemory), strings.Contains(words, "heap out of memory"):
		return executor.Result{}, executor.Errorf(executor.KindLimit, "memory", "%s needs more than %d MB of memory", v.name, megabytes)
	case strings.Contains(words, "bad option"), strings.Contains(words, "SyntaxError") && strings.Contains(words, "[eval]"):
		return executor.Result{}, oldNode("")
	}
	if noJail := asJailError(err); noJail != nil {
		return executor.Result{}, noJail
	}
	return executor.Result{}, executor.Errorf(executor.KindSandbox, "ended", "%s ended its process, where %s should return a value", v.name, v.handler)
}
