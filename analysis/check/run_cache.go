package check

import (
	"maps"
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/internal/parallel"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// Cache keeps the findings of the entries of each file. Its zero value is ready for use, and many
// runs may use it at once.
type Cache struct {
	// OnPanic is called when a check panicked; nil: a panic is not reported.
	OnPanic func(code string, value any, stack []byte)

	mu     sync.Mutex // guards what follows
	files  map[string]*checkedFile
	broken *brokenFiles
}

// brokenFiles remembers for versions of files whether some of their lines cannot be read.
type brokenFiles struct {
	mu     sync.Mutex // guards what follows
	byPath map[string]brokenState
}

type brokenState struct {
	version  *model.Handle
	isBroken bool // some lines cannot be read
}

// checkedFile has the entries of one version of a file with their diagnostics.
type checkedFile struct {
	file    *model.File
	servers *model.Servers
	units   []checkedEntry
}

// checkedEntry is an entry of a file, with its place and its diagnostics.
type checkedEntry struct {
	entry  *syntax.Entry
	place  *entryPlace
	found  *[]model.Diagnostic // nil if there are none
	offset int
}

// entryPlace has everything that the diagnostics of an entry depend on, apart from its text. The
// entries of a section share one entryPlace.
type entryPlace struct {
	section string
	head    bool
	kind    model.FileKind
	auth    string
	servers *model.Servers
}

func (u checkedEntry) diagnostics() []model.Diagnostic {
	if u.found == nil {
		return nil
	}
	return *u.found
}

func (c *Cache) load(path string) *checkedFile {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.files[path]
}

func (c *Cache) store(v *checkedFile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil {
		c.files = map[string]*checkedFile{}
	}
	c.files[v.file.Path] = v
}

// brokenFiles returns the memory that the cache shares with all of its copies.
func (c *Cache) brokenFiles() *brokenFiles {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken == nil {
		c.broken = &brokenFiles{byPath: map[string]brokenState{}}
	}
	return c.broken
}

func (b *brokenFiles) load(version *model.Handle) (is, known bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := b.byPath[version.Path]
	return last.isBroken, last.version == version
}

func (b *brokenFiles) store(version *model.Handle, is bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.byPath[version.Path] = brokenState{version, is}
}

// dropMissing forgets the files that w does not have, if it remembers more than limit. A nil
// receiver does nothing.
func (b *brokenFiles) dropMissing(w model.Workspace, limit int) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.byPath) > limit {
		maps.DeleteFunc(b.byPath, func(path string, _ brokenState) bool { return w.Handle(path) == nil })
	}
}

// ForOneRun returns a cache for one run of many: it keeps nothing of the checked file, and shares
// the findings of imported files with the others.
func (c *Cache) ForOneRun() *Cache { return c.copyFor("") }

// copyFor returns a separate cache with the findings of one file.
func (c *Cache) copyFor(path string) *Cache {
	other := &Cache{OnPanic: c.OnPanic, broken: c.brokenFiles()}
	if last := c.load(path); last != nil {
		other.store(last)
	}
	return other
}

// dropMissing forgets the files that w does not have, once there may be as many of these as of
// others.
func (c *Cache) dropMissing(w model.Workspace) {
	c.mu.Lock()
	defer c.mu.Unlock()
	limit := 2*w.Len() + spareFiles
	if len(c.files) > limit {
		maps.DeleteFunc(c.files, func(path string, _ *checkedFile) bool { return w.Handle(path) == nil })
	}
	c.broken.dropMissing(w, limit)
}

// spareFiles is how many files are kept even if the workspace has fewer.
const spareFiles = 16

// checkEntries checks the entries of a file that its last version did not have.
func (r *run) checkEntries(f *model.File, servers *model.Servers) []checkedEntry {
	last := r.cache.load(f.Path)
	if last != nil && last.file == f && last.servers == servers {
		return last.units
	}
	if last == nil {
		last = &checkedFile{}
	}
	units := checkedEntriesOf(f, servers)
	added := reuseDiagnostics(units, last.units)
	if !r.checkSomeEntries(f, units, added) {
		return nil
	}
	r.cache.store(&checkedFile{f, servers, units})
	return units
}

