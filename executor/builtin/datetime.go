package builtin

import (
	"context"
	"encoding/json"
	"time"
	_ "time/tzdata" // not every machine has the time zones

	"github.com/abl-lsp/abl-lsp/executor"
)

// datetime returns the current time, in UTC or in a requested time zone.
type datetime struct{ now func() time.Time }

func (datetime) Parameters() Parameters { return Parameters{Optional: []string{"timezone"}} }

func (d datetime) Run(_ context.Context, call executor.Call) (executor.Result, error) {
	name, _, err := textArgument(call, "timezone")
	if err != nil {
		return executor.Result{}, err
	}
	zone, err := time.LoadLocation(name) // "" is UTC
	if err != nil || name == "Local" {
		return executor.Result{}, argumentError("timezone", "there is no time zone %q; they are called UTC, Europe/Paris, …", name)
	}
	now := d.now().In(zone)
	value, err := json.Marshal(struct {
		Datetime string `json:"datetime"`
		Date     string `json:"date"`
		Time     string `json:"time"`
		Day      string `json:"day"`
		Timezone string `json:"timezone"`
	}{now.Format(time.RFC3339), now.Format(time.DateOnly), now.Format(time.TimeOnly), now.Weekday().String(), zone.String()})
	return executor.Result{Value: value, ContentType: "application/json"}, err
}
