package check

import (
	"maps"
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// Cache keeps what the checks said of the entries of each file. Its zero value
// is ready; many runs may use it at once.
type Cache struct {
	// OnPanic is told of a check that panicked; nil: nobody is.
	OnPanic func(code string, value any, stack []byte)

	mu    sync.Mutex
	files map[string]*version
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

// copied is a cache of its own, which knows what was said of one file.
func (c *Cache) copied(path string) *Cache {
	other := &Cache{OnPanic: c.OnPanic}
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
	if len(c.files) > 2*w.Len()+spareFiles {
		maps.DeleteFunc(c.files, func(path string, _ *version) bool { return w.File(path) == nil })
	}
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
	auth := sharedAuth(f)
	for _, s := range f.Doc.Sections() {
		name, kind := s.Name(), f.SectionKind(s)
		units = append(units, r.unit(f, s.Head, key{entry: s.Head.Entry, section: name, head: true, kind: kind}, &known))
		for _, e := range s.Entries {
			k := key{entry: e.Entry, section: name, kind: kind}
			if name == "TOOLS" {
				k.auth, k.servers = auth, servers
			}
			units = append(units, r.unit(f, e, k, &known))
		}
		if r.ctx.Err() != nil {
			return nil
		}
	}
	r.cache.store(&version{f, servers, units})
	return units
}

func (r *run) unit(f *model.File, p syntax.Placed, k key, known *remembered) unit {
	found, ok := known.find(k)
	if !ok {
		found = r.entry(Entry{
			Kind: k.kind, Section: k.section, Head: k.head, Root: p.Root(),
			Tools: f.Declared(p.Entry), Auth: k.auth, Servers: k.servers,
		})
	}
	return unit{k, p.Offset, found}
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
