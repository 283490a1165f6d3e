package check

import (
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// Cache keeps what the checks said of the entries of each file. Its zero value
// is ready; many runs may use it at once.
type Cache struct {
	// OnPanic is told of a check that panicked; nil: nobody is.
	OnPanic func(code string, value any, stack []byte)

	mu     sync.Mutex // guards what follows
	files  map[string]*version
	broken *brokenFiles
}

// brokenFiles says of versions of files whether some of their lines cannot be read.
type brokenFiles struct {
	mu     sync.Mutex // guards what follows
	byPath map[string]broken
}

type broken struct {
	version *model.Handle
	is      bool
}

// version is what was said of one version of a file.
type version struct {
	file    *model.File
	servers *model.Servers
	units   []unit
}

// unit is an entry where it stands, and its diagnostics.
type unit struct {
	key
	offset int
	found  []model.Diagnostic
}

// key is all that the diagnostics of an entry depend on.
type key struct {
	entry   *syntax.Entry
	section string
	head    bool
	kind    model.FileKind
	auth    string
	servers *model.Servers
}

func (c *Cache) load(path string) *version {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.files[path]
}

func (c *Cache) store(v *version) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil {
		c.files = map[string]*version{}
	}
	c.files[v.file.Path] = v
}

// brokenFiles are those of the cache and of all its copies.
func (c *Cache) brokenFiles() *brokenFiles {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken == nil {
		c.broken = &brokenFiles{byPath: map[string]broken{}}
	}
	return c.broken
}

func (b *brokenFiles) load(version *model.Handle) (is, known bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := b.byPath[version.Path]
	return last.is, last.version == version
}

func (b *brokenFiles) store(version *model.Handle, is bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.byPath[version.Path] = broken{version, is}
}

// forget drops the files that the workspace does not have, where there are more than a limit.
func (b *brokenFiles) forget(w model.Workspace, limit int) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.byPath) > limit {
		maps.DeleteFunc(b.byPath, func(path string, _ broken) bool { return w.Handle(path) == nil })
	}
}

// Once is a cache for one run of many: it keeps nothing of the file for the next one, and
// shares with the others what is found of imported files.
func (c *Cache) Once() *Cache { return c.copied("") }

// copied is a cache of its own, which knows what was said of one file.
func (c *Cache) copied(path string) *Cache {
	other := &Cache{OnPanic: c.OnPanic, broken: c.brokenFiles()}
	if last := c.load(path); last != nil {
		other.store(last)
	}
	return other
}

// forget drops the files that the workspace does not have, once there may be as many of
// these as of others.
func (c *Cache) forget(w model.Workspace) {
	c.mu.Lock()
	defer c.mu.Unlock()
	limit := 2*w.Len() + spareFiles
	if len(c.files) > limit {
		maps.DeleteFunc(c.files, func(path string, _ *version) bool { return w.Handle(path) == nil })
	}
	c.broken.forget(w, limit)
}

// spareFiles is how many files are kept however few the workspace has.
const spareFiles = 16

// units asks about those entries of a file that the last version did not have.
func (r *run) units(f *model.File, servers *model.Servers) []unit {
	last := r.cache.load(f.Path)
	if last != nil && last.file == f && last.servers == servers {
		return last.units
	}
	known := remembered{}
	if last != nil {
		known.units = last.units
	}
	units := make([]unit, 0, len(known.units)+1)
	for k, p := range keys(f, servers) {
		found, ok := known.find(k)
		if !ok {
			found = r.entry(k.of(f), r.checks)
		}
		units = append(units, unit{k, p.Offset, found})
		if k.head && r.ctx.Err() != nil {
			return nil
		}
	}
	r.cache.store(&version{f, servers, units})
	return units
}

// keys are those of the entries of a file, each with its place.
func keys(f *model.File, servers *model.Servers) iter.Seq2[key, syntax.Placed] {
	return func(yield func(key, syntax.Placed) bool) {
		auth := sharedAuth(f)
		for _, s := range f.Doc.Sections() {
			k := key{entry: s.Head.Entry, section: s.Name(), head: true, kind: f.SectionKind(s)}
			if !yield(k, s.Head) {
				return
			}
			if k.head = false; k.section == "TOOLS" {
				k.auth, k.servers = auth, servers
			}
			for _, e := range s.Entries {
				if k.entry = e.Entry; !yield(k, e) {
					return
				}
			}
		}
	}
}

// of is the entry of a file with that key.
func (k key) of(f *model.File) Entry {
	return Entry{
		Kind: k.kind, Section: k.section, Head: k.head, Root: k.entry.Root(),
		Tools: f.Declared(k.entry), Auth: k.auth, Servers: k.servers,
	}
}

// isBroken reports whether a file has lines that cannot be read, so that a tool may hide in
// one of them.
func (r *run) isBroken(version *model.Handle) bool {
	files := r.cache.brokenFiles()
	is, known := files.load(version)
	if !known {
		is = r.hasBrokenLine(version.File())
		files.store(version, is)
	}
	return is
}

func (r *run) hasBrokenLine(f *model.File) bool {
	if f.Foreign != nil {
		return slices.ContainsFunc(f.Foreign.Faults, func(fault foreign.Fault) bool { return fault.Code == syntaxError.Code })
	}
	if len(f.Doc.Problems()) > 0 {
		return true
	}
	isError := func(d model.Diagnostic) bool { return d.Severity == model.Error }
	for k := range keys(f, nil) {
		if slices.ContainsFunc(r.entry(k.of(f), []Check{syntaxError, invalidSignature}), isError) {
			return true
		}
	}
	return false
}

// sharedAuth is the auth kind that the shared defaults of a file give.
func sharedAuth(f *model.File) string {
	for _, d := range slices.Backward(f.Defaults) {
		if p := model.SharedDefault(d.Node); p.Name() == "auth" {
			return p.Text()
		}
	}
	return ""
}

// remembered finds units of the version before, where they mostly stand in the
// same order.
type remembered struct {
	units []unit
	at    int
	index map[*syntax.Entry]int
}

func (m *remembered) find(k key) ([]model.Diagnostic, bool) {
	if m.at < len(m.units) && m.units[m.at].key == k {
		m.at++
		return m.units[m.at-1].found, true
	}
	if m.index == nil {
		m.index = make(map[*syntax.Entry]int, len(m.units))
		for i := range m.units {
			m.index[m.units[i].entry] = i
		}
	}
	i, ok := m.index[k.entry]
	if !ok || m.units[i].key != k {
		return nil, false
	}
	m.at = i + 1
	return m.units[i].found, true
}
