package redis

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/state"
	"github.com/abl-lsp/abl-lsp/internal/redistest"
)

// TestNothingIsReadable checks that Redis has neither keys nor values that can be read.
func TestNothingIsReadable(t *testing.T) {
	server := redistest.Start(t)
	s := open(t, server, "p")
	defer s.Close()
	ctx := t.Context()
	const secret = "arg-1234"
	for _, err := range []error{
		s.Put(ctx, "b", "key "+secret, "value "+secret, time.Hour),
		s.Put(ctx, "b", "forever "+secret, []string{secret}, state.Forever),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if ok, err := s.CompareAndSwap(ctx, "b", "swapped "+secret, "", secret, time.Hour); !ok || err != nil {
		t.Fatal(ok, err)
	}
	s.Reserve(ctx, "rate "+secret, state.Rate{PerSecond: 1}, time.Second)
	s.Record(ctx, "circuit "+secret, state.Breaker{Threshold: 2, Reset: time.Minute}, true)
	leave, err := s.Announce(ctx, "process "+secret)
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	client := server.Client(t)
	names, err := client.Keys(ctx, "*").Result()
	if err != nil || len(names) != 7 { // three values, the set of their bucket, a rate, a circuit, a process
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			dump, err := client.Dump(ctx, name).Result()
			if err != nil || strings.Contains(name+dump, secret) || !strings.HasPrefix(name, "{p}:") {
				t.Errorf("%q, %q, %v", name, dump, err)
			}
		})
	}
}

