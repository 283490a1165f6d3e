package lsp

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
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
	mu      sync.Mutex
	stop    context.CancelFunc // of the job that runs
	changed []string           // paths; which documents are due for them is not known yet
	others  []string           // paths that are due without a change of their text
	due     []string           // paths, in the order in which they are looked at
	own     map[string]bool    // those of them that are due for a change of their own text alone
	jobs    int                // that have not ended, stopped ones included
	more    bool               // a job is wanted, and there are too many

	// scheduling is held while a job finds out what is due for the changes so far. So many
	// changes at once cost no more than a few.
	scheduling sync.Mutex

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
	ctx, ok := s.diagnostics.next(s.client.Context(), changed, others)
	if !ok {
		return
	}
	s.client.Go("diagnostics", func(context.Context) {
		defer s.diagnoseRest()
		// Requests start jobs too. Only what is loaded from here on is no older
		// than what the job that was just stopped had.
		s.schedule(ctx)
		s.diagnoseDue(ctx, s.session.load())
	})
}

// diagnoseAll looks at all documents anew.
func (s *server) diagnoseAll() {
	s.diagnose(nil, slices.Sorted(maps.Keys(s.session.load().documents))...)
}

// diagnoseDue goes through the documents that are due. A client that pulls does so by
// itself for the changed ones.
func (s *server) diagnoseDue(ctx context.Context, at *snapshot) {
	stale, lenses, hints := false, at.countsReferences(), false
	named := false
	for path, own := range s.diagnostics.all(ctx) {
		if at.documents[path] != nil && at.workspace.File(path).UsesWorkspace() {
			if !named { // what may have to be waited for
				at, named = s.withUnopened(ctx, at), true
			}
			at = at.completeNames(path)
		}
		if at.support.pullDiagnostics {
			stale = s.staleDiagnostics(ctx, at, path, own) || stale
		} else {
			s.pushDiagnostics(ctx, at, path)
		}
		lenses = !own && s.staleLenses(ctx, at, path) || lenses
		hints = !own && s.staleHints(at, path) || hints
	}
	s.client.refresh(stale && at.support.refreshDiagnostics, protocol.MethodWorkspaceDiagnosticRefresh)
	s.client.refresh(lenses, protocol.MethodWorkspaceCodeLensRefresh)
	s.client.refresh(hints, protocol.MethodWorkspaceInlayHintRefresh)
}

// schedule finds out which documents are due for the changes so far.
func (s *server) schedule(ctx context.Context) {
	d := &s.diagnostics
	d.scheduling.Lock()
	defer d.scheduling.Unlock()
	changed, others, ok := d.take(ctx)
	if !ok {
		return // the job that is wanted now does
	}
	d.add(changed, append(s.affected(s.session.load(), changed), others...))
}

// affected are the documents that may have to be told something else because others have
// changed: those that import them or use names of theirs that have changed, and files of
// other systems: whether they are such may follow from who imports them.
func (s *server) affected(at *snapshot, changed []string) (paths []string) {
	isChanged := set(changed)
	for path := range isChanged {
		paths = append(paths, at.workspace.Dependents(path)...)
	}
	if len(isChanged) == 0 {
		return nil
	}
	others := append(at.documentsWith(analysis.IsForeign), s.renamed(at, slices.Sorted(maps.Keys(isChanged)))...)
	if len(isChanged) == 1 { // which is not due because of itself
		others = slices.DeleteFunc(others, func(path string) bool { return isChanged[path] })
	}
	return append(paths, others...)
}

func set(values []string) map[string]bool {
	in := make(map[string]bool, len(values))
	for _, value := range values {
		in[value] = true
	}
	return in
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
		s.diagnose(nil)
	}
}

// next stops the job that runs, notes what has changed and what else is due, and returns the
// context of the next job. It is not ok where a job that goes on must end first.
func (d *diagnostics) next(ctx context.Context, changed, others []string) (_ context.Context, ok bool) {
	ctx, stop := context.WithCancel(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stop != nil {
		d.stop()
	}
	d.stop = stop
	d.changed, d.others = append(d.changed, changed...), append(d.others, others...)
	if d.more = d.jobs == maxJobs; d.more {
		return ctx, false
	}
	d.jobs++
	return ctx, true
}

// take returns what was noted since a job did so last. It is not ok for a job that is stopped.
func (d *diagnostics) take(ctx context.Context) (changed, others []string, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ctx.Err() != nil {
		return nil, nil, false
	}
	changed, others = d.changed, d.others
	d.changed, d.others = nil, nil
	return changed, others, true
}

// add makes paths due before all others: changed ones, the last one first, and then those
// that are due for another reason.
func (d *diagnostics) add(changed, others []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(changed)+len(others) == 0 {
		return
	}
	left, wasOwn := d.due, d.own
	isLeft, isOther := set(left), set(others)
	changed = slices.Clone(changed)
	slices.Reverse(changed)
	d.due, d.own = nil, map[string]bool{}
	added := map[string]bool{}
	for i, path := range slices.Concat(changed, others, left) {
		if added[path] {
			continue
		}
		added[path] = true
		d.due = append(d.due, path)
		d.own[path] = !isOther[path] && (wasOwn[path] || i < len(changed) && !isLeft[path])
	}
}

// all yields the paths that are due, one after the other, and whether they are due for a
// change of their own text alone: what their lenses say then, the client asks for by itself.
// A path stays due if a newer job is wanted before it was looked at.
func (d *diagnostics) all(ctx context.Context) iter.Seq2[string, bool] {
	return func(yield func(path string, own bool) bool) {
		for {
			path, own, ok := d.first(ctx)
			if !ok || !yield(path, own) {
				return
			}
			d.done(ctx)
		}
	}
}

func (d *diagnostics) first(ctx context.Context) (path string, own, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ctx.Err() != nil || len(d.due) == 0 {
		return "", false, false
	}
	return d.due[0], d.own[d.due[0]], true
}

// done notes that the first path is no longer due, unless a newer job is wanted, for which
// it is.
func (d *diagnostics) done(ctx context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ctx.Err() == nil {
		delete(d.own, d.due[0])
		d.due = d.due[1:]
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
	s.client.Notify(protocol.MethodTextDocumentPublishDiagnostics, params)
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
		s.diagnose(nil, d.path)
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
	if !at.support.relatedDocuments {
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
