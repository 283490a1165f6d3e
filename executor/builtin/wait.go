package builtin

import (
	"context"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
)

// maxWait is how long is waited at most.
const maxWait = time.Hour

// wait waits.
type wait struct{}

func (wait) Parameters() Parameters { return Parameters{Required: []string{"duration"}} }

func (wait) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	d, err := durationOf(call)
	if err != nil {
		return executor.Result{}, err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return executor.Result{Text: "Waited " + d.String() + ".", ContentType: "text/plain"}, nil
	case <-ctx.Done():
		return executor.Result{}, context.Cause(ctx)
	}
}

// Preview finds what is wrong with the duration before anything is asked.
func (wait) Preview(call executor.Call) (any, error) {
	d, err := durationOf(call)
	return map[string]string{"builtin": "wait", "duration": d.String()}, err
}

// Pace leaves the wait its time, which is not that of other calls.
func (wait) Pace(call executor.Call) (executor.Pace, error) {
	const late = time.Second // of timers, on a busy machine
	d, err := durationOf(call)
	return executor.Pace{Timeout: d + late, TimeoutIsDefault: true}, err
}

func durationOf(call executor.Call) (time.Duration, error) {
	text, err := requiredText(call, "duration")
	if err != nil {
		return 0, err
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, argumentError("duration", "%q is no duration; write 10s, 1m30s or 500ms", text)
	case d < 0 || d > maxWait:
		return 0, argumentError("duration", "%s is not from 0s to %s", text, "1h")
	}
	return d, nil
}
