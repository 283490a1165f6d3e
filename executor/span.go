package executor

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// runInSpan runs a tool within a tracing span. The span holds names and outcomes, but no
// argument, value or message.
func (e *Executor) runInSpan(ctx context.Context, req Request, call func(context.Context) Envelope) Envelope {
	ctx = continueTrace(ctx, req)
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

// continuedKey is the key of a context whose run continues the trace of its caller.
type continuedKey struct{}

// continueTrace returns a context in the caller's trace, if the request names one.
func continueTrace(ctx context.Context, req Request) context.Context {
	if req.TraceParent == "" {
		return ctx
	}
	caller := propagation.MapCarrier{"traceparent": req.TraceParent, "tracestate": req.TraceState}
	ctx = propagation.TraceContext{}.Extract(ctx, caller)
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx // it is no traceparent
	}
	return context.WithValue(ctx, continuedKey{}, true)
}

// TraceHeaders returns the headers by which a request continues the trace of the run's caller. It is
// empty if the caller has named none: a trace of this program's own is nobody else's business.
func TraceHeaders(ctx context.Context) map[string]string {
	headers := propagation.MapCarrier{}
	if ctx.Value(continuedKey{}) != nil {
		propagation.TraceContext{}.Inject(ctx, headers)
	}
	return headers
}
