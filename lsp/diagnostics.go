package lsp

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/analysis"
)

// diagnostics keeps what the client shows up to date. One job at a time goes
// through the documents that are due, for the latest change.
//
// To a client that pulls nothing is pushed: it is told to pull again when a
// change has altered the diagnostics of another document.
type diagnostics struct {
	mu   sync.Mutex
	stop context.CancelFunc // of the job that runs
	due  []string           // paths, first come first served
	own  map[string]bool    // those of them that are due for a change of their own text alone
	jobs int                // that have not ended, stopped ones included
	more bool               // a job is wanted, and there are too many

	// sending is held while a report is compared with what the client has and
	// sent, so that an older job never overtakes a newer one.
	sending sync.Mutex
	client  map[string]report // what the client has, by path
	again   map[uri.URI]int   // how often it is still told of a document that it pulled, once that is closed
}

// report is the diagnostics of one version of a document.
type report struct {
	uri     uri.URI
	version int32
	id      string // of the content
	items   []protocol.Diagnostic
}

// diagnose looks at changed documents anew, at those that depend on them, and at others.
func (s *server) diagnose(changed []string, others ...string) {
	s.diagnosePaths(append(s.affected(s.session.load(), changed), others...), changed)
}

// affected are changed documents, those that import them or use names of theirs that have
// changed, and files of other systems: whether they are such may follow from who imports
// them.
func (s *server) affected(at *snapshot, changed []string) []string {
	paths := slices.Clone(changed)
	for _, path := range changed {
		paths = append(paths, at.workspace.Dependents(path)...)
	}
	paths = append(paths, at.documentsWith(analysis.IsForeign)...)
	return append(paths, s.renamed(at, changed)...)
}

// diagnoseAll looks at all documents anew.
func (s *server) diagnoseAll() {
	s.diagnosePaths(slices.Sorted(maps.Keys(s.session.load().documents)), nil)
}

// diagnosePaths starts a job. A client that pulls does so by itself for the
// changed documents.
func (s *server) diagnosePaths(paths, changed []string) {
	ctx, due, ok := s.diagnostics.next(s.ctx, paths, changed)
	if !ok {
		return
	}
	// Requests start jobs too. Only what is loaded from here on is no older
	// than what the job that was just stopped had.
	at := s.session.load()
	s.spawn("diagnostics", func(context.Context) {
		defer s.diagnoseRest()
		at := s.withNames(ctx, at, due...)
		stale, lenses, hints := false, at.countsReferences(), false
		for _, path := range due {
			own := s.diagnostics.isOwn(path)
			if at.client.pullDiagnostics {
				stale = s.staleDiagnostics(ctx, at, path, own) || stale
			} else {
				s.pushDiagnostics(ctx, at, path)
			}
			lenses = !own && s.staleLenses(ctx, at, path) || lenses
			hints = !own && s.staleHints(at, path) || hints
			s.diagnostics.done(ctx, path)
		}
		s.refresh(stale && at.client.refreshDiagnostics, protocol.MethodWorkspaceDiagnosticRefresh)
		s.refresh(lenses, protocol.MethodWorkspaceCodeLensRefresh)
		s.refresh(hints, protocol.MethodWorkspaceInlayHintRefresh)
	})
}

// maxJobs is how many jobs there may be that have not noticed yet that they are
// stopped, or wait for a client that does not read.
const maxJobs = 4

// diagnoseRest ends a job, and starts the one that had to wait for that.
func (s *server) diagnoseRest() {
	s.diagnostics.mu.Lock()
	s.diagnostics.jobs--
	more := s.diagnostics.more
	s.diagnostics.more = false
	s.diagnostics.mu.Unlock()
	if more {
		s.diagnosePaths(nil, nil)
	}
}

