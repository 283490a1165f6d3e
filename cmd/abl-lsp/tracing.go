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

// traceFlushTimeout is how long sending the last spans may take.
const traceFlushTimeout = 2 * time.Second

// newTracer returns a tracer that sends spans of runs to the collector that the variables
// of OpenTelemetry name. Without such variables both results are nil. The variables are
// the person's own, so the guard, which checks hosts that a workspace names, does not
// check the collector. A collector that cannot be reached is not an error of a run.
func newTracer() (tracer api.Tracer, flush func() error) {
	if !tracingIsOn(os.Getenv) {
		return nil, nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {})) // otherwise each lost span prints a line to stderr
	exporter, err := otlptracehttp.New(context.Background())
	if err != nil {
		return nil, nil
	}
	about, err := resource.New(context.Background(),
		resource.WithAttributes(attribute.String("service.name", "abl-lsp"), attribute.String("service.version", version)),
		resource.WithFromEnv(), // OTEL_SERVICE_NAME takes precedence
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

// tracingIsOn reports whether the variables name an endpoint and do not switch spans off.
func tracingIsOn(getenv func(string) string) bool {
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") || getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}
