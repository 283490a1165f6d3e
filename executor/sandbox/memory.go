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

// memory counts the bytes that code uses for its WebAssembly memory and its files together. It is
// not safe for concurrent use.
type memory struct {
	used, limit          int64
	freedSinceCollection int64 // given back since the last collection
}

// reserve counts bytes as used; a negative number gives them back. It reports whether there is room
// for them, and counts nothing if there is not.
func (m *memory) reserve(bytes int64) bool {
	if bytes > 0 && bytes > m.limit-m.used {
		return false
	}
	m.used += bytes
	m.freedSinceCollection += max(0, -bytes)
	return true
}

// Allocate returns the memory for a WebAssembly module. The system provides its pages when they are
// used.
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

// hostCalls observes each call that WebAssembly makes of this program. It is an
// [experimental.FunctionListenerFactory] for the modules of the host.
//
// Garbage is collected in such calls and at no other time. A collection stops the world, and code
// that cannot be interrupted would delay it. While it waits, nothing watches the input.
type hostCalls struct {
	memory    *memory
	allocated []metrics.Sample
	collected uint64 // the bytes allocated until the last collection
}

func newHostCalls(m *memory) *hostCalls {
	h := &hostCalls{memory: m, allocated: []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}}
	h.collectGarbage()
	return h
}

// maxGarbage is how many bytes may be allocated, or freed, before garbage is collected.
const maxGarbage = 16 << 20

// collectGarbage collects garbage if there may be too much of it.
func (h *hostCalls) collectGarbage() {
	metrics.Read(h.allocated)
	now := h.allocated[0].Value.Uint64()
	if h.collected == 0 || now-h.collected > maxGarbage || h.memory.freedSinceCollection > maxGarbage {
		debug.FreeOSMemory()
		h.collected, h.memory.freedSinceCollection = now, 0
	}
}

// NewFunctionListener returns the observer of a function's calls. It is nil for functions that are
// called often and leave no garbage.
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

// hostCall observes the calls of one function.
type hostCall struct {
	calls          *hostCalls
	paths, folders []int // the indexes of parameters: lengths of paths, and folders
	isRefused      bool  // the current call has a path that is too long
}

// Error numbers of WASI.
const (
	wasiIO          = 29
	wasiNameTooLong = 37
	wasiNotFound    = 44
	wasiNoSpace     = 51
	wasiNotAllowed  = 63
)

// maxPath is the most bytes that a path may have, since wazero copies it.
const maxPath = 4096

// Before makes a call fail if its path is too long.
func (l *hostCall) Before(_ context.Context, _ api.Module, _ api.FunctionDefinition, params []uint64, _ experimental.StackIterator) {
	l.isRefused = slices.ContainsFunc(l.paths, func(i int) bool { return uint32(params[i]) > maxPath })
	if l.isRefused {
		for _, i := range l.paths {
			params[i] = 0
		}
		for _, i := range l.folders {
			params[i] = api.EncodeI32(-1)
		}
	}
}

// After replaces error numbers of file functions by those that other systems return.
func (l *hostCall) After(_ context.Context, _ api.Module, def api.FunctionDefinition, results []uint64) {
	l.calls.collectGarbage()
	if !isFile(def.Name()) {
		return
	}
	switch {
	case l.isRefused:
		results[0] = wasiNameTooLong
	case results[0] == wasiIO: // memfs.ErrFull
		results[0] = wasiNoSpace
	case results[0] == wasiNotAllowed: // a path that leads out of the only folder
		results[0] = wasiNotFound
	}
}

// Abort does nothing.
func (l *hostCall) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}

// isFile reports whether a function of WASI works on files.
func isFile(name string) bool {
	return strings.HasPrefix(name, "fd_") || strings.HasPrefix(name, "path_")
}
