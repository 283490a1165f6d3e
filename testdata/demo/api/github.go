package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// repository is a repository in the form of GitHub's API.
type repository struct {
	ID       int    `json:"id"`
	FullName string `json:"full_name"`
	Language string `json:"language,omitempty"`
	URL      string `json:"html_url"`
}

var repositories = []repository{
	{ID: 1, FullName: "demo/weather", Language: "Go", URL: "https://example.com/demo/weather"},
	{ID: 2, FullName: "demo/bookings", Language: "TypeScript", URL: "https://example.com/demo/bookings"},
	{ID: 3, FullName: "demo/guide", URL: "https://example.com/demo/guide"},
}

// listRepositories answers only requests with a token.
func listRepositories(w http.ResponseWriter, r *http.Request) {
	if !requireToken(w, r) {
		return
	}
	all := slices.Clone(repositories)
	if r.FormValue("sort") == "full_name" {
		slices.SortFunc(all, func(a, b repository) int { return strings.Compare(a.FullName, b.FullName) })
	}
	n, err := strconv.Atoi(r.FormValue("per_page"))
	if err != nil || n < 1 {
		writeError(w, "per_page must be a number from 1")
		return
	}
	writeJSON(w, all[:min(n, len(all))])
}

func createRepository(w http.ResponseWriter, r *http.Request) {
	var order struct{ Name string }
	if !requireToken(w, r) {
		return
	}
	if err := json.NewDecoder(r.Body).Decode(&order); err != nil || order.Name == "" {
		writeError(w, "name is missing")
		return
	}
	writeJSON(w, repository{ID: len(repositories) + 1, FullName: "demo/" + order.Name, URL: "https://example.com/demo/" + order.Name})
}

func requireToken(w http.ResponseWriter, r *http.Request) bool {
	if r.Header.Get("Authorization") == "Bearer demo-github-token" {
		return true
	}
	http.Error(w, `{"message": "Bad credentials"}`, http.StatusUnauthorized)
	return false
}

// streamMessage answers like a chat model: by events, one for each word.
func streamMessage(w http.ResponseWriter, r *http.Request) {
	if !requireToken(w, r) {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(event string) {
		fmt.Fprintf(w, "data: %s\n\n", event)
		_ = http.NewResponseController(w).Flush() // the client may be gone
	}
	send(`{"type":"message_start"}`)
	for _, word := range strings.SplitAfter("It is clear in Lisbon today, and warm.", " ") {
		text, _ := json.Marshal(word) // a string always encodes
		send(`{"type":"content_block_delta","delta":{"text":` + string(text) + `}}`)
		time.Sleep(50 * time.Millisecond)
	}
	send(`{"type":"message_stop"}`)
}
