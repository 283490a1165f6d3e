package sandbox

import (
	"bufio"
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	goruntime "runtime"
	"strings"

	"github.com/tetratelabs/wazero"
)

// files are what `make build` puts there: the WebAssembly of the runtimes.
//
//go:embed wasm
var files embed.FS

// moduleOf is the file with a runtime's WebAssembly.
func moduleOf(name string) string { return "wasm/" + name + ".wasm" }

// Main runs the code of a tool, where this process was started for that, and does
// not return then. A program that has a [Runner] calls it before anything else.
func Main() {
	text := os.Getenv(orderVariable)
	if text == "" {
		return
	}
	if err := serve(text); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve does what an order says.
func serve(text string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return fmt.Errorf("%s: %w", orderVariable, err)
	}
	// One processor for the code, which cannot be interrupted, and one for watching
	// standard input.
	goruntime.GOMAXPROCS(max(2, goruntime.GOMAXPROCS(0)))
	g := guest{jobs: make(chan string, 1)}
	if err := g.compile(context.Background(), o); err != nil {
		return err
	}
	go g.listen()
	run := g.javascript
	if o.Runtime == "python" {
		run = g.python
	}
	return g.explain(run(context.Background()))
}

// guest is the WebAssembly of a runtime.
type guest struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
	jobs    chan string // gets the one job
}

// compile gets the module, from the cache where it is there.
func (g *guest) compile(ctx context.Context, o order) error {
	module, err := files.ReadFile(moduleOf(o.Runtime))
	if err != nil {
		return err
	}
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(o.MemoryMB) * 16).WithMemoryCapacityFromMax(true) //nolint:gosec // bounded by the plan
	if o.CacheDir == "" {
		g.runtime = wazero.NewRuntimeWithConfig(ctx, config)
		g.module, err = g.runtime.CompileModule(ctx, module)
		return err
	}
	if err := g.compileIn(ctx, o.CacheDir, config, module); err == nil {
		return nil
	}
	return g.compileAnew(ctx, o, config, module)
}

// compileIn gets the module from a cache.
func (g *guest) compileIn(ctx context.Context, dir string, config wazero.RuntimeConfig, module []byte) error {
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return err
	}
	g.runtime = wazero.NewRuntimeWithConfig(ctx, config.WithCompilationCache(cache))
	g.module, err = g.runtime.CompileModule(ctx, module)
	return err
}

// compileAnew does without what the cache holds, which is broken or cannot be
// written. What is broken is removed, for the next time.
func (g *guest) compileAnew(ctx context.Context, o order, config wazero.RuntimeConfig, module []byte) error {
	_ = os.RemoveAll(o.CacheDir)
	if g.compileIn(ctx, o.CacheDir, config, module) == nil {
		return nil
	}
	o.CacheDir = ""
	return g.compile(ctx, o)
}

// listen takes the job from standard input, whose end is that of this process: what
// started it is gone.
func (g *guest) listen() {
	in := bufio.NewReader(os.Stdin)
	if line, err := in.ReadString('\n'); err == nil {
		g.jobs <- line
	}
	_, _ = io.Copy(io.Discard, in)
	os.Exit(1)
}

// explain answers for a runtime that ended with an error of WebAssembly.
func (g *guest) explain(err error) error {
	var f fault
	switch {
	case err == nil:
		return nil
	case strings.Contains(err.Error(), "stack overflow"), strings.Contains(err.Error(), "out of bounds memory access"):
		f = fault{Kind: tooDeep}
	case errors.Is(err, errNoMemory):
		f = fault{Kind: overMemory}
	default:
		return err
	}
	return answer(message{Error: &f})
}

// answer says something as a driver does.
func answer(m message) error { return json.NewEncoder(os.Stderr).Encode(m) }

// system is what every runtime may use of this machine: clocks and random numbers.
func system() wazero.ModuleConfig {
	return wazero.NewModuleConfig().WithSysWalltime().WithSysNanotime().WithSysNanosleep().WithRandSource(rand.Reader)
}
