package main

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

// handleNotes serves notes that can be written, read and deleted. The answer to a write has
// the text before, so that it can be undone. The note `full` is silently not stored.
func handleNotes(mux *http.ServeMux) {
	var mu sync.Mutex
	texts := map[string]string{}
	mux.HandleFunc("PUT /v1/notes/{id}", func(w http.ResponseWriter, r *http.Request) {
		var note struct{ Text string }
		if err := json.NewDecoder(r.Body).Decode(&note); err != nil {
			writeError(w, "the note is not the JSON expected: "+err.Error())
			return
		}
		mu.Lock()
		defer mu.Unlock()
		id := r.PathValue("id")
		before, was := texts[id]
		if id != "full" {
			texts[id] = note.Text
		}
		writeJSON(w, map[string]any{"id": id, "new": !was, "before": before})
	})
	mux.HandleFunc("GET /v1/notes/{id}", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		text, ok := texts[r.PathValue("id")]
		mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/markdown")
		_, _ = io.WriteString(w, text)
	})
	mux.HandleFunc("DELETE /v1/notes/{id}", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		delete(texts, r.PathValue("id"))
		mu.Unlock()
		writeJSON(w, map[string]any{"deleted": r.PathValue("id")})
	})
}
