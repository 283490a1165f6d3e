// Package quickjs drives the QuickJS of the npm package quickjs-wasi on wazero.
//
// The JavaScript can reach only the functions of its [Host], the clock and one function for random
// numbers. A saved engine continues in another process as if nothing had happened.
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

// Host holds the functions that JavaScript can call, by name. Each gets a string and returns a
// number. It must not keep text after it returns. An error ends the engine.
type Host map[string]func(text []byte) (float64, error)

// Engine is one QuickJS with its memory. It is not safe for concurrent use. Calling it leaves no
// garbage.
type Engine struct {
	ctx  context.Context
	mod  api.Module
	idle map[string]api.Function // functions that are not being called
	args [4]uint64               // arguments of the called function, and then its results
}

// ErrMemory is the error of an engine that has no memory left.
var ErrMemory = errors.New("out of memory")

// New returns an engine for module, which must be that of quickjs-wasi. Call [Engine.Start] or
// [Engine.Load] next.
func New(ctx context.Context, r wazero.Runtime, module wazero.CompiledModule, host Host) (*Engine, error) {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return nil, err
	}
	e := &Engine{ctx: ctx, idle: map[string]api.Function{}}
	if err := e.addHost(r, host); err != nil {
		return nil, err
	}
	mod, err := r.InstantiateModule(ctx, module, wazero.NewModuleConfig().WithStartFunctions("_initialize").
		WithSysWalltime().WithSysNanotime().WithRandSource(rand.Reader))
	if err != nil {
		return nil, err
	}
	e.mod = mod
	return e, nil
}

// Start makes the engine begin empty.
func (e *Engine) Start() error {
	_, err := e.call("qjs_init")
	return err
}

// Add makes functions of the host available as globals.
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

// Eval runs a script, and then the jobs of its promises. It returns an exception that JavaScript
// did not catch as an error.
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

// jobs runs the pending jobs of promises until there are none.
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

// exception returns the exception that JavaScript threw.
func (e *Engine) exception() error {
	thrown, err := e.call("qjs_get_exception")
	if err != nil {
		return err
	}
	message := ""
	err = e.withText(thrown, func(text []byte) error { message = string(text); return nil })
	switch {
	case err != nil:
		return err
	case message == "InternalError: out of memory":
		return ErrMemory
	default:
		return errors.New(message)
	}
}

// withText calls do with the text of a value, as JavaScript's String returns it.
func (e *Engine) withText(value uint64, do func([]byte) error) error {
	length, err := e.malloc(4)
	if err != nil {
		return err
	}
	at, err := e.call("qjs_get_string_len", value, length)
	if err != nil || at == 0 {
		return errors.Join(err, ErrMemory)
	}
	n, _ := e.mod.Memory().ReadUint32Le(uint32(length))
	text, ok := e.mod.Memory().Read(uint32(at), n)
	if !ok {
		return ErrMemory
	}
	if err := do(text); err != nil {
		return err
	}
	_, err = e.call("qjs_free_cstring", at)
	_, err2 := e.call("wasm_free", length)
	return errors.Join(err, err2)
}

// Full returns 1 if the memory cannot grow by spare bytes, else 0. It grows the memory to find out.
func (e *Engine) Full() float64 {
	memory := e.mod.Memory()
	if _, ok := memory.Grow(spare / pageSize); ok {
		return 0
	}
	return 1
}

// spare is the number of bytes by which the memory must be able to grow.
const spare = 2 << 20

// write copies text and a final zero byte into the engine's memory, and returns its address.
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

// call calls a function of the module and returns its first result, 0 if it has none.
func (e *Engine) call(name string, args ...uint64) (uint64, error) {
	f := e.idle[name]
	if f == nil {
		f = e.mod.ExportedFunction(name)
	}
	e.idle[name] = nil // a nested call needs another one
	e.args = [4]uint64{}
	copy(e.args[:], args)
	err := f.CallWithStack(e.ctx, e.args[:])
	e.idle[name] = f
	if err != nil || len(f.Definition().ResultTypes()) == 0 {
		return 0, err
	}
	return e.args[0], nil
}

// addHost provides the functions that the module imports.
func (e *Engine) addHost(r wazero.Runtime, host Host) error {
	i32 := api.ValueTypeI32
	call := api.GoModuleFunc(func(ctx context.Context, mod api.Module, stack []uint64) {
		inner := &Engine{ctx: ctx, mod: mod, idle: e.idle}
		stack[0] = host.call(inner, uint32(stack[0]), uint32(stack[1]), uint32(stack[3]), uint32(stack[4]))
	})
	_, err := r.NewHostModuleBuilder("env").
		NewFunctionBuilder().WithGoModuleFunction(call, []api.ValueType{i32, i32, i32, i32, i32}, []api.ValueType{i32}).Export("host_call").
		NewFunctionBuilder().WithFunc(func() uint32 { return 0 }).Export("host_interrupt").
		NewFunctionBuilder().WithFunc(func(_, _, _ uint32) {}).Export("host_promise_rejection").
		NewFunctionBuilder().WithFunc(func(_, _ uint32) uint32 { return 0 }).Export("host_module_normalize").
		NewFunctionBuilder().WithFunc(func(_, _ uint32) uint32 { return 0 }).Export("host_module_load").
		NewFunctionBuilder().WithFunc(func(_, _ uint32) uint32 { return 0 }).Export("host_get_timezone_offset"). // UTC
		Instantiate(e.ctx)
	return err
}

// call handles a call by JavaScript. It panics with the function's error, which ends the engine.
func (h Host) call(e *Engine, name, length, argc, argv uint32) uint64 {
	b, _ := e.mod.Memory().Read(name, length)
	number, err := h.answer(e, string(b), argc, argv)
	if err != nil {
		panic(err)
	}
	result, err := e.call("qjs_new_number", math.Float64bits(number))
	if err != nil {
		panic(err)
	}
	return result & math.MaxUint32 // a pointer, like all values
}

func (h Host) answer(e *Engine, name string, argc, argv uint32) (number float64, err error) {
	f := h[name]
	switch {
	case f == nil:
		return 0, fmt.Errorf("JavaScript calls %q, which the host does not have", name)
	case argc == 0:
		return f(nil)
	}
	value, _ := e.mod.Memory().ReadUint32Le(argv)
	err = e.withText(uint64(value), func(text []byte) (err error) { number, err = f(text); return err })
	return number, err
}
