package main

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

// notes is a server of notes. Each write returns the previous text, with which it can be
// reverted.
type notes struct {
	mu    sync.Mutex
	texts map[string]string
}

func newNotes(mux *http.ServeMux) {
	n := &notes{texts: map[string]string{}}
	mux.HandleFunc("PUT /notes/{id}", n.put)
	mux.HandleFunc("GET /notes/{id}", n.get)
	mux.HandleFunc("DELETE /notes/{id}", n.remove)
}

func (n *notes) put(w http.ResponseWriter, r *http.Request) {
	var note struct{ Text string }
	if err := json.NewDecoder(r.Body).Decode(&note); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	id := r.PathValue("id")
	before := n.texts[id]
	if n.texts[id] = note.Text; id == "lost" {
		delete(n.texts, id) // it reports a write that it has not made
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"id": id, "text": note.Text, "before": before, "query": r.URL.RawQuery})
}

func (n *notes) get(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	text, ok := n.texts[r.PathValue("id")]
	n.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = io.WriteString(w, text+"?"+r.URL.RawQuery)
}

func (n *notes) remove(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	delete(n.texts, r.PathValue("id"))
	n.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"deleted": r.PathValue("id"), "query": r.URL.RawQuery})
}
