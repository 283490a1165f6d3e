package lsp

import (
	"context"
	"sync"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// index is what the files below the workspace's folders say, as the disk had
// them when somebody last asked. It costs nothing until then.
type index struct {
	mu        sync.Mutex
	stamps    map[string]stamp
	workspace analysis.Workspace
}

// maxIndexed is how many files of the folders are read.
const maxIndexed = 10_000

// widened is the snapshot that also knows the files below the folders that
// nobody has opened.
func (x *index) widened(ctx context.Context, at *snapshot) (*snapshot, error) {
	next := *at
	if len(at.folders) > 0 {
		known, err := x.refresh(ctx, at)
		if err != nil {
			return nil, err
		}
		next.workspace = next.workspace.Beside(known)
	}
	cases := map[string]*syntax.Document{}
	for path, d := range at.documents {
		if analysis.IsCases(path) {
			cases[path] = d.Document
		}
	}
	next.workspace = next.workspace.WithAll(cases)
	return &next, nil
}

// refresh reads what is new or has changed, and forgets what is gone.
func (x *index) refresh(ctx context.Context, at *snapshot) (analysis.Workspace, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	there, changed := map[string]stamp{}, map[string]*syntax.Document{}
	for _, path := range x.list(at) {
		if err := ctx.Err(); err != nil {
			return analysis.Workspace{}, err
		}
		now := stampOf(path)
		if then, known := x.stamps[path]; known && then == now {
			there[path] = now
			continue
		}
		if text, absent := disk.Read(path); absent == analysis.Present {
			there[path], changed[path] = now, syntax.Parse(text)
		}
	}
	for path := range x.stamps {
		if _, still := there[path]; !still {
			x.workspace = x.workspace.Without(path)
		}
	}
	x.stamps, x.workspace = there, x.workspace.WithAll(changed)
	return x.workspace, nil
}

// list are the files of the folders that are looked at. What cannot be listed is
// not there.
func (x *index) list(at *snapshot) []string {
	var paths []string
	for _, folder := range at.folders {
		found, _ := disk.Walk(folder, func(path string) bool {
			return at.documents[path] == nil && (analysis.IsABL(path) || analysis.IsProject(path) || analysis.IsCases(path))
		})
		paths = append(paths, found...)
	}
	return paths[:min(len(paths), maxIndexed)]
}
