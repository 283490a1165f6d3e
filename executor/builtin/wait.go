package builtin

import (
	"context"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
)

// maxWait is the longest wait.
const maxWait = time.Hour

// wait is the builtin that waits for a duration.
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

// Preview returns the duration. So a wrong duration is found before the person is asked anything.
func (wait) Preview(call executor.Call) (any, error) {
	d, err := durationOf(call)
	return map[string]string{"builtin": "wait", "duration": d.String()}, err
}

// Pace returns a timeout that is longer than the wait, in place of the default timeout.
func (wait) Pace(call executor.Call) (executor.Pace, error) {
	const late = time.Second // timers may be late on a busy machine
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
