package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

// corailAPI answers as SearXNG does, has a page to read, and echoes what it is sent.
func corailAPI(mux *http.ServeMux) {
	mux.HandleFunc("/search", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"results": [{"title": "On %s", "url": "https://example.com/", "content": "They fly."}]}`, r.FormValue("q"))
	})
	mux.HandleFunc("/answers/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, strings.TrimPrefix(r.URL.Path, "/answers/"))
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>On geese</title><script>script()</script><p>They fly.")
	})
}

// program is an ordinary program for tools of type cli.
func program() {
	switch os.Getenv("MODE") {
	case "rows":
		fmt.Println(`[{"name": "a", "n": 12345678901234567890}]`)
	case "long":
		fmt.Print(strings.Repeat("x", 5000))
	case "fail":
		fmt.Fprintln(os.Stderr, "no such pod")
		os.Exit(3)
	case "hang":
		time.Sleep(time.Hour)
	default:
		fmt.Println(strings.Join(os.Args[1:], " "))
	}
}
