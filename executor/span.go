package executor

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// runInSpan runs a tool within a tracing span. The span holds names and outcomes, but no
// argument, value or message.
func (e *Executor) runInSpan(ctx context.Context, req Request, call func(context.Context) Envelope) Envelope {
	if e.opts.Tracer == nil || req.Tool == nil {
		return call(ctx)
	}
	ctx, span := e.opts.Tracer.Start(ctx, "tool:"+req.Tool.Name, trace.WithSpanKind(trace.SpanKindClient))
	defer span.End()
	envelope := call(ctx)
	span.SetAttributes(attributes(req, envelope)...)
	if envelope.Error != nil {
		span.SetStatus(codes.Error, string(envelope.Error.Kind))
	}
	return envelope
}

func attributes(req Request, e Envelope) []attribute.KeyValue {
	all := []attribute.KeyValue{
		attribute.String("abl.run", e.Run),
		attribute.String("abl.tool.kind", string(e.Kind)),
		attribute.Bool("abl.ok", e.OK),
		attribute.Bool("abl.cached", e.Cached),
		attribute.Int("abl.attempts", len(e.Attempts)),
		attribute.Float64("abl.duration_ms", e.DurationMS),
	}
	if name := req.Environment.Name; name != "" {
		all = append(all, attribute.String("abl.environment", name))
	}
	if access := req.Tool.PIIAccess; access != "" {
		all = append(all, attribute.String("abl.pii_access", access))
	}
	if e.Error != nil {
		all = append(all, attribute.String("abl.error.kind", string(e.Error.Kind)), attribute.String("abl.error.code", e.Error.Code))
	}
	return all
}
