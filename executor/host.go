package executor

import (
	"context"

	"github.com/abl-lsp/abl-lsp/tool"
)

// runHost implements [Host] for the Runner of one run.
type runHost struct{ run *run }

func (h runHost) Permit(accesses ...tool.Permission) error { return h.run.checkDenied(accesses...) }

func (h runHost) Ask(ctx context.Context, p tool.Permission) error { return h.run.ask(ctx, p) }

func (h runHost) Redact(text string) string { return h.run.redactor.String(text) }

func (h runHost) Track(name, value string) { h.run.redactor.Add(name, value) }

func (h runHost) TrackLiteral(name, value string) { h.run.trackToolSecret(name, value) }

func (h runHost) PublishDiscovery(d Discovery) { h.run.publishDiscovery(d) }

func (h runHost) Report(p Progress) { h.run.reportProgress(p) }
