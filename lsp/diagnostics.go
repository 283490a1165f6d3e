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

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/parallel"
)

// publisher keeps the diagnostics, lenses and hints that the client shows up to date.
// One job at a time goes through the documents that are due, for the latest change.
//
// It pushes nothing to a client that pulls, but asks it to pull again when a change
// alters the diagnostics of another document.
type publisher struct {
	*checker
	client  *client
	session *session
	files   *workspaceFiles

	queue      diagnosticsQueue
	sent       sentReports
	lenses     sentIDs
	hints      sentIDs
	delayTimer typingDelayTimer
}

// diagnosticsQueue holds the documents that are due.
type diagnosticsQueue struct {
	mu            sync.Mutex         // guards what follows
	stop          context.CancelFunc // of the job that runs
	changed       []string           // paths whose dependents are not known yet
	others        []string           // paths that are due for another reason
	due           []string           // paths in the order in which they are checked
	ownChangeOnly map[string]bool    // those that are due only for a change of their own text
	jobs          int                // how many jobs run, stopped ones included
	startAnother  bool               // a job must start when one of too many ends

	// scheduling is held while a job finds out what is due for the changes so far, so that
	// many changes at once cost no more than a few.
	scheduling sync.Mutex
}

// sentReports are the reports that the client has.
type sentReports struct {
	// mu guards what follows. It is held while a report is compared with what the
	// client has and sent, so that an older job never overtakes a newer one.
	mu                sync.Mutex
	byPath            map[string]report
	repeatsAfterClose map[uri.URI]int // how often a document that the client pulled is reported after it is closed
}

// report is the diagnostics of one version of a document.
type report struct {
	uri     uri.URI
	version int32
	id      string // of the content
	items   []protocol.Diagnostic
}

// diagnose starts a job that checks changed documents, the documents that depend on them, and
// others.
func (p *publisher) diagnose(changed []string, others ...string) {
	ctx, ok := p.queue.nextJob(p.client.Context(), changed, others)
	if !ok {
		return
	}
	p.client.Go("diagnostics", func(context.Context) {
		defer p.endJob()
		// Requests start jobs too. Only what is loaded from here on is no older
		// than what the job that was just stopped had.
		p.schedule(ctx)
		p.diagnoseDue(ctx, p.session.load())
	})
}

// diagnoseAll starts a job that checks all documents.
func (p *publisher) diagnoseAll() {
	p.diagnose(nil, slices.Sorted(maps.Keys(p.session.load().documents))...)
}

// diagnoseDue checks the documents that are due, several at once, and sends what was found in
// the order in which they are due. A client that pulls asks by itself for the changed ones.
func (p *publisher) diagnoseDue(ctx context.Context, snap *snapshot) {
	lenses := countsReferences(snap)
	stale, hints := false, false
	named := false
	for batch := range p.queue.dueDocuments(ctx) {
		checked := make([]checkedDocument, len(batch))
		for i, due := range batch {
			if snap.workspace.Summary(due.path).UsesWorkspace() && snap.documents[due.path] != nil {
				if !named { // what may have to be waited for
					snap, named = p.files.withUnopenedNames(ctx, snap), true
				}
				snap = snap.withNamedFiles(due.path)
			}
			checked[i].snap = snap
		}
		parallel.Each(ctx, len(batch), func(i int) { p.checkDue(ctx, &checked[i], batch[i]) })
		for i := range checked {
			p.sendChecked(ctx, &checked[i], batch[i].path)
			stale, lenses, hints = stale || checked[i].staleDiagnostics, lenses || checked[i].staleLenses, hints || checked[i].staleHints
		}
	}
	p.client.refresh(stale && snap.capabilities.Workspace.Diagnostics.RefreshSupport, protocol.MethodWorkspaceDiagnosticRefresh)
	p.client.refresh(lenses, protocol.MethodWorkspaceCodeLensRefresh)
	p.client.refresh(hints, protocol.MethodWorkspaceInlayHintRefresh)
}

// checkedDocument is what was found about a document that was due.
type checkedDocument struct {
	snap                                      *snapshot
	report                                    report // for a client that does not pull
	staleDiagnostics, staleLenses, staleHints bool   // the client has others than it would get now
}

