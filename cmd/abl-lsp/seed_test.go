package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// seedAPI is the API for the http examples of the language's page about tools. It answers
// what each example shows.
func seedAPI(mux *http.ServeMux) {
	for pattern, answer := range map[string]func(r *http.Request) any{
		"POST /flights/v1/search": func(r *http.Request) any {
			return object{"flights": []object{{"id": r.Header.Get("Authorization") + field(r, "destination"), "price": 120.50}}}
		},
		"GET /hotels/{id}":           func(r *http.Request) any { return object{"id": r.PathValue("id"), "path": r.URL.EscapedPath()} },
		"POST /hotels-api/v1/search": func(r *http.Request) any { return []object{{"id": "h1", "by": r.Header.Get("Authorization")}} },
		"GET /hotels-api/v1/hotels/{id}": func(r *http.Request) any {
			return object{"id": r.PathValue("id"), "by": r.Header.Get("Authorization")}
		},
		"GET /hotels-api/v1/hotels/{id}/reviews": func(r *http.Request) any {
			return []object{{"of": r.PathValue("id"), "limit": r.URL.Query().Get("limit")}}
		},
		"POST /api/availability": func(r *http.Request) any { return object{"available": field(r, "hotel_id") == "h1"} },
		"POST /api/data": func(r *http.Request) any {
			return object{"results": []object{{"version": r.Header.Get("X-Api-Version"), "accept": r.Header.Get("Accept"), "query": field(r, "query")}}}
		},
		"POST /partner/api": func(r *http.Request) any {
			return object{"status": field(r, "payload") + " by " + r.Header.Get("X-API-Key")}
		},
		"GET /api/users/{id}": func(r *http.Request) any {
			return object{"name": r.PathValue("id"), "email": r.Header.Get("Authorization")[:7] + "a@x.example"}
		},
		"GET /api/balance": func(*http.Request) any { return object{"balance": 12.5, "currency": "EUR"} },
		"POST /api/payments": func(r *http.Request) any {
			return object{"confirmation_id": fmt.Sprint("paid ", field(r, "amount"), " to ", field(r, "recipient"))}
		},
		"GET /api/fx/rate": func(*http.Request) any { return object{"rate": 1.25} },
		"POST /api/identity/verify": func(r *http.Request) any {
			return object{"verified": field(r, "ssn_last4") == "1234" && field(r, "dob") == "1990-01-02"}
		},
		"PUT /api/profile": func(r *http.Request) any {
			return object{"updated": field(r, "user.id") == "7", "name": field(r, "name"), "updated_at": "2026-03-01T10:00:00Z", "for": field(r, "user.email")}
		},
		"POST /api/audit": func(r *http.Request) any { return object{"logged": field(r, "event") != ""} },
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(answer(r))
		})
	}
	mux.HandleFunc("/down/data", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
}

type object map[string]any

// field returns a field of the body as text.
func field(r *http.Request, name string) string {
	body, err := io.ReadAll(r.Body)
	var fields map[string]any
	if err != nil || json.Unmarshal(body, &fields) != nil {
		return ""
	}
	r.Body = io.NopCloser(bytes.NewReader(body)) // another call may ask for another field
	if v, ok := fields[name]; ok {
		return fmt.Sprint(v)
	}
	return ""
}
