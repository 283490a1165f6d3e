// Command api is the small HTTP API that the demo's tools call: made-up
// weather, local times, bookings and repositories. It listens on loopback, prints its
// address, and ends when its standard input ends.
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
	mux.HandleFunc("GET /v1/cities/{city}/weather", getWeather)
	mux.HandleFunc("GET /v1/cities/{city}/time", getTime)
	mux.HandleFunc("POST /v1/bookings", createBooking)
	mux.HandleFunc("POST /v1/reports", createReport)
	mux.HandleFunc("GET /v1/loyalty/me", getMember)
	mux.HandleFunc("GET /user/repos", listRepositories)
	mux.HandleFunc("POST /user/repos", createRepository)
	mux.HandleFunc("POST /messages", streamMessage)
	handleNotes(mux)
	server := http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	return server.Serve(l)
}

// day is the first day of the made-up forecast, so that two demos print the same.
var day = time.Date(2026, time.June, 1, 9, 0, 0, 0, time.UTC)

func getWeather(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.FormValue("days"))
	if err != nil || n < 1 || n > 7 {
		writeError(w, "days must be a number from 1 to 7")
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
	writeJSON(w, map[string]any{"city": r.PathValue("city"), "units": r.FormValue("units"), "days": days})
}

func getTime(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, map[string]any{"city": r.PathValue("city"), "time": day.Format(time.Kitchen), "utc_offset": "+00:00"})
}

func createBooking(w http.ResponseWriter, r *http.Request) {
	var order struct {
		Destination string
		Stay        struct{ From, To string }
		Party       int
	}
	if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
		writeError(w, "the order is not the JSON expected: "+err.Error())
		return
	}
	from, err1 := time.Parse(time.DateOnly, order.Stay.From)
	to, err2 := time.Parse(time.DateOnly, order.Stay.To)
	if err1 != nil || err2 != nil || to.Before(from) {
		writeError(w, "stay.from and stay.to must be dates in that order")
		return
	}
	nights := int(to.Sub(from).Hours() / 24)
	writeJSON(w, map[string]any{
		"booking":  "TRIP-" + from.Format("0102") + strconv.Itoa(nights),
		"city":     order.Destination,
		"total":    95 * nights * max(order.Party, 1),
		"currency": "EUR",
	})
}

// createReport accepts an order, and calls back when the report is done.
func createReport(w http.ResponseWriter, r *http.Request) {
	var order struct {
		Type     string `json:"report_type"`
		Range    string `json:"date_range"`
		Callback string `json:"callbackUrl"`
	}
	if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
		writeError(w, "the order is not the JSON expected: "+err.Error())
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

// getMember says whose token it is, as the OAuth server of the demo says.
func getMember(w http.ResponseWriter, r *http.Request) {
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), "Bearer ")
	question := url.Values{"token": {token}, "client_id": {"posting"}, "client_secret": {"posting-secret-42"}}
	resp, err := http.PostForm("http://127.0.0.1:8795/token/introspection", question)
	if err != nil {
		writeError(w, err.Error())
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
	writeJSON(w, map[string]any{"client": known.Client, "member": known.Member})
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func writeError(w http.ResponseWriter, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": message})
}
