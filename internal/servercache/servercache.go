// Package servercache keeps what servers have said of their tools, and databases of
// statements, by project, so that whoever edits knows it without asking.
//
// It promises never to fail: what cannot be read is not known, and what cannot be
// written is known until the process ends. Several processes may keep the same
// projects; of two that write at once the later one counts.
package servercache

import (
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Bounds of what is kept of one server.
const (
	maxTools = 1000
	maxBytes = 2 << 20 // of its tools, and again of those accepted
)

// Store is what is known. It is safe for concurrent use.
type Store struct {
	folder folder
	now    func() time.Time

	mu                sync.Mutex
	projects          map[string]*project
	verdictsByProject map[string]map[string]model.Verdict // by project, and by statement
	unsaved           map[string]bool                     // projects whose verdicts could not be written
	written           map[string]fs.FileInfo              // the files of verdicts as this process wrote them last
	watchers          []*func(root string)
}

// project is what the servers of one project have said, by name.
type project struct {
	listings map[string]model.ServerListing
	unsaved  map[string]bool // could not be written, so that the folder knows less
}

// New makes a Store that keeps things below a folder; "" for one that forgets them
// with the process. The clock says when a server has spoken.
func New(dir string, clock func() time.Time) *Store {
	return &Store{
		folder: folder(dir), now: clock, projects: map[string]*project{},
		verdictsByProject: map[string]map[string]model.Verdict{}, unsaved: map[string]bool{}, written: map[string]fs.FileInfo{},
	}
}

// Watch calls f, until stop is called, whenever a server of the project at root has
// said something, or somebody has accepted it.
func (s *Store) Watch(f func(root string)) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchers = append(s.watchers, &f)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.watchers = slices.DeleteFunc(s.watchers, func(w *func(string)) bool { return w == &f })
	}
}

// AddDiscovery notes what a server says. What it says of a tool for the first time counts
// as accepted.
func (s *Store) AddDiscovery(d executor.Discovery) {
	tools, more := limitTools(d.Tools)
	now := s.now().UTC().Truncate(time.Second)
	s.updateServer(d.Root, d.Server, func(listing *model.ServerListing) bool {
		again := now.Sub(listing.ListedAt) < time.Minute && listing.Digest() == model.ServerListing{Tools: tools}.Digest()
		if again {
			return false // and nobody need hear of it
		}
		listing.ListedAt, listing.Tools, listing.More = now, tools, more || d.More
		for _, t := range tools {
			if !slices.ContainsFunc(listing.Accepted, func(a tool.ServerTool) bool { return a.Name == t.Name }) {
				listing.Accepted = append(listing.Accepted, t)
			}
		}
		listing.Accepted, _ = limitTools(listing.Accepted)
		return true
	})
}

// Accept notes that somebody accepts what a server says. It is false where that is
// no longer what it says.
func (s *Store) Accept(a model.Acceptance) bool {
	return s.updateServer(a.Root, a.Server, func(listing *model.ServerListing) bool {
		if listing.Digest() != a.Digest {
			return false
		}
		listing.Accepted = slices.Clone(listing.Tools)
		return true
	})
}

// Listings is what the servers of a project have said, by name. The map is shared: do not
// change it.
func (s *Store) Listings(root string) map[string]model.ServerListing {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loadProject(root).listings
}

// Extend is the workspace that knows what the servers and the databases of the projects
// of some files have said, as far as it knows nothing of these projects yet.
func (s *Store) Extend(w model.Workspace, paths ...string) model.Workspace {
	if s == nil {
		return w
	}
	for _, path := range paths {
		if root := model.ProjectRoot(w, path); root != "" && model.ServersAt(w, root) == nil {
			w = w.WithServers(root, s.Listings(root))
		}
		if root := model.StatementRoot(w, path); root != "" && w.VerdictsAt(root) == nil {
			w = w.WithVerdicts(root, s.Verdicts(root))
		}
	}
	return w
}

// Refresh is the workspace that knows what those of its projects say now, since
// another process may have heard more.
func (s *Store) Refresh(w model.Workspace) model.Workspace {
	for _, root := range model.ServerRoots(w) {
		if listings := s.Listings(root); !model.ServersAt(w, root).Match(listings) {
			w = w.WithServers(root, listings)
		}
	}
	for _, root := range model.StatementRoots(w) {
		if verdicts := s.Verdicts(root); !maps.Equal(w.VerdictsAt(root), verdicts) {
			w = w.WithVerdicts(root, verdicts)
		}
	}
	return w
}

// updateServer changes what is known of a server, if change says so, and tells who
// watches.
func (s *Store) updateServer(root, server string, change func(*model.ServerListing) bool) bool {
	s.mu.Lock()
	p := s.loadProject(root)
	listing := p.listings[server]
	listing.Accepted = slices.Clone(listing.Accepted)
	changed := change(&listing)
	if changed {
		p.listings = maps.Clone(p.listings)
		p.listings[server] = listing
		p.unsaved[server] = s.folder.writeServer(root, server, listing) != nil
	}
	watchers := slices.Clone(s.watchers)
	s.mu.Unlock()
	if changed {
		for _, f := range watchers {
			(*f)(root)
		}
	}
	return changed
}

// loadProject is what is known now: another process may have written.
func (s *Store) loadProject(root string) *project {
	p := s.projects[root]
	if p == nil {
		p = &project{listings: map[string]model.ServerListing{}, unsaved: map[string]bool{}}
		s.projects[root] = p
	}
	p.listings = maps.Clone(p.listings)
	for server, listing := range s.folder.readServers(root) {
		if !p.unsaved[server] {
			p.listings[server] = listing
		}
	}
	return p
}

// limitTools are as many tools as are kept; more says that there are others.
func limitTools(tools []tool.ServerTool) (kept []tool.ServerTool, more bool) {
	size := 0
	for i, t := range tools {
		size += len(t.Name) + len(t.Title) + len(t.Description) + len(t.InputSchema) + len(t.OutputSchema)
		if size > maxBytes || i == maxTools {
			return slices.Clip(tools[:i]), true
		}
	}
	return slices.Clip(tools), false
}
