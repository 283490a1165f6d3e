package lsp

import (
	"context"
	"maps"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/disk"
	"github.com/abl-lsp/abl-lsp/internal/parallel"
)

// workspaceDiagnostic answers a client that pulls the diagnostics of all files. If
// nothing has changed since the client's last request, the answer waits until something
// changes. A client that takes partial results gets the reports in parts, and then an
// empty answer.
func workspaceDiagnostic(ctx context.Context, s *server, _ *snapshot, params *protocol.WorkspaceDiagnosticParams) (*protocol.WorkspaceDiagnosticReport, error) {
	known := map[uri.URI]string{}
	for _, p := range params.PreviousResultIds {
		known[p.URI] = p.Value
	}
	for {
		changed := s.session.nextUpdate()
		out := &partialReports{client: s.client, token: params.PartialResultToken, items: emptyReports()}
		err := s.diagnostics.reportAll(ctx, s.session.load(), maps.Clone(known), out)
		if err != nil || out.hasNew || len(known) == 0 {
			return &protocol.WorkspaceDiagnosticReport{Items: out.finish()}, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// partialReports collects the reports of many files for one answer, and sends them in
// parts to a client that takes parts.
type partialReports struct {
	client *client
	token  protocol.ProgressToken // nil if the client takes no parts
	items  []protocol.WorkspaceDocumentDiagnosticReport
	hasNew bool // some report differs from the one that the client has
}

// reportsPerPart is how many reports make a part.
const reportsPerPart = 50

// emptyReports returns an empty list, which JSON shows as [] and not as null.
func emptyReports() []protocol.WorkspaceDocumentDiagnosticReport {
	return []protocol.WorkspaceDocumentDiagnosticReport{}
}

// addReport adds a report. isNew says that it differs from the one that the client has.
// Nothing is sent before the first new report.
func (p *partialReports) addReport(item protocol.WorkspaceDocumentDiagnosticReport, isNew bool) {
	p.items, p.hasNew = append(p.items, item), p.hasNew || isNew
	if p.token != nil && p.hasNew && len(p.items) >= reportsPerPart {
		p.sendPart()
	}
}

func (p *partialReports) sendPart() {
	(&progress{p.client, p.token}).send(&protocol.WorkspaceDiagnosticReportPartialResult{Items: p.items})
	p.items = emptyReports()
}

// finish sends the last part, if the client takes parts, and returns the reports for the
// answer itself.
func (p *partialReports) finish() []protocol.WorkspaceDocumentDiagnosticReport {
	if p.token != nil && len(p.items) > 0 {
		p.sendPart()
	}
	return p.items
}

// reportAll adds the reports of all files to out, and empty reports for files in known
// that do not have diagnostics any more. known has the ids of the reports that the client
// has, by URI; reportAll changes it.
func (p *publisher) reportAll(ctx context.Context, snap *snapshot, known map[uri.URI]string, out *partialReports) error {
	whole, err := p.files.withIndex(ctx, snap)
	if err != nil {
		return err
	}
	snap = p.files.withNames(ctx, snap, slices.Collect(maps.Keys(snap.documents))...)
	paths := slices.DeleteFunc(whole.workspace.Paths(), func(path string) bool { return !snap.isReported(whole, path) })
	own := *whole // with the files that the unopened files import
	own.workspace = disk.ReadAllImports(own.workspace, paths, snap.readFile)
	closed := p.sent.closedDocuments(p.session)
	for part := range slices.Chunk(paths, reportsPerPart) {
		reports := make([]report, len(part))
		parallel.Each(ctx, len(part), func(i int) { reports[i] = p.fileReport(ctx, snap, &own, part[i]) })
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, next := range reports {
			id, had := known[next.uri]
			delete(known, next.uri)
			again := closed[next.uri]
			delete(closed, next.uri)
			same := had && id == next.resultID() && !again
			out.addReport(next.toWorkspaceReport(snap.documents[part[i]] != nil, same), !same)
		}
	}
	for u := range closed {
		known[u] = ""
	}
	for _, gone := range slices.Sorted(maps.Keys(known)) {
		out.addReport(report{uri: gone, items: []protocol.Diagnostic{}}.toWorkspaceReport(false, false), true)
	}
	return nil
}

// closedDocuments returns the documents that the client has pulled and closed since. Each
// is returned in two calls: VS Code shows the diagnostics of a closed document until it
// gets others, and ignores an answer that arrives while it asks a last time.
func (r *sentReports) closedDocuments(s *session) map[uri.URI]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	open, all := s.load().documents, map[uri.URI]bool{}
	for u, times := range r.repeatsAfterClose {
		if open[pathOf(u)] != nil {
			continue
		}
		all[u] = true
		if r.repeatsAfterClose[u]--; times == 1 {
			delete(r.repeatsAfterClose, u)
		}
	}
	return all
}

// isReported reports whether diagnostics of the file at path are reported: it is open, or
// it is a file of the language below one of the folders.
func (snap *snapshot) isReported(whole *snapshot, path string) bool {
	if snap.documents[path] != nil {
		return true
	}
	isOurs := model.IsABL(path) || model.IsProjectFile(path)
	return isOurs && whole.workspace.Summary(path).Absent == model.Present && snap.folderOf(path) != ""
}

// fileReport checks a file and returns its report. For an open document it uses the same
// snapshot as a request for that document alone.
func (p *publisher) fileReport(ctx context.Context, snap, whole *snapshot, path string) report {
	if d := snap.documents[path]; d != nil {
		return p.documentReport(ctx, snap, d)
	}
	f := whole.workspace.File(path)
	d := &document{Document: f.Doc, uri: snap.uriOf(path), path: path}
	return newReport(whole, d, p.checkUnopened(ctx, whole, path))
}

// toWorkspaceReport converts the report for the answer to workspaceDiagnostic. If
// unchanged is true, the result has the report's id but no diagnostics. Only the report of
// an open document has a version.
func (r report) toWorkspaceReport(isOpen, unchanged bool) protocol.WorkspaceDocumentDiagnosticReport {
	var version *int32
	if isOpen {
		version = &r.version
	}
	if unchanged {
		out := &protocol.WorkspaceUnchangedDocumentDiagnosticReport{URI: r.uri, Version: version}
		out.Kind, out.ResultID = "unchanged", r.resultID()
		return out
	}
	out := &protocol.WorkspaceFullDocumentDiagnosticReport{URI: r.uri, Version: version}
	out.Kind, out.Items = "full", r.items
	if r.id != "" {
		out.ResultID = new(r.resultID())
	}
	return out
}
