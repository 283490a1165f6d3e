package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"
)

// readyTimeout bounds the question whether the server is ready.
const readyTimeout = 2 * time.Second

// errEnding says why a server that is asked to end is not ready.
var errEnding = errors.New("the server is ending")

// errNotStored is what those who ask are told of a store that cannot be reached; the log says which one,
// and why.
var errNotStored = errors.New("what outlives this process cannot be stored at the moment")

// notReadyInterval is how often the log says at most why the server is not ready.
const notReadyInterval = time.Minute

// addOperations adds the paths for those who operate the server.
func (s *Server) addOperations(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { writeHealth(w, nil) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		fault := s.ready(ctx)
		if fault != nil && !errors.Is(fault, errEnding) {
			if _, ok := s.notReady.next(); ok {
				s.opts.Logger.LogAttrs(ctx, slog.LevelWarn, "not ready", slog.String("why", fault.Error()))
			}
			fault = errNotStored
		}
		writeHealth(w, fault)
	})
	if s.opts.Metrics != nil {
		mux.Handle("GET /metrics", s.opts.Metrics.Handler())
	}
}

// ready returns an error if calls should go to another replica.
func (s *Server) ready(ctx context.Context) error {
	if s.work.isDraining() {
		return errEnding
	}
	if s.opts.State == nil {
		return nil
	}
	return s.opts.State.Ready(ctx)
}

// writeHealth answers a probe: 200, or 503 with the reason.
func writeHealth(w http.ResponseWriter, fault error) {
	answer := map[string]string{"status": "ok"}
	status := http.StatusOK
	if fault != nil {
		answer["status"], answer["reason"] = "unavailable", fault.Error()
		status = http.StatusServiceUnavailable
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) // who asks no longer needs none
}
