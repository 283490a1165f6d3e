// Package metrics counts what a server of tools does, for Prometheus.
//
// The labels are names of tools and fixed words: no argument, result, secret or caller is among them.
package metrics

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/abl-lsp/abl-lsp/executor"
)

// Metrics counts calls. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	calls    *prometheus.CounterVec
	errors   *prometheus.CounterVec
	duration *prometheus.HistogramVec
	retries  *prometheus.CounterVec
	running  prometheus.Gauge
	breakers *prometheus.GaugeVec
	waiting  prometheus.Gauge
}

// Outcomes of calls.
const (
	succeeded = "ok"
	cached    = "cached" // answered without a call of the tool
	failed    = "error"
	asked     = "asked" // a person has to answer first
)

// New returns metrics that also have those of the Go runtime and of the process.
func New(version string) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		calls:    counter("abl_calls_total", "Runs of tools, by how they ended: ok, cached, error, or asked where a person has to answer first.", "tool", "outcome"),
		errors:   counter("abl_call_errors_total", "Failed runs of tools, by the kind of the error.", "tool", "kind"),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "abl_call_duration_seconds", Help: "How long runs of tools took, retries and waiting included.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300},
		}, []string{"tool"}),
		retries:  counter("abl_call_retries_total", "Attempts after the first one of a run.", "tool"),
		running:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "abl_calls_running", Help: "Runs of tools under way."}),
		breakers: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "abl_circuit_breaker_state", Help: "1 for the state of the tool's circuit breaker at its last run, else 0."}, []string{"tool", "state"}),
		waiting:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "abl_calls_waiting_for_person", Help: "Calls that this process holds open until a person answers. Clients of 2026-07-28 hold theirs themselves."}),
	}
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "abl_build_info", Help: "1, with the version of the program."}, []string{"version"})
	build.WithLabelValues(version).Set(1)
	m.registry.MustRegister(m.calls, m.errors, m.duration, m.retries, m.running, m.breakers, m.waiting, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler serves the metrics in the formats of Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// Run is a run of a tool, as [executor.Executor.Run] makes it.
type Run func(context.Context, executor.Request) executor.Envelope

// Count returns a function that runs and counts. For a nil Metrics it returns run.
func (m *Metrics) Count(run Run) Run {
	if m == nil {
		return run
	}
	return func(ctx context.Context, req executor.Request) executor.Envelope {
		m.running.Inc()
		defer m.running.Dec()
		began := time.Now()
		e := run(ctx, req)
		m.observe(req.Tool.QualifiedName(), e, time.Since(began))
		return e
	}
}

func (m *Metrics) observe(tool string, e executor.Envelope, took time.Duration) {
	outcome := outcomeOf(e)
	m.calls.WithLabelValues(tool, outcome).Inc()
	if outcome == failed {
		m.errors.WithLabelValues(tool, string(e.Error.Kind)).Inc()
	}
	if outcome != asked {
		m.duration.WithLabelValues(tool).Observe(took.Seconds())
	}
	m.retries.WithLabelValues(tool).Add(float64(max(0, len(e.Attempts)-1)))
	if e.Breaker != nil {
		for _, state := range []string{"closed", "half-open", "open"} {
			on := 0.0
			if state == *e.Breaker {
				on = 1
			}
			m.breakers.WithLabelValues(tool, state).Set(on)
		}
	}
}

func outcomeOf(e executor.Envelope) string {
	switch {
	case e.Needs != nil:
		return asked
	case e.Error != nil:
		return failed
	case e.Cached:
		return cached
	}
	return succeeded
}

// AwaitPerson counts a call as waiting for a person until done is called. A nil Metrics counts
// nothing.
func (m *Metrics) AwaitPerson() (done func()) {
	if m == nil {
		return func() {}
	}
	m.waiting.Inc()
	return m.waiting.Dec
}
