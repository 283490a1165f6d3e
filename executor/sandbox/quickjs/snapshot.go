package quickjs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero/api"
)

// header precedes the memory of a saved engine.
type header struct {
	Pages, Stack, Runtime, Context uint32
}

const pageSize = 64 << 10

// Save returns the current state of the engine. It can only be loaded into the same module.
func (e *Engine) Save() ([]byte, error) {
	size := e.mod.Memory().Size()
	runtime, err := e.call("qjs_get_runtime_ptr")
	if err != nil {
		return nil, err
	}
	context, err := e.call("qjs_get_context_ptr")
	if err != nil {
		return nil, err
	}
	memory, _ := e.mod.Memory().Read(0, size)
	var b bytes.Buffer
	err = binary.Write(&b, binary.LittleEndian, header{
		size / pageSize, uint32(e.mod.ExportedGlobal("__stack_pointer").Get()), uint32(runtime), uint32(context),
	})
	b.Write(bytes.TrimRight(memory, "\x00"))
	return b.Bytes(), err
}

// Load makes a new engine continue from a saved state.
func (e *Engine) Load(saved []byte) error {
	var h header
	n, err := binary.Decode(saved, binary.LittleEndian, &h)
	if err != nil {
		return fmt.Errorf("what was saved of QuickJS: %w", err)
	}
	memory := e.mod.Memory()
	if have := memory.Size() / pageSize; have < h.Pages {
		if _, ok := memory.Grow(h.Pages - have); !ok {
			return ErrMemory
		}
	}
	stack, ok := e.mod.ExportedGlobal("__stack_pointer").(api.MutableGlobal)
	if !ok || !memory.Write(0, saved[n:]) {
		return errors.New("what was saved of QuickJS is of another module")
	}
	stack.Set(uint64(h.Stack))
	_, err = e.call("qjs_set_runtime_and_context", uint64(h.Runtime), uint64(h.Context))
	return err
}