// checkDue checks a document that is due. A closed one has nothing to be checked.
func (p *publisher) checkDue(ctx context.Context, c *checkedDocument, due dueDocument) {
	d, pulls := c.snap.documents[due.path], c.snap.capabilities.pullsDiagnostics()
	if d == nil {
		return
	}
	if !pulls {
		p.pushSyntaxErrors(ctx, c.snap, d)
		c.report = p.documentReport(ctx, c.snap, d)
	}
	if !due.ownChangeOnly {
		c.staleDiagnostics = pulls && p.isOutdated(ctx, c.snap, d)
		c.staleLenses = p.staleLenses(ctx, c.snap, d)
		c.staleHints = p.staleHints(c.snap, d)
	}
}

// sendChecked sends what was found about a document, or takes it back if it is closed.
func (p *publisher) sendChecked(ctx context.Context, c *checkedDocument, path string) {
	switch {
	case c.snap.documents[path] == nil:
		p.forgetClosed(ctx, c.snap, path)
	case !c.snap.capabilities.pullsDiagnostics():
		p.sendIfNew(ctx, path, c.report, true)
	}
}

// schedule finds out which documents are due for the changes so far.
func (p *publisher) schedule(ctx context.Context) {
	p.queue.scheduling.Lock()
	defer p.queue.scheduling.Unlock()
	changed, others, ok := p.queue.drainChanges(ctx)
	if !ok {
		return // the job that is wanted now does
	}
	p.queue.addDue(changed, append(p.affectedDocuments(p.session.load(), changed), others...))
}

// affectedDocuments returns the documents whose diagnostics may change because others have changed:
// those that import them, those that use names that have changed, and files of other
// systems, whose kind may depend on who imports them.
func (p *publisher) affectedDocuments(snap *snapshot, changed []string) (paths []string) {
	isChanged := setOf(changed)
	if len(isChanged) == 0 {
		return nil
	}
	for path := range isChanged {
		paths = append(paths, snap.workspace.Dependents(path)...)
	}
	names := p.files.changedNames(snap, slices.Sorted(maps.Keys(isChanged)))
	return append(paths, snap.documentsWith(func(path string) bool {
		isOnlyOne := len(isChanged) == 1 && isChanged[path] // which is not due because of itself
		return !isOnlyOne && (model.IsForeign(path) || len(names) > 0 && model.DependsOnNames(snap.workspace, path, names))
	})...)
}

func setOf(values []string) map[string]bool {
	in := make(map[string]bool, len(values))
	for _, value := range values {
		in[value] = true
	}
	return in
}

// maxJobs is how many jobs may run at once: stopped ones that have not noticed it, and
// those that wait for a client that does not read.
const maxJobs = 4

// endJob ends a job, and starts the one that waits for its end.
func (p *publisher) endJob() {
	p.queue.mu.Lock()
	p.queue.jobs--
	more := p.queue.startAnother
	p.queue.startAnother = false
	p.queue.mu.Unlock()
	if more {
		p.diagnose(nil)
	}
}

// nextJob stops the current job, adds changed and other paths, and returns the context of the
// next job. It is not ok if too many jobs run.
func (q *diagnosticsQueue) nextJob(ctx context.Context, changed, others []string) (_ context.Context, ok bool) {
	ctx, stop := context.WithCancel(ctx)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stop != nil {
		q.stop()
	}
	q.stop = stop
	q.changed, q.others = append(q.changed, changed...), append(q.others, others...)
	if q.startAnother = q.jobs == maxJobs; q.startAnother {
		return ctx, false
	}
	q.jobs++
	return ctx, true
}

// drainChanges returns the paths that were added since the last call. It is not ok for a job
// that is stopped.
func (q *diagnosticsQueue) drainChanges(ctx context.Context) (changed, others []string, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if ctx.Err() != nil {
		return nil, nil, false
	}
	changed, others = q.changed, q.others
	q.changed, q.others = nil, nil
	return changed, others, true
}

// addDue puts paths before all others that are due: changed ones, the last one first, and
// then those that are due for another reason.
func (q *diagnosticsQueue) addDue(changed, others []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(changed)+len(others) == 0 {
		return
	}
	left, wasOwn := q.due, q.ownChangeOnly
	isLeft, isOther := setOf(left), setOf(others)
	changed = slices.Clone(changed)
	slices.Reverse(changed)
	q.due, q.ownChangeOnly = nil, map[string]bool{}
	added := map[string]bool{}
	for i, path := range slices.Concat(changed, others, left) {
		if added[path] {
			continue
		}
		added[path] = true
		q.due = append(q.due, path)
		q.ownChangeOnly[path] = !isOther[path] && (wasOwn[path] || i < len(changed) && !isLeft[path])
	}
}

