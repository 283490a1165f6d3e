package sql_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/internal/sqltest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// sleeping are the queries that count the runs of [system.forever] on a server.
var sleeping = map[string]string{
	"postgres": "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND query NOT LIKE '%pg_stat%' AND state = 'active'",
	"mariadb":  "SELECT count(*) AS n FROM information_schema.processlist WHERE info LIKE '%SLEEP(600)%' AND info NOT LIKE '%processlist%'",
}

// await asks until the answer is the expected one. patience only bounds a test that fails.
func (s session) await(statement, want string) {
	s.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for s.ok(sqlTool(statement), "") != want {
		if time.Now().After(deadline) {
			s.t.Fatal("it does not come to " + want)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// begin starts a run that can be cancelled.
func (s session) begin(tl tool.Tool) (done chan executor.Envelope, cancel context.CancelFunc) {
	ctx, cancel := context.WithCancel(s.t.Context())
	r := s.req
	r.Tool, r.Trusted, r.Yes = &tl, true, true
	done = make(chan executor.Envelope, 1)
	go func() { done <- s.x.Run(ctx, r) }()
	return done, cancel
}

// TestWaiting checks that a source has at most four connections, that a run that waits for one can
// be cancelled, and that no connection is left after the last run.
func TestWaiting(t *testing.T) {
	for _, sys := range systems() {
		if sleeping[sys.name] == "" {
			continue
		}
		t.Run(sys.name, func(t *testing.T) {
			s, other := sys.session(t), sys.session(t)
			var all []chan executor.Envelope
			var stops []context.CancelFunc
			for i := range 4 {
				done, stop := s.begin(sqlTool(sys.forever))
				all, stops = append(all, done), append(stops, stop)
				other.await(sleeping[sys.name], fmt.Sprintf(`[{"n":%d}]`, i+1))
			}
			waiting, stop := s.begin(sqlTool(sys.forever))
			timed := sqlTool(sys.forever)
			timed.Hints.Timeout = "50"
			s.fails(timed, "", executor.KindTimeout, "hints.timeout") // so did the one before wait, if it could
			other.await(sleeping[sys.name], `[{"n":4}]`)
			stop()
			if e := <-waiting; e.OK || e.Error.Code != "cancelled" {
				t.Errorf("%+v", e.Error)
			}
			other.await(sleeping[sys.name], `[{"n":4}]`)
			for i, stop := range stops {
				stop()
				if e := <-all[i]; e.OK || e.Error.Code != "cancelled" {
					t.Errorf("%+v", e.Error)
				}
			}
			other.await(sleeping[sys.name], `[{"n":0}]`)
			s.ok(sqlTool("SELECT 1 AS a"), "")
		})
	}
}

// TestClosed checks that a closed source leaves no connection to its server.
func TestClosed(t *testing.T) {
	for system, count := range map[string]string{
		"postgres": "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'to close'",
		"mariadb":  "SELECT count(*) AS n FROM information_schema.processlist WHERE user = 'abl' AND id <> CONNECTION_ID()",
	} {
		t.Run(system, func(t *testing.T) {
			s, other := sessionOf(t, system), sessionOf(t, system)
			if system == "postgres" {
				src := s.req.Environment.Sources["db"]
				src.QueryParams = map[string]string{"application_name": "to close"}
				s.req.Environment.Sources = map[string]tool.Source{"db": src}
			}
			for range 3 {
				s.ok(sqlTool("SELECT 1 AS a"), "")
			}
			if err := s.x.Close(); err != nil {
				t.Error(err)
			}
			other.await(count, `[{"n":0}]`)
		})
	}
}

// TestDies checks that a run ends when its server goes away, and that a later one says so.
func TestDies(t *testing.T) {
	for name, server := range map[string]*sqltest.Server{"postgres": sqltest.Postgres(), "mariadb": sqltest.MariaDB()} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(server.Close)
			s, other := serverSession(t, server), serverSession(t, server)
			forever := "SELECT pg_sleep(600)"
			if name == "mariadb" {
				forever = "SELECT SLEEP(600)"
			}
			done, cancel := s.begin(sqlTool(forever))
			defer cancel()
			other.await(sleeping[name], `[{"n":1}]`)
			server.Close()
			e := <-done // PostgreSQL may say that it goes, or just go
			if e.OK || e.Error.Kind != executor.KindRemote && (e.Error.Code != "lost" || !strings.Contains(e.Error.Message, "the connection ended")) {
				t.Errorf("%+v", e.Error)
			}
			for range 2 {
				e := s.run(sqlTool("SELECT 1 AS a"), "")
				if e.OK || e.Error.Kind != executor.KindNetwork {
					t.Errorf("%+v", e.Error)
				}
			}
		})
	}
}
