package model

import (
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/abl-lsp/abl-lsp/syntax"
)

// Handle gives access to one version of a file of a workspace. How much of the file is in memory
// may change; what the Handle returns does not.
type Handle struct {
	*Summary
	source string
	packed syntax.PackedDocument // the rest of the document; nil if whole is not nil

	whole *File // nil if the file is read again on demand

	mu    sync.Mutex // guards what follows
	last  weak.Pointer[File]
	cache *FileCache
}

// newHandle reads a text that no editor has open. The text, the packed document and the summary
// stay in memory. The rest is read again when it is asked for, unless it is still in use or in the
// cache. All of the file stays in memory if the cache is nil, or the file is no text of the
// language.
func newHandle(path, source string, cache *FileCache) *Handle {
	f := NewFile(path, parseOnce(path, source), nil)
	h := handleOf(f)
	if cache == nil || f.Kind == YAML || f.IsYAMLAgent() || f.Foreign != nil || f.Doc.TooLarge() {
		return h
	}
	h.release(h.File)
	h.whole, h.packed, h.last, h.cache = nil, f.Doc.Pack(), weak.Make(f), cache
	cache.add(f)
	return h
}

// handleOf returns a handle of a file all of which stays in memory.
func handleOf(f *File) *Handle {
	h := &Handle{Summary: f.Summary, whole: f}
	if f.Doc != nil {
		h.source = f.Written().Doc.Text()
	}
	return h
}

// File returns the file, reading it again if need be; nil for a nil handle.
func (h *Handle) File() *File {
	switch {
	case h == nil:
		return nil
	case h.whole != nil:
		return h.whole
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if f := h.last.Value(); f != nil {
		return f
	}
	f := NewFile(h.Path, syntax.Unpack(h.source, h.packed), nil)
	f.Summary = h.Summary
	h.last = weak.Make(f)
	h.cache.add(f)
	return f
}

// loadedFile returns the file if it is in memory, else nil.
func (h *Handle) loadedFile() *File {
	if h == nil || h.whole != nil {
		return h.File()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last.Value()
}

// ContainsWord reports whether a word is in the text of the file.
func (h *Handle) ContainsWord(word string) bool {
	return h.isReadable() && strings.Contains(h.source, word)
}

// SourceEquals reports whether the file has this text.
func (h *Handle) SourceEquals(source string) bool { return h.isReadable() && h.source == source }

// isReadable reports whether the file could be read.
func (h *Handle) isReadable() bool { return h != nil && h.Absent == Present }

// sameImports reports whether another version of the file leads to the same files.
func (h *Handle) sameImports(next *Handle) bool {
	return h.isReadable() && next.isReadable() && h.Kind != YAML && next.Kind != YAML && slices.Equal(h.Imported(), next.Imported()) &&
		slices.Equal(h.attachedProfiles, next.attachedProfiles) && slices.Equal(h.unboundTools(), next.unboundTools())
}

// isForeign reports whether the file may have tools of another system.
func (h *Handle) isForeign() bool {
	return h.whole != nil && h.whole.Foreign != nil && h.whole.Doc != nil
}

// FileCache keeps the files that were read last. It is safe for concurrent use.
type FileCache struct {
	limit int

	mu    sync.Mutex // guards what follows
	files []*File    // the last one is the newest
	size  int        // of their texts
}

// NewFileCache returns a cache that keeps files whose texts have at most limit bytes in total.
func NewFileCache(limit int) *FileCache { return &FileCache{limit: limit} }

func (c *FileCache) add(f *File) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.files, c.size = append(c.files, f), c.size+len(f.Doc.Text())
	gone := 0
	for ; c.size > c.limit; gone++ {
		c.size -= len(c.files[gone].Doc.Text())
		c.files[gone] = nil
	}
	c.files = c.files[gone:]
}
