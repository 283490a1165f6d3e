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

// publisher keeps the diagnostics, lenses and hints that the client shows up to date. One
// job at a time checks the documents that are due, on the latest snapshot.
//
// It pushes no diagnostics to a client that pulls them. It asks such a client to pull
// again when a change alters the diagnostics of another document.
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

// diagnosticsQueue holds the documents that are due to be checked.
type diagnosticsQueue struct {
	mu            sync.Mutex         // guards the fields below
	stop          context.CancelFunc // stops the current job
	changed       []string           // paths of changed documents whose dependents are not scheduled yet
	others        []string           // paths of documents that are due for another reason
	due           []string           // paths in the order in which they will be checked
	ownChangeOnly map[string]bool    // by path in due: whether only a change of the document's own text makes it due
	jobs          int                // how many jobs run, including stopped ones that have not ended
	startAnother  bool               // a job waits until one of maxJobs ends

	// scheduling is held while a job finds the documents that are due for the changes so
	// far. So many changes at once cost no more than a few.
	scheduling sync.Mutex
}

// sentReports are the diagnostics that the client has.
type sentReports struct {
	// mu guards the fields below. It is held while a report is compared with the client's
	// last one and sent, so that an older job never overtakes a newer one.
	mu                sync.Mutex
	byPath            map[string]report
	repeatsAfterClose map[uri.URI]int // by documents that the client has pulled: how often to report them after they are closed
}

// report is the diagnostics of one version of a document.
type report struct {
	uri     uri.URI
	version int32
	id      string // differs for different items
	items   []protocol.Diagnostic
}

// diagnose starts a job that checks changed documents, the documents that depend on them,
// and other documents. It stops the current job.
func (p *publisher) diagnose(changed []string, others ...string) {
	ctx, ok := p.queue.nextJob(p.client.Context(), changed, others)
	if !ok {
		return
	}
	p.client.Go("diagnostics", func(context.Context) {
		defer p.endJob()
		// Requests start jobs too. A snapshot loaded before this point could be older
		// than that of the job that was just stopped.
		p.schedule(ctx)
		p.diagnoseDue(ctx, p.session.load())
	})
}

// diagnoseAll starts a job that checks all open documents.
func (p *publisher) diagnoseAll() {
	p.diagnose(nil, slices.Sorted(maps.Keys(p.session.load().documents))...)
}

