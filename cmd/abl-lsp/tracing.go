package main

import (
	"context"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	api "go.opentelemetry.io/otel/trace"
)

// traceFlushTimeout is how long the last spans may take to leave.
const traceFlushTimeout = 2 * time.Second

// newTracer makes spans of runs where the variables of OpenTelemetry say where to
// send them; else both are nil. These are the person's own: the guard, which
// is about what a workspace can have dialed, does not stand before them. A collector
// that is not there is nobody's concern but the person's.
func newTracer() (tracer api.Tracer, flush func() error) {
	if !tracingIsOn(os.Getenv) {
		return nil, nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {})) // else each span that is lost is a line on stderr
	exporter, err := otlptracehttp.New(context.Background())
	if err != nil {
		return nil, nil
	}
	about, err := resource.New(context.Background(),
		resource.WithAttributes(attribute.String("service.name", "abl-lsp"), attribute.String("service.version", version)),
		resource.WithFromEnv(), // OTEL_SERVICE_NAME comes before
	)
	if err != nil {
		about = resource.Default()
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(about))
	return provider.Tracer("abl-lsp", api.WithInstrumentationVersion(version)), func() error {
		ctx, cancel := context.WithTimeout(context.Background(), traceFlushTimeout)
		defer cancel()
		return provider.Shutdown(ctx)
	}
}

// tracingIsOn reports whether spans are wanted: an endpoint is named, and nothing
// switches them off.
func tracingIsOn(getenv func(string) string) bool {
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") || getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}
