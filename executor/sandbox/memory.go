package sandbox

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// memory is what code may use: for the memory of its WebAssembly and for its files
// together. It is for one goroutine.
type memory struct {
	used, most int64
	freed      int64 // given back since garbage was collected last
}

// reserve counts bytes, or gives them back where they are negative. It reports whether
// there is room for them.
func (m *memory) reserve(bytes int64) bool {
	if bytes > 0 && bytes > m.most-m.used {
		return false
	}
	m.used += bytes
	m.freed += max(0, -bytes)
	return true
}

// Allocate gives WebAssembly its memory, which the system provides as it is used.
func (m *memory) Allocate(_, most uint64) experimental.LinearMemory {
	return &linearMemory{m, make([]byte, 0, most)}
}

type linearMemory struct {
	memory *memory
	bytes  []byte
}

func (l *linearMemory) Reallocate(size uint64) []byte {
	if size > uint64(cap(l.bytes)) || !l.memory.reserve(int64(size)-int64(len(l.bytes))) {
		return nil
	}
	l.bytes = l.bytes[:size]
	return l.bytes
}

func (l *linearMemory) Free() { l.memory.reserve(-int64(len(l.bytes))) }

// hostCalls looks at each call that WebAssembly makes of this program. It is a
// [experimental.FunctionListenerFactory] for the modules of the host.
//
// Garbage is collected in such a call and at no other time. A collection stops the
// world, and code that cannot be interrupted would hold it up, and with it the watching
// of the input, for as long as it runs.
type hostCalls struct {
	memory    *memory
	allocated []metrics.Sample
	collected uint64 // what had been allocated when garbage was collected last
}

func newHostCalls(m *memory) *hostCalls {
	h := &hostCalls{memory: m, allocated: []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}}
	h.collect()
	return h
}

// maxGarbage is how many bytes are allocated, or freed, before garbage is collected.
const maxGarbage = 16 << 20

// collect collects garbage where there may be too much.
func (h *hostCalls) collect() {
	metrics.Read(h.allocated)
	now := h.allocated[0].Value.Uint64()
	if h.collected == 0 || now-h.collected > maxGarbage || h.memory.freed > maxGarbage {
		debug.FreeOSMemory()
		h.collected, h.memory.freed = now, 0
	}
}

// NewFunctionListener gives what looks at the calls of a function; nil for those that
// are frequent and leave no garbage.
func (h *hostCalls) NewFunctionListener(def api.FunctionDefinition) experimental.FunctionListener {
	if name := def.Name(); strings.HasPrefix(name, "clock_") || name == "random_get" {
		return nil
	}
	l := &hostCall{calls: h}
	for i, name := range def.ParamNames() {
		switch {
		case strings.HasSuffix(name, "path_len"):
			l.paths = append(l.paths, i)
		case strings.HasSuffix(name, "fd"):
			l.folders = append(l.folders, i)
		}
	}
	return l
}

// hostCall looks at the calls of one function.
type hostCall struct {
	calls          *hostCalls
	paths, folders []int // parameters that are lengths of paths, and the folders that these are in
	refused        bool  // the call that is made has a path that is too long
}

// Errors of WASI.
const (
	wasiIO          = 29
	wasiNameTooLong = 37
	wasiNotFound    = 44
	wasiNoSpace     = 51
	wasiNotAllowed  = 63
)

// maxPath is how long a path may be. wazero makes copies of it.
const maxPath = 4096

// Before has a call fail whose path is too long.
func (l *hostCall) Before(_ context.Context, _ api.Module, _ api.FunctionDefinition, params []uint64, _ experimental.StackIterator) {
	l.refused = slices.ContainsFunc(l.paths, func(i int) bool { return uint32(params[i]) > maxPath })
	if l.refused {
		for _, i := range l.paths {
			params[i] = 0
		}
		for _, i := range l.folders {
			params[i] = api.EncodeI32(-1)
		}
	}
}

// After gives errors of files the names that they have elsewhere.
func (l *hostCall) After(_ context.Context, _ api.Module, def api.FunctionDefinition, results []uint64) {
	l.calls.collect()
	if !isFile(def.Name()) {
		return
	}
	switch {
	case l.refused:
		results[0] = wasiNameTooLong
	case results[0] == wasiIO: // memfs.ErrFull
		results[0] = wasiNoSpace
	case results[0] == wasiNotAllowed: // a path that leads out of the one folder
		results[0] = wasiNotFound
	}
}

// Abort does nothing.
func (l *hostCall) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}

// isFile reports whether a function is one of WASI's for files.
func isFile(name string) bool {
	return strings.HasPrefix(name, "fd_") || strings.HasPrefix(name, "path_")
}