// dueDocument is a document that is due.
type dueDocument struct {
	path          string
	ownChangeOnly bool // only for a change of its own text: the client asks by itself for the lenses after that
}

// dueBatchSize is how many documents are checked before the reports of the first of them are
// sent. The one that was edited last does not wait for others.
const dueBatchSize = 8

// dueDocuments yields the documents that are due: the first one, and then several at once. They
// stay due if a newer job starts before they were checked.
func (q *diagnosticsQueue) dueDocuments(ctx context.Context) iter.Seq[[]dueDocument] {
	return func(yield func([]dueDocument) bool) {
		for most := 1; ; most = dueBatchSize {
			batch := q.firstDue(ctx, most)
			if len(batch) == 0 || !yield(batch) {
				return
			}
			q.removeFirst(ctx, len(batch))
		}
	}
}

// firstDue returns the first documents, none if the job is stopped.
func (q *diagnosticsQueue) firstDue(ctx context.Context, most int) []dueDocument {
	q.mu.Lock()
	defer q.mu.Unlock()
	if ctx.Err() != nil {
		return nil
	}
	var batch []dueDocument
	for _, path := range q.due[:min(most, len(q.due))] {
		batch = append(batch, dueDocument{path, q.ownChangeOnly[path]})
	}
	return batch
}

// removeFirst removes the first paths, unless the job is stopped: the newer job needs them.
func (q *diagnosticsQueue) removeFirst(ctx context.Context, count int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if ctx.Err() == nil {
		for _, path := range q.due[:count] {
			delete(q.ownChangeOnly, path)
		}
		q.due = q.due[count:]
	}
}

// pushSyntaxErrors sends the syntax errors of a large document that was just opened, before the
// rest is known. After an edit, diagnostics are never sent in parts: those that are missing
// in the first part would flicker.
func (p *publisher) pushSyntaxErrors(ctx context.Context, snap *snapshot, d *document) {
	if !d.unedited || !snap.capabilities.TextDocument.PublishDiagnostics.VersionSupport || p.sent.hasReport(d.path) {
		return
	}
	if found := p.checkSyntax(ctx, snap, d.path); len(found) > 0 {
		p.sendIfNew(ctx, d.path, newReport(snap, d, found), true)
	}
}

// sendIfNew sends the report of a document that is open, or takes back that of one that is
// not, unless the client has it.
func (p *publisher) sendIfNew(ctx context.Context, path string, next report, open bool) {
	p.sent.mu.Lock()
	defer p.sent.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	last := p.sent.byPath[path]
	if !p.sent.replaceReport(path, next, open) {
		return
	}
	if last.uri != "" && last.uri != next.uri {
		p.publish(report{uri: last.uri})
	}
	if open {
		p.publish(next)
	}
}

// publish sends a report. One without items is for a closed document, which has no
// version.
func (p *publisher) publish(r report) {
	params := &protocol.PublishDiagnosticsParams{URI: r.uri, Diagnostics: r.items}
	if r.items != nil {
		params.Version = protocol.NewOptional(r.version)
	}
	p.client.Notify(protocol.MethodTextDocumentPublishDiagnostics, params)
}

// hasReport reports whether the client has a report of the document at a path.
func (r *sentReports) hasReport(path string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.byPath[path]
	return known
}

// replaceReport keeps the report that the client gets next, none if the document is not open, and
// reports whether it differs from the last one. The caller holds mu.
func (r *sentReports) replaceReport(path string, next report, open bool) bool {
	last, known := r.byPath[path]
	if !open {
		delete(r.byPath, path)
		return known
	}
	if r.byPath == nil {
		r.byPath = map[string]report{}
	}
	r.byPath[path] = next
	return !known || last.version != next.version || last.id != next.id || last.uri != next.uri
}

// addPulled keeps the report that the client gets as an answer.
func (r *sentReports) addPulled(path string, next report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.replaceReport(path, next, true)
	if r.repeatsAfterClose == nil {
		r.repeatsAfterClose = map[uri.URI]int{}
	}
	r.repeatsAfterClose[next.uri] = 2
}