// checkedEntriesOf returns the entries of a file without their diagnostics.
func checkedEntriesOf(f *model.File, servers *model.Servers) []checkedEntry {
	size := 0
	for _, s := range f.Doc.Sections() {
		size += 1 + len(s.Entries)
	}
	units := make([]checkedEntry, 0, size)
	auth := sharedAuth(f)
	for _, s := range f.Doc.Sections() {
		name, kind := s.Name(), f.SectionKind(s)
		units = append(units, checkedEntry{entry: s.Head.Entry, place: &entryPlace{section: name, head: true, kind: kind}, offset: s.Head.Offset})
		in := &entryPlace{section: name, kind: kind}
		if name == "TOOLS" {
			in.auth, in.servers = auth, servers
		}
		for _, e := range s.Entries {
			units = append(units, checkedEntry{entry: e.Entry, place: in, offset: e.Offset})
		}
	}
	return units
}

// reuseDiagnostics copies the diagnostics of entries from the last version, and returns the indices
// of the entries that it did not have.
func reuseDiagnostics(units, last []checkedEntry) (added []int) {
	same := samePlaceMemo{}
	begin, end := 0, len(units)
	for begin < min(end, len(last)) && same.sameUnit(&units[begin], &last[begin]) {
		units[begin].found = last[begin].found
		begin++
	}
	moved := len(last) - len(units)
	for end > begin && end+moved > begin && same.sameUnit(&units[end-1], &last[end-1+moved]) {
		end--
		units[end].found = last[end+moved].found
	}
	between := map[*syntax.Entry]*checkedEntry{}
	if begin < end {
		for i := begin; i < end+moved; i++ {
			between[last[i].entry] = &last[i]
		}
	}
	for i := begin; i < end; i++ {
		if known := between[units[i].entry]; known != nil && same.sameUnit(&units[i], known) {
			units[i].found = known.found
		} else {
			added = append(added, i)
		}
	}
	return added
}

// samePlaceMemo remembers the last two places that were compared, which the entries of one section
// share.
type samePlaceMemo struct {
	a, b *entryPlace
	same bool
}

func (s *samePlaceMemo) sameUnit(a, b *checkedEntry) bool {
	if a.entry != b.entry {
		return false
	}
	if s.a != a.place || s.b != b.place {
		s.a, s.b, s.same = a.place, b.place, *a.place == *b.place
	}
	return s.same
}

// checkSomeEntries checks those of units whose indices are in which, on all processors if there are
// many, and sets their diagnostics. It returns false if the run was stopped.
func (r *run) checkSomeEntries(f *model.File, units []checkedEntry, which []int) (ok bool) {
	const atOnce = 16 // small enough that all processors end together
	some := slices.Collect(slices.Chunk(which, atOnce))
	ask := func(i int) {
		for _, at := range some[i] {
			u := &units[at]
			if found := r.checkEntry(u.entryIn(f), r.checks); len(found) > 0 {
				u.found = &found
			}
		}
	}
	if len(some) == 1 {
		ask(0)
	} else {
		parallel.Each(r.ctx, len(some), ask)
	}
	return r.ctx.Err() == nil
}

// entryIn returns the entry as checks see it; f is the file that contains it.
func (u *checkedEntry) entryIn(f *model.File) Entry {
	return Entry{
		Kind: u.place.kind, Section: u.place.section, Head: u.place.head, Root: u.entry.Root(),
		Tools: f.DeclaredTools(u.entry), Auth: u.place.auth, Servers: u.place.servers,
	}
}

// isBroken reports whether a file has lines that cannot be read, so that one of them may declare a
// tool.
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
	return slices.ContainsFunc(checkedEntriesOf(f, nil), func(u checkedEntry) bool {
		return slices.ContainsFunc(r.checkEntry(u.entryIn(f), lineChecks()), isError)
	})
}

// sharedAuth returns the auth kind in the shared defaults of a file.
func sharedAuth(f *model.File) string {
	for _, d := range slices.Backward(f.Defaults) {
		if p := model.SharedDefault(d.Node); p.Name() == "auth" {
			return p.Text()
		}
	}
	return ""
}
