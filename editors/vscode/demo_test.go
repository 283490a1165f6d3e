//go:build unix

package vscode_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/editors/editortest"
)

// copyDemo copies the demo into the folder, makes its tools call host, and adds
// a tool that is never answered and one with a secret, saved cases,
// environments, and an agent without a mistake.
func copyDemo(t *testing.T, dir, host string) string {
	workspace := filepath.Join(dir, "trips")
	editortest.CopyDemo(t, workspace, host, []string{".abl", ".json"}, func(name string) string {
		if name == "tools/weather.tools.abl" {
			return strings.ReplaceAll(moreTools, "HOST", host)
		}
		return ""
	})
	for name, text := range map[string]string{
		"other.json":               `{"tools": []}`,
		"agents/clean.agent.abl":   "AGENT: Clean\nGOAL: \"Say the weather\"\nTOOLS:\n  file: \"../tools/weather.tools.abl\" [get_weather]\n",
		"tools/weather.cases.yaml": savedCases,
		"tools/abl.yaml":           "environments:\n  dev: {}\n  prod: {protected: true}\ndefault_environment: dev\n",
		".vscode/settings.json":    fmt.Sprintf(`{"abl.trusted": true, "abl.allowHosts": [%q]}`, host), // the folder must not decide this
	} {
		writeFile(t, filepath.Join(workspace, name), text)
	}
	return workspace
}

const savedCases = `get_weather:
  - name: two days in Rome
    args: {city: Rome, days: 2}
    expect: {value: "len(value.days) == 2"}
  - name: a wrong hope
    args: {city: Rome, days: 2}
    expect: {value: "len(value.days) == 7"}
  - name: on mars
    args: {city: Olympus}
    environment: mars
slow_report:
  - name: never
    args: {}
  - name: later
    skip: not yet
private_weather:
  - name: at home
    args: {city: Bergen}
client_weather:
  - name: as a client
    args: {}
`

const moreTools = `
  slow_report() -> string
    description: "Never comes back by itself"
    type: http
    endpoint: "/slow"
    method: GET
    timeout: 60000

  private_weather(city: string) -> object
    description: "The weather for members"
    type: http
    endpoint: "/v1/cities/{city}/weather"
    method: GET
    headers:
      Authorization: "Bearer {{secrets.MEMBER_TOKEN}}"

  client_weather() -> object
    description: "The weather for a client"
    type: http
    endpoint: "/v1/cities/Oslo/weather"
    method: GET
    auth: oauth2_client
    auth_config:
      token_url: "http://HOST/token"
      client_id: "trips"
      client_secret: "{{secrets.CLIENT_SECRET}}"

  leave_note(text: string) -> object
    description: "Leaves a note"
    type: http
    endpoint: "/v1/bookings"
    method: POST
    revert:
      type: http
      endpoint: "/v1/bookings/{{result.booking}}"
      method: DELETE
      headers:
        Authorization: "Bearer {{secrets.CLIENT_SECRET}}"
`

// demoAPI answers like the demo's API, but never answers /slow. It writes the file reached
// when the weather is asked for, and started and cancelled when a request for /slow arrives
// and when it is cancelled.
func demoAPI(t *testing.T, dir string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/cities/{city}/weather", func(w http.ResponseWriter, r *http.Request) {
		signal(t, dir, "reached")
		if r.Header.Get("Authorization") == "Bearer wrong" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		if r.Header.Get("Authorization") == "Bearer s3cret" {
			signal(t, dir, "member")
		}
		day := map[string]any{"date": "2026-06-01", "high": 21, "low": 12, "sky": "clear"}
		days := []any{day, day, day}
		if r.FormValue("days") == "2" {
			days = days[:2]
		}
		answer(t, w, map[string]any{"city": r.PathValue("city"), "units": r.FormValue("units"), "days": days})
	})
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		if _, secret, _ := r.BasicAuth(); secret != "s3cret" {
			w.WriteHeader(http.StatusUnauthorized)
			answer(t, w, map[string]any{"error": "invalid_client"})
			return
		}
		answer(t, w, map[string]any{"access_token": "given", "token_type": "Bearer"})
	})
	mux.HandleFunc("POST /v1/bookings", func(w http.ResponseWriter, r *http.Request) {
		var order struct{ Destination string }
		if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer(t, w, map[string]any{"booking": "B-1", "city": order.Destination, "total": 240, "currency": "EUR"})
	})
	mux.HandleFunc("DELETE /v1/bookings/{id}", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer s3cret" { // typed for another tool of the folder
			signal(t, dir, "undone-"+r.PathValue("id"))
		}
		answer(t, w, map[string]any{})
	})
	mux.HandleFunc("GET /slow", func(_ http.ResponseWriter, r *http.Request) {
		signal(t, dir, "started")
		<-r.Context().Done()
		signal(t, dir, "cancelled")
	})
	folderAPI(t, dir, mux)
	return mux
}

func answer(t *testing.T, w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(value); err != nil {
		t.Error(err)
	}
}

func signal(t *testing.T, dir, name string) {
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
		t.Error(err)
	}
}
