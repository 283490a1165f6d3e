// Package quickjs drives the QuickJS of the npm package quickjs-wasi on wazero.
//
// It promises that the JavaScript inside reaches nothing but the functions of its
// [Host], the clock and one function for random numbers, and that an engine which
// was saved goes on elsewhere as if nothing had happened.
package quickjs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// Host is what JavaScript can call by name, each with a string, and gets a number
// from. An error ends the engine.
type Host map[string]func(text string) (float64, error)

// Engine is one QuickJS with its memory. It is for one goroutine.
type Engine struct {
	ctx context.Context
	mod api.Module
}

// ErrMemory is that of an engine which has no memory left.
var ErrMemory = errors.New("out of memory")

// New makes an engine. The module is that of quickjs-wasi.
func New(ctx context.Context, r wazero.Runtime, module wazero.CompiledModule, host Host) (*Engine, error) {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return nil, err
	}
	if err := addHost(ctx, r, host); err != nil {
		return nil, err
	}
	mod, err := r.InstantiateModule(ctx, module, wazero.NewModuleConfig().WithStartFunctions("_initialize").
		WithSysWalltime().WithSysNanotime().WithRandSource(rand.Reader))
	if err != nil {
		return nil, err
	}
	return &Engine{ctx, mod}, nil
}

// Start begins with an empty engine.
func (e *Engine) Start() error {
	_, err := e.call("qjs_init")
	return err
}

// Add makes functions of the host global.
func (e *Engine) Add(names ...string) error {
	for _, name := range names {
		if err := e.addFunction(name); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) addFunction(name string) error {
	at, err := e.write(name)
	if err != nil {
		return err
	}
	function, err := e.call("qjs_new_host_function", at, uint64(len(name)), 0)
	if err != nil {
		return err
	}
	global, err := e.call("qjs_get_global")
	if err != nil {
		return err
	}
	_, err = e.call("qjs_set_prop_string", global, at, function)
	return err
}

// Eval runs a script, and what it has set off. It gives an error that JavaScript
// did not catch.
func (e *Engine) Eval(source, name string) error {
	code, err := e.write(source)
	if err != nil {
		return err
	}
	file, err := e.write(name)
	if err != nil {
		return err
	}
	result, err := e.call("qjs_eval", code, uint64(len(source)), file, 0)
	if err != nil {
		return err
	}
	for _, at := range []uint64{code, file} {
		if _, err := e.call("wasm_free", at); err != nil {
			return err
		}
	}
	if failed, err := e.call("qjs_is_exception", result); err != nil || failed != 0 {
		return errors.Join(err, e.exception())
	}
	return e.jobs()
}

// jobs runs what promises have left to do.
func (e *Engine) jobs() error {
	for {
		pending, err := e.call("qjs_is_job_pending")
		if err != nil || pending == 0 {
			return err
		}
		done, err := e.call("qjs_execute_pending_job")
		if err != nil {
			return err
		}
		if int32(uint32(done)) < 0 { // a C int
			return e.exception()
		}
	}
}

// exception is what JavaScript threw.
func (e *Engine) exception() error {
	thrown, err := e.call("qjs_get_exception")
	if err != nil {
		return err
	}
	switch text, err := e.text(thrown); {
	case err != nil:
		return err
	case text == "InternalError: out of memory":
		return ErrMemory
	default:
		return errors.New(text)
	}
}

// text is a value as JavaScript's String gives it.
func (e *Engine) text(value uint64) (string, error) {
	length, err := e.malloc(4)
	if err != nil {
		return "", err
	}
	at, err := e.call("qjs_get_string_len", value, length)
	if err != nil || at == 0 {
		return "", errors.Join(err, ErrMemory)
	}
	n, _ := e.mod.Memory().ReadUint32Le(uint32(length))
	b, ok := e.mod.Memory().Read(uint32(at), n)
	if !ok {
		return "", ErrMemory
	}
	text := string(b)
	_, err = e.call("qjs_free_cstring", at)
	_, err2 := e.call("wasm_free", length)
	return text, errors.Join(err, err2)
}

// Full is 1 where the memory can grow no more, else 0.
func (e *Engine) Full() float64 {
	memory := e.mod.Memory()
	if _, ok := memory.Grow(spare / pageSize); ok {
		return 0
	}
	return 1
}

// spare is how much memory is missing where there is none left.
const spare = 2 << 20

// write copies text into the engine's memory, with a zero behind it.
func (e *Engine) write(text string) (uint64, error) {
	at, err := e.malloc(len(text) + 1)
	if err != nil {
		return 0, err
	}
	if !e.mod.Memory().WriteString(uint32(at), text) || !e.mod.Memory().WriteByte(uint32(at)+uint32(len(text)), 0) {
		return 0, ErrMemory
	}
	return at, nil
}

func (e *Engine) malloc(n int) (uint64, error) {
	at, err := e.call("wasm_malloc", uint64(n))
	if err == nil && at == 0 {
		err = ErrMemory
	}
	return at, err
}

// call gives the first result of a function, 0 where it has none.
func (e *Engine) call(name string, args ...uint64) (uint64, error) {
	results, err := e.mod.ExportedFunction(name).Call(e.ctx, args...)
	if err != nil || len(results) == 0 {
		return 0, err
	}
	return results[0], nil
}

// addHost makes the functions that the module imports.
func addHost(ctx context.Context, r wazero.Runtime, host Host) error {
	_, err := r.NewHostModuleBuilder("env").
		NewFunctionBuilder().WithFunc(host.call).Export("host_call").
		NewFunctionBuilder().WithFunc(func() uint32 { return 0 }).Export("host_interrupt").
		NewFunctionBuilder().WithFunc(func(_, _, _ uint32) {}).Export("host_promise_rejection").
		NewFunctionBuilder().WithFunc(func(_, _ uint32) uint32 { return 0 }).Export("host_module_normalize").
		NewFunctionBuilder().WithFunc(func(_, _ uint32) uint32 { return 0 }).Export("host_module_load").
		NewFunctionBuilder().WithFunc(func(_, _ uint32) uint32 { return 0 }).Export("host_get_timezone_offset"). // UTC
		Instantiate(ctx)
	return err
}

// call is a call of JavaScript. What panics ends the engine with that error.
func (h Host) call(ctx context.Context, mod api.Module, name, length, _, argc, argv uint32) uint32 {
	e := &Engine{ctx, mod}
	b, _ := mod.Memory().Read(name, length)
	result, err := h.answer(e, string(b), argc, argv)
	if err != nil {
		panic(err)
	}
	return uint32(result) // a pointer, as all of them
}

func (h Host) answer(e *Engine, name string, argc, argv uint32) (uint64, error) {
	f := h[name]
	if f == nil {
		return 0, fmt.Errorf("JavaScript calls %q, which the host does not have", name)
	}
	text := ""
	if argc > 0 {
		value, _ := e.mod.Memory().ReadUint32Le(argv)
		var err error
		if text, err = e.text(uint64(value)); err != nil {
			return 0, err
		}
	}
	number, err := f(text)
	if err != nil {
		return 0, err
	}
	return e.call("qjs_new_number", math.Float64bits(number))
}
