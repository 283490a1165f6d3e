package main

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

// handleNotes serves notes that can be written, read and taken away. Writing one says
// what was there before, by which it can be undone. There is no room for the note
// `full`, which nobody hears of.
func handleNotes(mux *http.ServeMux) {
	var mu sync.Mutex
	texts := map[string]string{}
	mux.HandleFunc("PUT /v1/notes/{id}", func(w http.ResponseWriter, r *http.Request) {
		var note struct{ Text string }
		if err := json.NewDecoder(r.Body).Decode(&note); err != nil {
			refuse(w, "the note is not the JSON expected: "+err.Error())
			return
		}
		mu.Lock()
		defer mu.Unlock()
		id := r.PathValue("id")
		before, was := texts[id]
		if id != "full" {
			texts[id] = note.Text
		}
		answer(w, map[string]any{"id": id, "new": !was, "before": before})
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
		answer(w, map[string]any{"deleted": r.PathValue("id")})
	})
}
