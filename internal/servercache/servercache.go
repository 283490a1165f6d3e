// Package servercache stores the tools that servers list, and the verdicts of databases
// on statements, by project. So an editor or a check has them without asking the servers.
//
// It never fails: what cannot be read is not known, and what cannot be written is known
// until the process ends. Several processes may store the same projects; of two that
// write at the same time the later one wins.
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

// Limits of what is stored of one server.
const (
	maxTools = 1000
	maxBytes = 2 << 20 // of its tools, and again of the accepted ones
)

// Store holds what is known of the servers and databases of all projects. It is safe for
// concurrent use.
type Store struct {
	folder folder
	now    func() time.Time

	mu                sync.Mutex
	projects          map[string]*project
	verdictsByProject map[string]map[string]model.Verdict // by project, and by statement
	unsaved           map[string]bool                     // projects whose verdicts could not be written
	written           map[string]fs.FileInfo              // the files of verdicts as this process last wrote them
	watchers          []*func(root string)
}

// project holds the listings of the servers of one project, by name.
type project struct {
	listings map[string]model.ServerListing
	unsaved  map[string]bool // the listing could not be written, so the one in the folder is older
}

// New returns a Store that keeps its files below dir, or only in memory if dir is "".
// clock returns the current time, with which the Store stamps each listing and verdict.
func New(dir string, clock func() time.Time) *Store {
	return &Store{
		folder: folder(dir), now: clock, projects: map[string]*project{},
		verdictsByProject: map[string]map[string]model.Verdict{}, unsaved: map[string]bool{}, written: map[string]fs.FileInfo{},
	}
}

// Watch calls f with the root of a project whenever a listing of that project has changed
// or was accepted, or a verdict of it has changed. It does so until the caller calls stop.
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

// AddDiscovery stores the tools that a server lists. A tool that the server lists for the
// first time counts as accepted.
func (s *Store) AddDiscovery(d executor.Discovery) {
	tools, more := limitTools(d.Tools)
	now := s.now().UTC().Truncate(time.Second)
	s.updateServer(d.Root, d.Server, func(listing *model.ServerListing) bool {
		again := now.Sub(listing.ListedAt) < time.Minute && listing.Info == d.Info && listing.Digest() == model.ServerListing{Tools: tools}.Digest()
		if again {
			return false // watchers are not called
		}
		listing.ListedAt, listing.Info, listing.Tools, listing.More = now, d.Info, tools, more || d.More
		for _, t := range tools {
			if !slices.ContainsFunc(listing.Accepted, func(a tool.ServerTool) bool { return a.Name == t.Name }) {
				listing.Accepted = append(listing.Accepted, t)
			}
		}
		listing.Accepted, _ = limitTools(listing.Accepted)
		return true
	})
}

// Accept records that a person accepts the tools that a server lists; a.Digest says which
// tools. It returns false and records nothing if the server lists other tools now.
func (s *Store) Accept(a model.Acceptance) bool {
	return s.updateServer(a.Root, a.Server, func(listing *model.ServerListing) bool {
		if listing.Digest() != a.Digest {
			return false
		}
		listing.Accepted = slices.Clone(listing.Tools)
		return true
	})
}

// Listings returns the listings of the servers of a project, by name. The map is shared:
// do not change it.
func (s *Store) Listings(root string) map[string]model.ServerListing {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loadProject(root).listings
}

// Extend returns the workspace with the listings and verdicts of the projects of the files
// at paths. What the workspace has already stays as it is, and a nil Store returns the
// workspace unchanged.
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

// Refresh returns the workspace with the latest listings and verdicts of its projects,
// since another process may have stored newer ones.
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

// updateServer calls change with the listing of a server. If change returns true, it
// stores the changed listing and then calls the watchers. It returns what change returned.
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

// loadProject returns the project with the listings in its folder, since another process
// may have written. The caller holds mu.
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

// limitTools returns the first tools, as many as may be stored. more reports whether it
// has left out others.
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
