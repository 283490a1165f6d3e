package mcpserver

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/executor"
)

// requestIDHeader is the header that names a request in logs, on the way here and back.
const requestIDHeader = "X-Request-Id"

// maxRequestID bounds the length of an id that a client gives.
const maxRequestID = 128

// identifyRequests gives each request an id, unless the client has given one.
func identifyRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(requestIDHeader)
		if id == "" || len(id) > maxRequestID || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
			id = rand.Text()
			r.Header.Set(requestIDHeader, id)
		}
		w.Header().Set(requestIDHeader, id)
		next.ServeHTTP(w, r)
	})
}

// addTrace takes the trace to which a call belongs from its _meta or from the headers of its
// request.
func addTrace(req *executor.Request, r *sdk.CallToolRequest) {
	req.TraceParent, _ = r.Params.Meta["traceparent"].(string)
	req.TraceState, _ = r.Params.Meta["tracestate"].(string)
	if req.TraceParent == "" && r.Extra != nil {
		req.TraceParent, req.TraceState = r.Extra.Header.Get("Traceparent"), r.Extra.Header.Get("Tracestate")
	}
}

// traceID returns the id of the trace in a traceparent; "" if it has none.
func traceID(traceParent string) string {
	parts := strings.Split(traceParent, "-")
	if len(parts) < 4 {
		return ""
	}
	return parts[1]
}

// logRun logs a run of a client over HTTP. Arguments, results and the texts of errors are not part
// of a log.
func (c *conversation) logRun(ctx context.Context, req executor.Request, e *executor.Envelope) {
	extra := c.call.Extra
	if extra == nil || extra.Header == nil {
		return
	}
	level, outcome := slog.LevelInfo, "ok"
	switch {
	case e.Needs != nil:
		outcome = "asked"
	case e.Error != nil:
		level, outcome = slog.LevelWarn, "error"
	}
	fields := []slog.Attr{
		slog.String("request_id", extra.Header.Get(requestIDHeader)),
		slog.String("run", e.Run), slog.String("tool", req.Tool.QualifiedName()), slog.String("outcome", outcome),
		slog.Float64("duration_ms", e.DurationMS), slog.Int("attempts", len(e.Attempts)),
	}
	if trace := traceID(req.TraceParent); trace != "" {
		fields = append(fields, slog.String("trace_id", trace))
	}
	if extra.TokenInfo != nil {
		fields = append(fields, slog.String("caller", extra.TokenInfo.UserID))
	}
	if e.Error != nil {
		fields = append(fields, slog.String("error_kind", string(e.Error.Kind)), slog.String("error_code", e.Error.Code))
	}
	c.server.opts.Logger.LogAttrs(ctx, level, "tool called", fields...)
}
