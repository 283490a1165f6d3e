package sandbox

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/abl-lsp/abl-lsp/executor/javascript"
	"github.com/abl-lsp/abl-lsp/executor/sandbox/packed"
	"github.com/abl-lsp/abl-lsp/executor/sandbox/quickjs"
)

// packedFiles holds the WebAssembly of the runtimes, which `make build` puts there.
//
//go:embed wasm
var packedFiles embed.FS

// moduleOf returns the file name of a runtime's WebAssembly.
func moduleOf(name string) string { return name + ".wasm" }

// packedFile returns the path of a packed file in [packedFiles].
func packedFile(name string) string { return "wasm/" + name + ".zst" }

// readPacked returns the unpacked content of a file. The cache keeps it.
func readPacked(name string, o childOptions) ([]byte, error) {
	content, err := packedFiles.ReadFile(packedFile(name))
	if err != nil {
		return nil, err
	}
	return packed.UnpackIn(o.CacheDir, name, content)
}

// Main runs the code of a tool if this process was started for that; served is false if it was
// not. A program that has a [Runner] calls Main before anything else, with its own streams, and
// exits with code if served is true.
func Main(in io.Reader, out, errs io.Writer) (code int, served bool) {
	text := os.Getenv(optionsVariable)
	if text == "" {
		return 0, false
	}
	// One processor for the code, which cannot be interrupted, and one for watching
	// the input.
	goruntime.GOMAXPROCS(max(2, goruntime.GOMAXPROCS(0)))
	g := guest{jobs: make(chan string, 1), out: out, errs: errs}
	orphaned, done := make(chan struct{}), make(chan error, 1)
	go func() {
		g.receiveJob(in)
		close(orphaned)
	}()
	go func() { done <- g.serve(context.Background(), text) }()
	select {
	case <-orphaned:
		return 1, true
	case err := <-done:
		if err != nil {
			fmt.Fprintln(errs, err)
			return 1, true
		}
		return 0, true
	}
}

// guest runs the WebAssembly of one runtime.
type guest struct {
	runtime   wazero.Runtime
	module    wazero.CompiledModule
	jobs      chan string // gets the one job
	out, errs io.Writer
}

// serve runs the runtime that text, the [childOptions] as JSON, names.
func (g *guest) serve(ctx context.Context, text string) error {
	o, err := parseChildOptions(text)
	if err != nil {
		return err
	}
	if err := g.compile(ctx, o); err != nil {
		return err
	}
	debug.SetGCPercent(-1) // see hostCalls
	memory := &memory{limit: int64(o.MemoryMB) << 20}
	ctx = experimental.WithFunctionListenerFactory(ctx, newHostCalls(memory))
	if o.Runtime == "python" {
		return g.explainExit(g.runPython(ctx, memory))
	}
	return g.explainExit(g.runJavaScript(ctx, o))
}

// parseChildOptions parses and checks the options, since a person may have set the variable.
func parseChildOptions(text string) (childOptions, error) {
	var o childOptions
	err := json.Unmarshal([]byte(text), &o)
	i := slices.IndexFunc(runtimes, func(r runtime) bool { return r.name == o.Runtime })
	if err != nil || i < 0 || o.MemoryMB < runtimes[i].minMemory || o.MemoryMB > maxMemory {
		return o, fmt.Errorf("%s: it is for processes that abl-lsp starts itself; unset it", optionsVariable)
	}
	return o, nil
}

// receiveJob reads the job. It returns when the input ends, which means that the parent process has
// ended.
func (g *guest) receiveJob(in io.Reader) {
	lines := bufio.NewReader(in)
	if line, err := lines.ReadString('\n'); err == nil {
		g.jobs <- line
	}
	_, _ = io.Copy(io.Discard, lines)
}

// compile compiles the module, or takes the compiled one from the cache.
func (g *guest) compile(ctx context.Context, o childOptions) error {
	module, err := readPacked(moduleOf(o.Runtime), o)
	if err != nil {
		return err
	}
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(o.MemoryMB) * 16).WithMemoryCapacityFromMax(true) // the plan bounds it
	if o.CacheDir == "" {
		g.runtime = wazero.NewRuntimeWithConfig(ctx, config)
		g.module, err = g.runtime.CompileModule(ctx, module)
		return err
	}
	if err := g.compileIn(ctx, o.CacheDir, config, module); err == nil {
		return nil
	}
	return g.recompile(ctx, o, config, module)
}

// compileIn compiles the module with a cache in dir.
func (g *guest) compileIn(ctx context.Context, dir string, config wazero.RuntimeConfig, module []byte) error {
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return err
	}
	g.runtime = wazero.NewRuntimeWithConfig(ctx, config.WithCompilationCache(cache))
	g.module, err = g.runtime.CompileModule(ctx, module)
	return err
}

// recompile compiles the module when the cache is broken or cannot be written. It removes the
// compiled modules of wazero from the cache folder, and no other files.
func (g *guest) recompile(ctx context.Context, o childOptions, config wazero.RuntimeConfig, module []byte) error {
	compiled, _ := filepath.Glob(filepath.Join(o.CacheDir, "wazero-*")) // in a folder with odd letters it may find nothing
	for _, dir := range compiled {
		_ = os.RemoveAll(dir)
	}
	if g.compileIn(ctx, o.CacheDir, config, module) == nil {
		return nil
	}
	o.CacheDir = ""
	return g.compile(ctx, o)
}

// explainExit writes the answer for a runtime that ended with a known error of WebAssembly. It returns
// other errors.
func (g *guest) explainExit(err error) error {
	var f fault
	switch {
	case err == nil:
		return nil
	case strings.Contains(err.Error(), "stack overflow"), strings.Contains(err.Error(), "out of bounds memory access"):
		f = fault{Fault: javascript.Fault{Kind: tooDeep}}
	case errors.Is(err, quickjs.ErrMemory):
		f = fault{Fault: javascript.Fault{Kind: overMemory}}
	default:
		return err
	}
	return g.writeMessage(message{Error: &f})
}

// writeMessage writes a message as a driver does.
func (g *guest) writeMessage(m message) error { return json.NewEncoder(g.errs).Encode(m) }
