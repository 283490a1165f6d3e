// Command api is the small HTTP API that the demo's tools call: made-up
// weather, local times, bookings and repositories. It listens on loopback, prints its
// address, and ends when its standard input does.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8787", "address to listen on")
	flag.Parse()
	if err := serve(*addr); err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		os.Exit(1)
	}
}

func serve(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("%w (the demo's tools name this address, so it must be free)", err)
	}
	fmt.Println("listening on", l.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()

	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/cities/{city}/weather", weather)
	mux.HandleFunc("GET /v1/cities/{city}/time", localTime)
	mux.HandleFunc("POST /v1/bookings", book)
	mux.HandleFunc("POST /v1/reports", report)
	mux.HandleFunc("GET /v1/loyalty/me", member)
	mux.HandleFunc("GET /user/repos", listed)
	mux.HandleFunc("POST /user/repos", created)
	mux.HandleFunc("POST /messages", message)
	handleNotes(mux)
	server := http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	return server.Serve(l)
}

// day is the first of the made-up forecast, so that two demos print the same.
var day = time.Date(2026, time.June, 1, 9, 0, 0, 0, time.UTC)

func weather(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.FormValue("days"))
	if err != nil || n < 1 || n > 7 {
		refuse(w, "days must be a number from 1 to 7")
		return
	}
	type forecast struct {
		Date string `json:"date"`
		High int    `json:"high"`
		Low  int    `json:"low"`
		Sky  string `json:"sky"`
	}
	skies := []string{"clear", "a few clouds", "rain"}
	var days []forecast
	for i := range n {
		days = append(days, forecast{day.AddDate(0, 0, i).Format(time.DateOnly), 21 + i, 12 + i, skies[i%len(skies)]})
	}
	answer(w, map[string]any{"city": r.PathValue("city"), "units": r.FormValue("units"), "days": days})
}

func localTime(w http.ResponseWriter, r *http.Request) {
	answer(w, map[string]any{"city": r.PathValue("city"), "time": day.Format(time.Kitchen), "utc_offset": "+00:00"})
}

func book(w http.ResponseWriter, r *http.Request) {
	var order struct {
		Destination string
		Stay        struct{ From, To string }
		Party       int
	}
	if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
		refuse(w, "the order is not the JSON expected: "+err.Error())
		return
	}
	from, err1 := time.Parse(time.DateOnly, order.Stay.From)
	to, err2 := time.Parse(time.DateOnly, order.Stay.To)
	if err1 != nil || err2 != nil || to.Before(from) {
		refuse(w, "stay.from and stay.to must be dates in that order")
		return
	}
	nights := int(to.Sub(from).Hours() / 24)
	answer(w, map[string]any{
		"booking":  "TRIP-" + from.Format("0102") + strconv.Itoa(nights),
		"city":     order.Destination,
		"total":    95 * nights * max(order.Party, 1),
		"currency": "EUR",
	})
}

// report takes an order, and calls back when it is done.
func report(w http.ResponseWriter, r *http.Request) {
	var order struct {
		Type     string `json:"report_type"`
		Range    string `json:"date_range"`
		Callback string `json:"callbackUrl"`
	}
	if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
		refuse(w, "the order is not the JSON expected: "+err.Error())
		return
	}
	time.AfterFunc(time.Second, func() {
		done, err := json.Marshal(map[string]string{
			"report_url": "https://reports.example.com/" + order.Type + "/" + order.Range + ".pdf",
			"status":     "done",
		})
		if err != nil {
			return
		}
		if resp, err := http.Post(order.Callback, "application/json", bytes.NewReader(done)); err == nil {
			_ = resp.Body.Close()
		}
	})
	w.WriteHeader(http.StatusAccepted)
}

// member says who a token is of, which the OAuth server of the demo knows.
func member(w http.ResponseWriter, r *http.Request) {
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), "Bearer ")
	question := url.Values{"token": {token}, "client_id": {"posting"}, "client_secret": {"posting-secret-42"}}
	resp, err := http.PostForm("http://127.0.0.1:8795/token/introspection", question)
	if err != nil {
		refuse(w, err.Error())
		return
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	var known struct {
		Active bool
		Client string `json:"client_id"`
		Member string `json:"sub"`
	}
	if json.NewDecoder(resp.Body).Decode(&known) != nil || !known.Active {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	answer(w, map[string]any{"client": known.Client, "member": known.Member})
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": message})
}