// next stops the job that runs and returns the context of the one after it and
// the paths that it goes through: the given ones, some of which were changed, and
// what was left to do. It is not ok where a job that goes on must end first.
func (d *diagnostics) next(ctx context.Context, paths, changed []string) (_ context.Context, due []string, ok bool) {
	ctx, stop := context.WithCancel(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stop != nil {
		d.stop()
	}
	d.stop = stop
	left, wasOwn := d.due, d.own
	d.due, d.own = nil, map[string]bool{}
	for _, path := range slices.Concat(paths, left) {
		if slices.Contains(d.due, path) {
			continue
		}
		d.due = append(d.due, path)
		d.own[path] = (slices.Contains(changed, path) || !slices.Contains(paths, path)) &&
			(wasOwn[path] || !slices.Contains(left, path))
	}
	if d.more = d.jobs == maxJobs; d.more {
		return ctx, nil, false
	}
	d.jobs++
	return ctx, slices.Clone(d.due), true
}

// isOwn reports whether a path is due for a change of its own text alone: what its
// lenses say then, the client asks for by itself.
func (d *diagnostics) isOwn(path string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.own[path]
}

// done notes that a path is no longer due, unless a newer job runs, for which
// it is.
func (d *diagnostics) done(ctx context.Context, path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ctx.Err() == nil {
		d.due = slices.DeleteFunc(d.due, func(p string) bool { return p == path })
	}
}

// pushDiagnostics sends the diagnostics of one document, none for one that is
// closed, unless the client has them.
func (s *server) pushDiagnostics(ctx context.Context, at *snapshot, path string) {
	var next report
	d, open := at.documents[path]
	if open {
		next = s.report(ctx, at, d)
	}
	s.diagnostics.sending.Lock()
	defer s.diagnostics.sending.Unlock()
	if ctx.Err() != nil {
		return
	}
	last := s.diagnostics.client[path]
	if !s.diagnostics.replace(path, next, open) {
		return
	}
	if last.uri != "" && last.uri != next.uri {
		s.publish(report{uri: last.uri})
	}
	if open {
		s.publish(next)
	}
}

// publish sends a report. One without items is that of a closed document, which
// has no version.
func (s *server) publish(r report) {
	params := &protocol.PublishDiagnosticsParams{URI: r.uri, Diagnostics: r.items}
	if r.items != nil {
		params.Version = protocol.NewOptional(r.version)
	}
	s.notify(protocol.MethodTextDocumentPublishDiagnostics, params)
}

// replace notes that the client gets a report, or none where the document is
// not open, and says whether that is news to it.
func (d *diagnostics) replace(path string, next report, open bool) bool {
	last, known := d.client[path]
	if !open {
		delete(d.client, path)
		return known
	}
	if d.client == nil {
		d.client = map[string]report{}
	}
	d.client[path] = next
	return !known || last.version != next.version || last.id != next.id || last.uri != next.uri
}

// pulled notes what the client is answered about a document.
func (d *diagnostics) pulled(path string, next report) {
	d.sending.Lock()
	defer d.sending.Unlock()
	d.replace(path, next, true)
	if d.again == nil {
		d.again = map[uri.URI]int{}
	}
	d.again[next.uri] = 2
}

// staleDiagnostics reports whether a change elsewhere has altered the
// diagnostics that the client has pulled.
func (s *server) staleDiagnostics(ctx context.Context, at *snapshot, path string, own bool) bool {
	d := at.documents[path]
	if d == nil {
		s.diagnostics.forget(path)
		return false
	}
	return !own && s.outdated(ctx, at, d)
}

// forget drops what the client had of a document that is closed.
func (d *diagnostics) forget(path string) {
	d.sending.Lock()
	defer d.sending.Unlock()
	delete(d.client, path)
}

func (s *server) outdated(ctx context.Context, at *snapshot, d *document) bool {
	next := s.report(ctx, at, d)
	s.diagnostics.sending.Lock()
	defer s.diagnostics.sending.Unlock()
	last, known := s.diagnostics.client[d.path]
	return ctx.Err() == nil && known && last.id != next.id
}

// documentDiagnostic answers a client that pulls. A document that is not open
// has no diagnostics.
func documentDiagnostic(ctx context.Context, s *server, at *snapshot, params *protocol.DocumentDiagnosticParams) (protocol.DocumentDiagnosticReport, error) {
	var full protocol.RelatedFullDocumentDiagnosticReport
	full.Kind = "full"
	d := at.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return &full, nil
	}
	at = s.withNames(ctx, at, d.path)
	next := s.report(ctx, at, d)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.diagnostics.pulled(d.path, next)
	if at.held != nil && s.session.load().held != at.held {
		// The hold has ended meanwhile, perhaps before this was noted.
		s.diagnosePaths([]string{d.path}, nil)
	}

	related, err := s.relatedReports(ctx, at, d)
	if err != nil {
		return nil, err
	}
	id := next.resultID()
	if orZero(params.PreviousResultID) == id {
		same := protocol.RelatedUnchangedDocumentDiagnosticReport{RelatedDocuments: related}
		same.Kind, same.ResultID = "unchanged", id
		return &same, nil
	}
	full.ResultID, full.Items, full.RelatedDocuments = &id, next.items, related
	return &full, nil
}

// reports are those of several documents.
type reports = map[uri.URI]protocol.FullDocumentDiagnosticReportOrUnchangedDocumentDiagnosticReport

// relatedReports are those of the open documents that depend on one, as far as
// they are not what the client has.
func (s *server) relatedReports(ctx context.Context, at *snapshot, d *document) (reports, error) {
	if !at.client.relatedDocuments {
		return nil, nil
	}
	var all reports
	for _, path := range at.workspace.Importers(d.path) {
		other := at.documents[path]
		if other == nil || !s.outdated(ctx, at, other) {
			continue
		}
		next := s.report(ctx, at, other)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.diagnostics.pulled(path, next)
		if all == nil {
			all = reports{}
		}
		all[other.uri] = &protocol.FullDocumentDiagnosticReport{Kind: "full", ResultID: new(next.resultID()), Items: next.items}
	}
	return all, ctx.Err()
}

// report is what is to be said of a document. Opened again it has another id: Neovim
// forgets what it showed of a file that it reads again, but asks with the id of that.
func (s *server) report(ctx context.Context, at *snapshot, d *document) report {
	items := at.diagnostics(d, at.held.filter(at, d, s.check(ctx, at, d.path)))
	id := fmt.Sprintf("%s-%d", idOf(items), d.opened)
	return report{uri: d.uri, version: d.version, id: id, items: items}
}

// resultID is what a client knows the report by. Each version of a text has another one:
// VS Code moves what it shows with the text, to a wrong line where a part of many lines is
// replaced, and what it then hears to be unchanged stays there.
func (r report) resultID() string {
	return fmt.Sprintf("%s-%d", r.id, r.version)
}

// idOf tells one content from another.
func idOf(content any) string {
	hash := fnv.New64a()
	raw, err := protocol.Marshal(content)
	if err != nil { // it cannot be sent either
		return err.Error()
	}
	hash.Write(raw)
	return fmt.Sprintf("%x", hash.Sum64())
}
