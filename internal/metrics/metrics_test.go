package metrics

import (
	"context"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestCount checks what runs of each outcome count.
func TestCount(t *testing.T) {
	m := New("1.2.3")
	answers := []executor.Envelope{
		{OK: true, Breaker: new("closed")},
		{OK: true, Cached: true},
		{Error: executor.Errorf(executor.KindNetwork, "refused", "no one answers at 10.0.0.7"), Attempts: make([]executor.Attempt, 3), Breaker: new("open")},
		{Needs: &executor.Needs{Secrets: []string{"KEY"}}, Error: executor.Errorf(executor.KindNeeds, "secrets", "KEY is missing")},
	}
	for _, e := range answers {
		run := m.Count(func(context.Context, executor.Request) executor.Envelope {
			if n := testutil.ToFloat64(m.running); n != 1 {
				t.Errorf("%v running", n)
			}
			return e
		})
		run(t.Context(), executor.Request{Tool: &tool.Tool{Name: "order"}, Args: []byte(`{"card": "4111"}`)})
	}
	done := m.AwaitPerson()
	want := `
# HELP abl_call_errors_total Failed runs of tools, by the kind of the error.
# TYPE abl_call_errors_total counter
abl_call_errors_total{kind="network",tool="order"} 1
# HELP abl_call_retries_total Attempts after the first one of a run.
# TYPE abl_call_retries_total counter
abl_call_retries_total{tool="order"} 2
# HELP abl_calls_running Runs of tools under way.
# TYPE abl_calls_running gauge
abl_calls_running 0
# HELP abl_calls_total Runs of tools, by how they ended: ok, cached, error, or asked where a person has to answer first.
# TYPE abl_calls_total counter
abl_calls_total{outcome="asked",tool="order"} 1
abl_calls_total{outcome="cached",tool="order"} 1
abl_calls_total{outcome="error",tool="order"} 1
abl_calls_total{outcome="ok",tool="order"} 1
# HELP abl_calls_waiting_for_person Calls that this process holds open until a person answers. Clients of 2026-07-28 hold theirs themselves.
# TYPE abl_calls_waiting_for_person gauge
abl_calls_waiting_for_person 1
# HELP abl_circuit_breaker_state 1 for the state of the tool's circuit breaker at its last run, else 0.
# TYPE abl_circuit_breaker_state gauge
abl_circuit_breaker_state{state="closed",tool="order"} 0
abl_circuit_breaker_state{state="half-open",tool="order"} 0
abl_circuit_breaker_state{state="open",tool="order"} 1
`
	err := testutil.GatherAndCompare(m.registry, strings.NewReader(want),
		"abl_call_errors_total", "abl_call_retries_total", "abl_calls_running", "abl_calls_total", "abl_calls_waiting_for_person", "abl_circuit_breaker_state")
	if err != nil {
		t.Error(err)
	}
	done()
	if n := testutil.ToFloat64(m.waiting); n != 0 {
		t.Errorf("%v waiting", n)
	}
}
