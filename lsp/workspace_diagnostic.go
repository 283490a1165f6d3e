package lsp

import (
	"context"
	"maps"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis"
	"github.com/abl-lsp/abl-lsp/internal/disk"
)

// workspaceDiagnostic answers a client that pulls the diagnostics of all files,
// opened or not. Where nothing is news to it, the answer waits until something
// changes, so that a client that asks again and again costs nothing.
func workspaceDiagnostic(ctx context.Context, s *server, _ *snapshot, params *protocol.WorkspaceDiagnosticParams) (*protocol.WorkspaceDiagnosticReport, error) {
	known := map[uri.URI]string{}
	for _, p := range params.PreviousResultIds {
		known[p.URI] = p.Value
	}
	for {
		changed := s.session.next()
		items, news, err := s.reportAll(ctx, s.session.load(), maps.Clone(known))
		if err != nil || news || len(known) == 0 {
			return &protocol.WorkspaceDiagnosticReport{Items: items}, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// reportAll are the reports of all files, and whether one of them is news to a
// client that knows reports by their ids.
func (s *server) reportAll(ctx context.Context, at *snapshot, known map[uri.URI]string) (items []protocol.WorkspaceDocumentDiagnosticReport, news bool, err error) {
	whole, err := s.widened(ctx, at)
	if err != nil {
		return nil, false, err
	}
	own := *whole // to which is added what the unopened files import
	whole = &own
	items = []protocol.WorkspaceDocumentDiagnosticReport{}
	for _, path := range whole.workspace.Paths() {
		d, in := at.looked(whole, path)
		if d == nil {
			continue
		}
		next := s.report(ctx, in, d)
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		id, had := known[next.uri]
		delete(known, next.uri)
		news = news || !had || id != next.id
		items = append(items, next.inWorkspace(at.documents[path] != nil, had && id == next.id))
	}
	for _, gone := range slices.Sorted(maps.Keys(known)) {
		news = true
		items = append(items, report{uri: gone, items: []protocol.Diagnostic{}}.inWorkspace(false, false))
	}
	return items, news, nil
}

// looked is a file to look at, and the snapshot to do so with: an open one is
// looked at as when it is asked for alone; of another, what it imports is read
// into whole.
func (at *snapshot) looked(whole *snapshot, path string) (*document, *snapshot) {
	if d := at.documents[path]; d != nil {
		return d, at
	}
	below := func(folder string) bool { return within(folder, path) }
	f := whole.workspace.File(path)
	if f.Doc == nil || !analysis.IsABL(path) && !analysis.IsProject(path) || !slices.ContainsFunc(at.folders, below) {
		return nil, nil
	}
	whole.workspace = disk.Complete(whole.workspace, path, at.read)
	return &document{Document: f.Doc, uri: at.uriOf(path), path: path}, whole
}

// inWorkspace is a report as one of many.
func (r report) inWorkspace(open, same bool) protocol.WorkspaceDocumentDiagnosticReport {
	var version *int32
	if open {
		version = &r.version
	}
	if same {
		out := &protocol.WorkspaceUnchangedDocumentDiagnosticReport{URI: r.uri, Version: version}
		out.Kind, out.ResultID = "unchanged", r.id
		return out
	}
	out := &protocol.WorkspaceFullDocumentDiagnosticReport{URI: r.uri, Version: version}
	out.Kind, out.Items = "full", r.items
	if r.id != "" {
		out.ResultID = &r.id
	}
	return out
}
