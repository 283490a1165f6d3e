package mcpserver

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

const briefTools = `TOOLS:
  brief(item: string) -> object
    type: async_webhook
    endpoint: "API/produce"
    method: POST
    timeout_seconds: 2
`

// leaveBrief begins a task at a replica that ends while it waits for its callback.
func leaveBrief(t *testing.T, a, b *replica) (id, atB string) {
	t.Helper()
	a.set(briefTools)
	b.set(briefTools)
	id, text := a.begin("brief", "film", "")
	if id == "" {
		t.Fatal(text)
	}
	callback := <-a.shop.callbacks
	a.server.tasks.close() // at once; a.end first waits for calls
	a.end()
	return id, strings.Replace(callback, strings.TrimSuffix(a.endpoint, Path), strings.TrimSuffix(b.endpoint, Path), 1)
}

// TestCallbackOfEndedReplica posts a callback to the replica that did not request it, after the other
// one has ended. The task gets it, also when nobody asks before the time of the callback is over.
func TestCallbackOfEndedReplica(t *testing.T) {
	for name, tt := range map[string]struct {
		isLate bool // it is posted after its time by this clock
		ask    func(t *testing.T, b *replica, id string) map[string]any
	}{
		"its client asks":           {false, awaitTaskOf},
		"nobody asks":               {false, takenOver},
		"posted by a slower clock":  {true, awaitTaskOf},
		"nobody asks, slower clock": {true, takenOver},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s := t.TempDir(), newShop(t)
			a, b := newReplica(t, dir, s), newReplica(t, dir, s)
			begun := time.Now()
			id, atB := leaveBrief(t, a, b)
			over := time.Until(begun.Add(2500 * time.Millisecond))
			if tt.isLate {
				time.Sleep(over)
			}
			resp, err := http.Post(atB, "application/json", strings.NewReader(`{"film":"🎬"}`))
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != http.StatusNoContent {
				t.Fatal(resp.Status)
			}
			if !tt.isLate {
				time.Sleep(over)
			}
			now := tt.ask(t, b, id)
			result, _ := now["result"].(map[string]any)
			if content, _ := result["structuredContent"].(map[string]any); content["film"] != "🎬" {
				t.Errorf("%v", now)
			}
		})
	}
}

// awaitTaskOf asks about a task until it has ended.
func awaitTaskOf(t *testing.T, b *replica, id string) map[string]any {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		now, fault := b.taskMessage(methodTasksGet, id, "")
		if status, _ := now["status"].(string); fault != "" || taskStatus(status).isEnd() {
			return now
		}
		if time.Now().After(end) {
			t.Fatal("it does not end")
		}
	}
}

// takenOver looks at what is stored until the task has ended, and only then asks.
func takenOver(t *testing.T, b *replica, id string) map[string]any {
	t.Helper()
	for end := time.Now().Add(2*sweepInterval + patience); ; time.Sleep(10 * time.Millisecond) {
		record, ok, err := b.server.tasks.store.find(t.Context(), id)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		if record.Task.Status.isEnd() {
			return awaitTaskOf(t, b, id)
		}
		if time.Now().After(end) {
			t.Fatal("nobody takes it over")
		}
	}
}