// TestForeignValues checks that values which were sealed with another key, for another place or not at
// all are errors.
func TestForeignValues(t *testing.T) {
	server := redistest.Start(t)
	var log bytes.Buffer
	s, err := Open(Options{URL: server.URL(), Prefix: "p", Key: "the state key", Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	other, err := Open(Options{URL: server.URL(), Prefix: "p", Key: "another state key"})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	ctx, client := t.Context(), server.Client(t)
	if err := s.Put(ctx, "b", "k", "v", state.Forever); err != nil {
		t.Fatal(err)
	}
	name := s.seal.name(kindOfBucket("b"), "k")
	good, err := client.Get(ctx, name).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(good)
	changed[len(changed)-1] ^= 1
	elsewhere := s.seal.name(kindOfBucket("b"), "elsewhere")
	for what, write := range map[string]struct {
		name, key string
		value     []byte
	}{
		"for another key":  {elsewhere, "elsewhere", good},
		"for another name": {s.seal.name(kindOfBucket("c"), "k"), "", good},
		"changed":          {name, "k", changed},
		"short":            {name, "k", good[:10]},
		"plain":            {name, "k", []byte(`"v"`)},
		"another's":        {name, "k", sealedBy(t, other, name)},
	} {
		t.Run(what, func(t *testing.T) {
			if err := client.Set(ctx, write.name, write.value, 0).Err(); err != nil {
				t.Fatal(err)
			}
			bucket, key := "b", write.key
			if key == "" {
				bucket, key = "c", "k"
			}
			if ok, err := s.Get(ctx, bucket, key, new(string)); ok || !errors.Is(err, errForeign) {
				t.Errorf("%v, %v", ok, err)
			}
			if ok, err := s.CompareAndSwap(ctx, bucket, key, "v", "w", state.Forever); ok || !errors.Is(err, errForeign) {
				t.Errorf("%v, %v", ok, err)
			}
		})
	}
	if err := s.Put(ctx, "b", "good", "v", state.Forever); err != nil {
		t.Fatal(err)
	}
	for range 3 { // the good one is found, and the log is told once
		var keys []string
		if err := s.Each(ctx, "b", func(key string, _ json.RawMessage) { keys = append(keys, key) }); err != nil || !slices.Equal(keys, []string{"good"}) {
			t.Errorf("%q, %v", keys, err)
		}
	}
	if n := strings.Count(log.String(), "another key"); n != 1 {
		t.Errorf("%d warnings: %s", n, &log)
	}
	if ok, err := other.Get(ctx, "b", "k", new(string)); ok || err != nil { // its entries have other names
		t.Errorf("%v, %v", ok, err)
	}
}

func sealedBy(t *testing.T, s *Store, name string) []byte {
	t.Helper()
	sealed, err := s.seal.close(name, "k", []byte(`"v"`))
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

func TestOpenRefuses(t *testing.T) {
	for name, o := range map[string]Options{
		"no key":     {URL: "redis://127.0.0.1:6379"},
		"no URL":     {Key: "k"},
		"a website":  {Key: "k", URL: "https://user:pass-word@example.com"},
		"a socket":   {Key: "k", URL: "unix:///run/redis.sock"},
		"a bad port": {Key: "k", URL: "redis://:pass-word@127.0.0.1:x"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Open(o); err == nil || strings.Contains(err.Error(), "pass-word") {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestOutage checks what happens while Redis is gone: limits are those of the process, everything else
// is an error, and the log is told once. Afterwards all is as before.
func TestOutage(t *testing.T) {
	server := redistest.Start(t)
	var log bytes.Buffer
	s, err := Open(Options{URL: server.URL(), Key: "the state key", Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	leave, err := s.Announce(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	server.Stop()
	for range 20 {
		checkUnavailable(t, s)
	}
	checkLocalLimits(t, s)
	if n := strings.Count(log.String(), "level=WARN"); n != 1 || strings.Contains(log.String(), redistest.Password) {
		t.Errorf("%d warnings: %s", n, &log)
	}
	server.Restart(t)
	eventually(t, "the server is not noticed", func() bool { return s.Ready(t.Context()) == nil })
	if err := s.Put(t.Context(), "b", "k", "v", state.Forever); err != nil {
		t.Fatal(err)
	}
	// The server has lost all leases, but a process whose lease could not be renewed is not dead.
	if alive, err := s.IsPresent(t.Context(), "a"); !alive || err != nil {
		t.Errorf("%v, %v", alive, err)
	}
	if !strings.Contains(log.String(), "again") {
		t.Errorf("%s", &log)
	}
	client := server.Client(t)
	eventually(t, "the lease is not renewed", func() bool { return client.Exists(t.Context(), s.seal.name("process", "a")).Val() == 1 })
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// checkUnavailable checks that nothing is assumed about values and processes.
func checkUnavailable(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	_, getErr := s.Get(ctx, "b", "k", new(string))
	swapped, swapErr := s.CompareAndSwap(ctx, "b", "k", "", "v", state.Forever)
	present, presentErr := s.IsPresent(ctx, "a")
	_, announceErr := s.Announce(ctx, "b")
	_, lockErr := state.Lock(ctx, s, "l", time.Second)
	if swapped || present {
		t.Error("something was assumed")
	}
	for what, err := range map[string]error{
		"get": getErr, "swap": swapErr, "present": presentErr, "announce": announceErr, "lock": lockErr, "ready": s.Ready(ctx),
		"put": s.Put(ctx, "b", "k", "v", state.Forever), "delete": s.Delete(ctx, "b", "k"),
		"each": s.Each(ctx, "b", func(string, json.RawMessage) {}),
	} {
		if !errors.Is(err, state.ErrUnavailable) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func checkLocalLimits(t *testing.T, s *Store) {
	t.Helper()
	ctx, b := t.Context(), state.Breaker{Threshold: 2, Reset: time.Minute}
	rate := state.Rate{PerSecond: 0.1}
	s.Reserve(ctx, "k", rate, 0)
	if turn := s.Reserve(ctx, "k", rate, 0); turn.Taken || turn.Wait < 5*time.Second {
		t.Errorf("%+v", turn)
	}
	s.Record(ctx, "k", b, true)
	s.Record(ctx, "k", b, true)
	if now, ok := s.Acquire(ctx, "k", b); ok || now.State != state.Open {
		t.Errorf("%+v, %v", now, ok)
	}
}

// TestSilence checks that limits do not wait for a server that does not answer, and that the end of a
// call does not count as an outage.
func TestSilence(t *testing.T) {
	server := redistest.Start(t)
	s := open(t, server, "")
	defer s.Close()
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Ready(ended); !errors.Is(err, context.Canceled) || errors.Is(err, state.ErrUnavailable) || s.outage.isJustSeen() {
		t.Errorf("%v", err)
	}
	if err := server.Client(t).Do(t.Context(), "CLIENT", "PAUSE", 5000, "ALL").Err(); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if turn := s.Reserve(t.Context(), "k", state.Rate{PerSecond: 1}, 0); !turn.Taken {
		t.Errorf("%+v", turn)
	}
	if took := time.Since(begin); took < limitTimeout || took > 3*limitTimeout {
		t.Errorf("the first took %v", took)
	}
	begin = time.Now()
	for range 100 {
		s.Reserve(t.Context(), "k", state.Rate{PerSecond: 1}, 0)
	}
	if took := time.Since(begin); took > limitTimeout {
		t.Errorf("further ones took %v", took)
	}
	if _, err := s.Get(t.Context(), "b", "k", new(string)); !errors.Is(err, state.ErrUnavailable) {
		t.Errorf("%v", err)
	}
}

// TestTLS checks that a server whose certificate is not known is not used.
func TestTLS(t *testing.T) {
	s := open(t, redistest.StartTLS(t), "")
	defer s.Close()
	if err := s.Ready(t.Context()); !errors.Is(err, state.ErrUnavailable) || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("%v", err)
	}
}

// trustedURL is the variable with the address that the process of [TestTrustedTLS] calls.
const trustedURL = "ABL_TEST_TRUSTED_REDIS"

// TestTrustedTLS checks that a server is used whose certificate is signed by an authority that the system
// trusts, and only under its own name. A process reads these authorities once, so each row has one.
func TestTrustedTLS(t *testing.T) {
	if url := os.Getenv(trustedURL); url != "" {
		s, err := Open(Options{URL: url, Key: "k"})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		return
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the system's authorities are no file there")
	}
	server := redistest.StartTLS(t)
	for name, tt := range map[string]struct{ url, ca, why string }{
		"trusted":      {server.URL(), server.CA, ""},
		"not trusted":  {server.URL(), os.DevNull, "certificate"},
		"another name": {strings.Replace(server.URL(), server.Host, "localhost", 1), server.CA, "certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTrustedTLS$")
			cmd.Env = append(os.Environ(), trustedURL+"="+tt.url, "SSL_CERT_FILE="+tt.ca, "SSL_CERT_DIR="+os.DevNull)
			out, err := cmd.CombinedOutput()
			if (err != nil) != (tt.why != "") || !strings.Contains(string(out), tt.why) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
