package lsp

import (
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// What is kept of each folder between sessions.
const (
	keptTrust  = "trust"  // true or false
	keptGrants = "grants" // the secrets that may be sent
)

// restore takes what the person said of the folders in earlier sessions,
// where the client says nothing. All must be trusted for the session to be.
func (t *trust) restore() {
	at := t.session.load()
	if at.settings.Trusted != nil || len(at.folders) == 0 {
		return
	}
	all := true
	for _, folder := range at.folders {
		var trusted bool
		ok, err := t.opts.State.Get(keptTrust, folder, &trusted)
		switch {
		case err != nil:
			t.client.warn("what is trusted is not known: %v", err)
			return
		case !ok:
			return
		}
		all = all && trusted
	}
	t.session.update(func(next *snapshot) {
		next.settings.Trusted, next.trustAnswered = &all, true
		t.session.files.forgetAll(next)
	})
}

// store remembers what the person said of some folders.
func (t *trust) store(folders []string, trusted bool) {
	for _, folder := range folders {
		if err := t.opts.State.Put(keptTrust, folder, trusted); err != nil {
			t.client.warn("whether this workspace is trusted is not remembered: %v", err)
		}
	}
}

// grants are the secrets of which the person has said where they may go, by
// folder. They are remembered until the trust is taken back.
type grants struct {
	mu       sync.Mutex
	byFolder map[string][]tool.Permission // of the folders that were asked about
}

// withGrants returns the grants of a call with those of earlier ones that stay.
func (t *trust) withGrants(req executor.Request) []tool.Permission {
	folder := t.session.load().folderOf(req.Environment.Root, req.Tool.Origin.File)
	kept := folder != ""
	if !kept { // the file lies in none: what is said of it is of its project, in this session
		folder = req.Environment.Root
	}
	t.grants.mu.Lock()
	defer t.grants.mu.Unlock()
	known := t.knownGrants(folder, kept)
	all := known
	for _, p := range req.Grants {
		if req.Trusted && p.Kind == "secret" && !slices.Contains(all, p) {
			all = append(slices.Clip(all), p)
		}
	}
	if len(all) > len(known) {
		t.grants.byFolder[folder] = all
		if kept {
			t.storeGrants(folder, all)
		}
	}
	return slices.Concat(req.Grants, all)
}

// knownGrants are those of a folder, read when it is first asked about if they are
// kept.
func (t *trust) knownGrants(folder string, kept bool) []tool.Permission {
	g := &t.grants
	if known, ok := g.byFolder[folder]; ok {
		return known
	}
	var known []tool.Permission
	if kept {
		if _, err := t.opts.State.Get(keptGrants, folder, &known); err != nil {
			t.client.warn("which secrets may be sent is not known: %v", err)
		}
	}
	if g.byFolder == nil {
		g.byFolder = map[string][]tool.Permission{}
	}
	g.byFolder[folder] = known
	return known
}

func (t *trust) storeGrants(folder string, all []tool.Permission) {
	if err := t.opts.State.Put(keptGrants, folder, all); err != nil {
		t.client.warn("which secrets may be sent is not remembered: %v", err)
	}
}

func (t *trust) forgetGrants() {
	g := &t.grants
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byFolder = nil
	for _, folder := range t.session.load().folders {
		if err := t.opts.State.Delete(keptGrants, folder); err != nil {
			t.client.warn("which secrets may be sent is still remembered: %v", err)
		}
	}
}

// folderOf is the folder of the session that the first of some paths lies in
// that lies in one; "" where none does.
func (at *snapshot) folderOf(paths ...string) string {
	for _, path := range paths {
		if folder := innermost(at.folders, path); folder != "" {
			return folder
		}
	}
	return ""
}

// innermost is the folder that a path lies in and that lies in no other such one; ""
// where it lies in none.
func innermost(folders []string, path string) string {
	longest := ""
	for _, folder := range folders {
		if path != "" && within(folder, path) && len(folder) > len(longest) {
			longest = folder
		}
	}
	return longest
}
