package lsp

import (
	"context"
	"slices"
	"sync"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Keys of the values that are stored for each folder between sessions.
const (
	trustKey  = "trust"  // true or false
	grantsKey = "grants" // the secrets that may be sent
)

// restoreStored applies the trust that was stored in earlier sessions, unless the
// client's settings decide it. The session is trusted if all its folders are.
func (t *trust) restoreStored(ctx context.Context) {
	snap := t.session.load()
	if snap.settings.Trusted != nil || len(snap.folders) == 0 {
		return
	}
	all := true
	for _, folder := range snap.folders {
		var trusted bool
		ok, err := t.opts.State.Get(ctx, trustKey, folder, &trusted)
		switch {
		case err != nil:
			t.client.logWarning("what is trusted is not known: %v", err)
			return
		case !ok:
			return
		}
		all = all && trusted
	}
	t.session.update(func(next *snapshot) {
		next.settings.Trusted, next.trustAnswered = &all, true
		t.session.imported.forgetAll(next)
	})
}

// storeTrust stores for later sessions whether some folders are trusted.
func (t *trust) storeTrust(ctx context.Context, folders []string, trusted bool) {
	for _, folder := range folders {
		if err := t.opts.State.Put(ctx, trustKey, folder, trusted, state.Forever); err != nil {
			t.client.logWarning("whether this workspace is trusted is not remembered: %v", err)
		}
	}
}

// grants are the permissions to send secrets, by folder. They are stored until the person
// withdraws the trust.
type grants struct {
	mu       sync.Mutex                   // guards byFolder
	byFolder map[string][]tool.Permission // of the folders whose grants have been read
}

// withGrants returns the grants of a call together with those that earlier calls in the
// same folder got for secrets. If the call is trusted, its own grants for secrets are
// added to these.
func (t *trust) withGrants(ctx context.Context, req executor.Request) []tool.Permission {
	folder := t.session.load().folderOf(req.Environment.Root, req.Tool.Origin.File)
	isStored := folder != ""
	if !isStored { // no folder contains the file: its grants belong to its project and last for this session
		folder = req.Environment.Root
	}
	t.grants.mu.Lock()
	defer t.grants.mu.Unlock()
	known := t.knownGrants(ctx, folder, isStored)
	all := known
	for _, p := range req.Grants {
		if req.Trusted && p.Kind == "secret" && !slices.Contains(all, p) {
			all = append(slices.Clip(all), p)
		}
	}
	if len(all) > len(known) {
		t.grants.byFolder[folder] = all
		if isStored {
			t.storeGrants(ctx, folder, all)
		}
	}
	return slices.Concat(req.Grants, all)
}

// knownGrants returns the grants of a folder. If isStored is true, the first call reads
// those of earlier sessions. The caller holds the lock of the grants.
func (t *trust) knownGrants(ctx context.Context, folder string, isStored bool) []tool.Permission {
	g := &t.grants
	if known, ok := g.byFolder[folder]; ok {
		return known
	}
	var known []tool.Permission
	if isStored {
		if _, err := t.opts.State.Get(ctx, grantsKey, folder, &known); err != nil {
			t.client.logWarning("which secrets may be sent is not known: %v", err)
		}
	}
	if g.byFolder == nil {
		g.byFolder = map[string][]tool.Permission{}
	}
	g.byFolder[folder] = known
	return known
}

// storeGrants stores the grants of a folder for later sessions.
func (t *trust) storeGrants(ctx context.Context, folder string, all []tool.Permission) {
	if err := t.opts.State.Put(ctx, grantsKey, folder, all, state.Forever); err != nil {
		t.client.logWarning("which secrets may be sent is not remembered: %v", err)
	}
}

// forgetGrants forgets all grants and deletes the stored ones of the session's folders.
func (t *trust) forgetGrants(ctx context.Context) {
	g := &t.grants
	g.mu.Lock()
	defer g.mu.Unlock()
	g.byFolder = nil
	for _, folder := range t.session.load().folders {
		if err := t.opts.State.Delete(ctx, grantsKey, folder); err != nil {
			t.client.logWarning("which secrets may be sent is still remembered: %v", err)
		}
	}
}
