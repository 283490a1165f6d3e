package check

import (
	"maps"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis"
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
	file  *analysis.File
	units []unit
}

// unit is an entry with all that the diagnostics depend on, and those.
type unit struct {
	entry   *syntax.Entry
	offset  int
	section string
	kind    analysis.FileKind
	found   []analysis.Diagnostic
}

func (u unit) is(e *syntax.Entry, section string, kind analysis.FileKind) bool {
	return u.entry == e && u.section == section && u.kind == kind
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

// forget drops the files that the workspace does not have.
func (c *Cache) forget(w analysis.Workspace) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.files, func(path string, _ *version) bool { return w.File(path) == nil })
}

// units asks about those entries of a file that the last version did not have.
func (r *run) units(f *analysis.File) []unit {
	last := r.cache.load(f.Path)
	if last != nil && last.file == f {
		return last.units
	}
	known := remembered{}
	if last != nil {
		known.units = last.units
	}
	units := make([]unit, 0, len(known.units)+1)
	for _, s := range f.Doc.Sections() {
		name := s.Name()
		units = append(units, r.unit(f, s.Head, name, true, &known))
		for _, e := range s.Entries {
			units = append(units, r.unit(f, e, name, false, &known))
		}
		if r.ctx.Err() != nil {
			return nil
		}
	}
	r.cache.store(&version{f, units})
	return units
}

func (r *run) unit(f *analysis.File, p syntax.Placed, section string, head bool, known *remembered) unit {
	u := unit{entry: p.Entry, offset: p.Offset, section: section, kind: f.Kind}
	found, ok := known.find(u)
	if !ok {
		found = r.entry(Entry{Kind: f.Kind, Section: section, Head: head, Root: p.Root(), Tools: f.Declared(p.Entry)})
	}
	u.found = found
	return u
}

// remembered finds units of the version before, where they mostly stand in the
// same order.
type remembered struct {
	units []unit
	at    int
	index map[*syntax.Entry]int
}

func (m *remembered) find(u unit) ([]analysis.Diagnostic, bool) {
	if m.at < len(m.units) && m.units[m.at].is(u.entry, u.section, u.kind) {
		m.at++
		return m.units[m.at-1].found, true
	}
	if m.index == nil {
		m.index = make(map[*syntax.Entry]int, len(m.units))
		for i := range m.units {
			m.index[m.units[i].entry] = i
		}
	}
	i, ok := m.index[u.entry]
	if !ok || !m.units[i].is(u.entry, u.section, u.kind) {
		return nil, false
	}
	m.at = i + 1
	return m.units[i].found, true
}