// diagnoseDue checks the documents that are due, several at once, and sends the results
// in the order in which the documents are due. A client that pulls is asked to pull again
// if a document other than the edited one is affected.
func (p *publisher) diagnoseDue(ctx context.Context, snap *snapshot) {
	lenses := countsReferences(snap)
	stale, hints := false, false
	named := false
	for batch := range p.queue.dueDocuments(ctx) {
		checked := make([]checkedDocument, len(batch))
		for i, due := range batch {
			if snap.workspace.Summary(due.path).UsesWorkspace() && snap.documents[due.path] != nil {
				if !named { // it may wait, so only if a document needs it
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

// checkedDocument is the result of checking a document that was due.
type checkedDocument struct {
	snap                                      *snapshot
	report                                    report // only for a client that does not pull
	staleDiagnostics, staleLenses, staleHints bool   // whether the client would now get other ones than it has
}

// checkDue checks a document that is due. It does nothing for a closed one.
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

// sendChecked sends the diagnostics of a checked document, or removes those of a closed
// one from the client.
func (p *publisher) sendChecked(ctx context.Context, c *checkedDocument, path string) {
	switch {
	case c.snap.documents[path] == nil:
		p.forgetClosed(ctx, c.snap, path)
	case !c.snap.capabilities.pullsDiagnostics():
		p.sendIfNew(ctx, path, c.report, true)
	}
}

// schedule adds the documents that are due for the changes so far to the queue.
func (p *publisher) schedule(ctx context.Context) {
	p.queue.scheduling.Lock()
	defer p.queue.scheduling.Unlock()
	changed, others, ok := p.queue.drainChanges(ctx)
	if !ok {
		return // the newer job does it
	}
	p.queue.addDue(changed, append(p.affectedDocuments(p.session.load(), changed), others...))
}

// affectedDocuments returns the paths of the open documents whose diagnostics may change
// because others have changed: those that import them, those that use names that have
// changed, the arguments of calls, and files of other systems, whose kind may depend on which files
// import them.
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
		isOnlyOne := len(isChanged) == 1 && isChanged[path] // a document does not affect itself
		return !isOnlyOne && (model.IsForeign(path) || model.IsArguments(path) || len(names) > 0 && model.DependsOnNames(snap.workspace, path, names))
	})...)
}

// setOf returns the set of the values.
func setOf(values []string) map[string]bool {
	in := make(map[string]bool, len(values))
	for _, value := range values {
		in[value] = true
	}
	return in
}

// maxJobs is how many jobs may run at once: the current one, stopped ones that have not
// noticed it, and those that wait for a client that does not read.
const maxJobs = 4

// endJob notes that a job has ended, and starts the one that waits for it, if any.
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

// nextJob stops the current job, adds the paths in changed and others to those that the
// next job looks at, and returns the context of that job. ok is false if too many jobs
// run; then endJob starts the next job later.
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

// drainChanges returns the paths that were added since the last call. ok is false if the
// calling job, whose context is ctx, is stopped.
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

// addDue puts paths before all others that are due: first the changed ones, the last of
// them first, and then those that are due for another reason.
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

// dueDocument is a document that is due to be checked.
type dueDocument struct {
	path          string
	ownChangeOnly bool // only a change of its own text makes it due: the client then asks for lenses by itself
}

// dueBatchSize is how many documents are checked together before the first of them is
// sent. The document that was edited last is checked alone, so that it does not wait for
// others.
const dueBatchSize = 8

// dueDocuments yields the documents that are due: first a single one, and then several at
// once. They stay due if a newer job starts before they were checked.
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

// firstDue returns the first documents that are due, at most as many as most says. It
// returns nil if the job is stopped.
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

// removeFirst removes the first documents, unless the job is stopped.
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

// pushSyntaxErrors sends the syntax errors of a large document that was just opened
// before its other diagnostics are known. After an edit, diagnostics are never sent in
// parts, since those missing in the first part would flicker.
func (p *publisher) pushSyntaxErrors(ctx context.Context, snap *snapshot, d *document) {
	if !d.unedited || !snap.capabilities.TextDocument.PublishDiagnostics.VersionSupport || p.sent.hasReport(d.path) {
		return
	}
	if found := p.checkSyntax(ctx, snap, d.path); len(found) > 0 {
		p.sendIfNew(ctx, d.path, newReport(snap, d, found), true)
	}
}

// sendIfNew sends the report of an open document unless the client has the same one. For
// a document that is not open it removes the report that the client has.
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

// publish sends a report. A report whose items are nil is about a closed document and is
// sent without a version.
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

// replaceReport records next as the report that the client gets for the document at path.
// If open is false, it forgets the last report instead. It reports whether the client must
// be told: its last report differs from next or, if open is false, it has one. The caller
// holds mu.
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

// addPulled records the report that the client gets as an answer.
func (r *sentReports) addPulled(path string, next report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.replaceReport(path, next, true)
	if r.repeatsAfterClose == nil {
		r.repeatsAfterClose = map[uri.URI]int{}
	}
	r.repeatsAfterClose[next.uri] = 2
}

// forgetClosed forgets what the client was sent about a document that is closed, and
// removes the diagnostics that were pushed from the client.
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

// isOutdated reports whether the client has pulled a document and would now get other
// diagnostics of it.
func (p *publisher) isOutdated(ctx context.Context, snap *snapshot, d *document) bool {
	next := p.documentReport(ctx, snap, d)
	p.sent.mu.Lock()
	defer p.sent.mu.Unlock()
	last, known := p.sent.byPath[d.path]
	return ctx.Err() == nil && known && last.id != next.id
}

// documentDiagnostic answers a client that pulls. A document that is not open has no
// diagnostics.
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
		// The delay has ended meanwhile, perhaps before this answer was recorded.
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

// reports are the reports of several documents in an answer, by URI.
type reports = map[uri.URI]protocol.FullDocumentDiagnosticReportOrUnchangedDocumentDiagnosticReport

// relatedReports returns the reports of the open documents that import d, if they differ
// from those that the client has. It returns nil if there are none, or if the client does
// not support them.
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

// documentReport checks a document and returns its report. A document that was opened
// again gets another id, since Neovim discards the diagnostics of a file that it reads
// again, but still sends the old id.
func (p *publisher) documentReport(ctx context.Context, snap *snapshot, d *document) report {
	return newReport(snap, d, p.check(ctx, snap, d.path))
}

// newReport returns the report for the diagnostics that were found in a document.
func newReport(snap *snapshot, d *document, found []model.Diagnostic) report {
	items := protocolDiagnostics(snap, d, snap.typingDelay.withoutDelayed(snap, d, found))
	id := fmt.Sprintf("%s-%d", contentID(items), d.openNumber)
	return report{uri: d.uri, version: d.version, id: id, items: items}
}

// resultID identifies the report to a client that pulls. Each version of a text has
// another id, since VS Code moves the diagnostics that it shows along with edits,
// sometimes to a wrong line, and would leave them there if the report were unchanged.
func (r report) resultID() string {
	return fmt.Sprintf("%s-%d", r.id, r.version)
}

// contentID returns an id that differs for different content.
func contentID(content any) string {
	hash := fnv.New64a()
	raw, err := protocol.Marshal(content)
	if err != nil { // then it cannot be sent either
		return err.Error()
	}
	hash.Write(raw)
	return fmt.Sprintf("%x", hash.Sum64())
}