// forgetClosed forgets what the client was sent of a document that is closed, and takes
// back the diagnostics that were pushed.
func (p *publisher) forgetClosed(ctx context.Context, snap *snapshot, path string) {
	p.lenses.byPath.Delete(path)
	p.hints.byPath.Delete(path)
	if !snap.capabilities.pullsDiagnostics() {
		p.sendIfNew(ctx, path, report{}, false)
		return
	}
	p.sent.mu.Lock()
	defer p.sent.mu.Unlock()
	delete(p.sent.byPath, path)
}

// isOutdated reports whether the client has pulled other diagnostics of a document than it
// would get now.
func (p *publisher) isOutdated(ctx context.Context, snap *snapshot, d *document) bool {
	next := p.documentReport(ctx, snap, d)
	p.sent.mu.Lock()
	defer p.sent.mu.Unlock()
	last, known := p.sent.byPath[d.path]
	return ctx.Err() == nil && known && last.id != next.id
}

// documentDiagnostic answers a client that pulls. A document that is not open
// has no diagnostics.
func documentDiagnostic(ctx context.Context, s *server, snap *snapshot, params *protocol.DocumentDiagnosticParams) (protocol.DocumentDiagnosticReport, error) {
	var full protocol.RelatedFullDocumentDiagnosticReport
	full.Kind = "full"
	d := snap.documents[pathOf(params.TextDocument.URI)]
	if d == nil {
		return &full, nil
	}
	snap = s.files.withNames(ctx, snap, d.path)
	next := s.diagnostics.documentReport(ctx, snap, d)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.diagnostics.sent.addPulled(d.path, next)
	if snap.typingDelay != nil && s.session.load().typingDelay != snap.typingDelay {
		// The hold has ended meanwhile, perhaps before this was noted.
		s.diagnostics.diagnose(nil, d.path)
	}

	related, err := s.diagnostics.relatedReports(ctx, snap, d)
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

// reports are the reports of several documents.
type reports = map[uri.URI]protocol.FullDocumentDiagnosticReportOrUnchangedDocumentDiagnosticReport

// relatedReports returns the reports of the open documents that depend on one, if they
// differ from what the client has.
func (p *publisher) relatedReports(ctx context.Context, snap *snapshot, d *document) (reports, error) {
	if !snap.capabilities.supportsRelatedDocuments() {
		return nil, nil
	}
	var all reports
	for _, path := range snap.workspace.Importers(d.path) {
		other := snap.documents[path]
		if other == nil || !p.isOutdated(ctx, snap, other) {
			continue
		}
		next := p.documentReport(ctx, snap, other)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.sent.addPulled(path, next)
		if all == nil {
			all = reports{}
		}
		all[other.uri] = &protocol.FullDocumentDiagnosticReport{Kind: "full", ResultID: new(next.resultID()), Items: next.items}
	}
	return all, ctx.Err()
}

// documentReport checks a document. A document that was opened again gets another id, since Neovim
// forgets what it showed of a file that it reads again, but still asks with the old id.
func (p *publisher) documentReport(ctx context.Context, snap *snapshot, d *document) report {
	return newReport(snap, d, p.check(ctx, snap, d.path))
}

// newReport is the report of what was found in a document.
func newReport(snap *snapshot, d *document, found []model.Diagnostic) report {
	items := protocolDiagnostics(snap, d, snap.typingDelay.filter(snap, d, found))
	id := fmt.Sprintf("%s-%d", contentID(items), d.openNumber)
	return report{uri: d.uri, version: d.version, id: id, items: items}
}

// resultID identifies the report to a client that pulls. Each version of a text has another
// one, since VS Code moves what it shows along with edits, sometimes to a wrong line, and
// would leave it there if the report were unchanged.
func (r report) resultID() string {
	return fmt.Sprintf("%s-%d", r.id, r.version)
}

// contentID returns an id that differs for different content.
func contentID(content any) string {
	hash := fnv.New64a()
	raw, err := protocol.Marshal(content)
	if err != nil { // it cannot be sent either
		return err.Error()
	}
	hash.Write(raw)
	return fmt.Sprintf("%x", hash.Sum64())
}
