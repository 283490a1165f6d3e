package http_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/tool"
)

// asServer is the variable that makes the test binary a server. Its value is the time after which
// the server answers.
const asServer = "ABL_LSP_TEST_AS_SERVER"

func TestMain(m *testing.M) {
	if after, err := time.ParseDuration(os.Getenv(asServer)); err == nil {
		if err := serve(after); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// serve answers requests until its input ends. It prints its address.
func serve(after time.Duration) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(os.NewFile(1, "stdout"), l.Addr()); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.NewFile(0, "stdin"))
		_ = l.Close()
	}()
	_ = nethttp.Serve(l, rooms(after))
	return nil
}

// rooms gives every request the same small answer after a delay.
func rooms(after time.Duration) nethttp.HandlerFunc {
	return func(w nethttp.ResponseWriter, r *nethttp.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(after)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"rooms": [{"id": "r1", "price": 120.50}, {"id": "r2", "price": 99}], "total": 2}`)
	}
}

// BenchmarkRun compares a run over loopback with Go's own client, which makes the same request and
// decodes the same answer, alone and 64 at a time. The server is in this process and answers at
// once, or it is another process and answers as slowly as an API.
func BenchmarkRun(b *testing.B) {
	for _, where := range []struct {
		name string
		addr func(testing.TB) string
	}{
		{"at-once", here},
		{"after-5ms", there},
	} {
		b.Run(where.name, func(b *testing.B) { compare(b, where.addr(b)) })
	}
}

func here(tb testing.TB) string {
	srv := httptest.NewServer(rooms(0))
	tb.Cleanup(srv.Close)
	return srv.Listener.Addr().String()
}

func there(tb testing.TB) string {
	cmd := exec.CommandContext(tb.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asServer+"=5ms")
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil {
		tb.Fatal(err1, err2)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		tb.Fatal(err)
	}
	return strings.TrimSpace(addr)
}

func compare(b *testing.B, addr string) {
	guard, err := dial.NewGuard([]string{addr})
	if err != nil {
		b.Fatal(err)
	}
	client := &nethttp.Client{Transport: shared.Transport(guard)}
	x, req := newExecutor(), booking(addr)
	for _, bm := range []struct {
		name string
		once func() error
	}{
		{"client", func() error { return plain(client, "http://"+addr) }},
		{"run", func() error { return run(b.Context(), x, req) }},
	} {
		b.Run(bm.name+"/alone", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := bm.once(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(bm.name+"/64", func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(64 / runtime.GOMAXPROCS(0))
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := bm.once(); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}

// TestAllocationsOfARun bounds the allocations of a run. About 100 of them are those of the client
// and the server in this process, and 25 those of the phases and of the response's headers.
func TestAllocationsOfARun(t *testing.T) {
	const most = 230
	addr := here(t)
	x, req := newExecutor(), booking(addr)
	got := testing.AllocsPerRun(200, func() {
		if err := run(t.Context(), x, req); err != nil {
			t.Fatal(err)
		}
	})
	if got > most {
		t.Errorf("%.0f allocations, at most %d", got, most)
	}
}

// booking returns a call with a secret, and with arguments in the path and in the body.
func booking(addr string) executor.Request {
	tl := a(&tool.HTTP{Method: "POST", Endpoint: "/hotels/{id}/rooms", Headers: map[string]string{"X-Key": "{{secrets.KEY}}"}}, "id", "from", "to")
	tl.Hints.SideEffects = "false"
	return executor.Request{
		Tool: tl, Args: json.RawMessage(`{"id": "h 1", "from": "2026-06-01", "to": "2026-06-05"}`), Trusted: true,
		AllowHosts:  []string{addr},
		Environment: executor.Environment{BaseURL: "http://" + addr},
		Secrets:     map[string]string{"KEY": "some-secret-value"},
	}
}

func run(ctx context.Context, x *executor.Executor, req executor.Request) error {
	if e := x.Run(ctx, req); !e.OK {
		return e.Error
	}
	return nil
}

func plain(c *nethttp.Client, url string) error {
	req, err := nethttp.NewRequest(nethttp.MethodPost, url+"/hotels/h%201/rooms", bytes.NewReader([]byte(`{"from":"2026-06-01","to":"2026-06-05"}`)))
	if err != nil {
		return err
	}
	req.Header.Set("X-Key", "some-secret-value")
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var v any
	return json.Unmarshal(body, &v)
}

// BenchmarkMemory makes 100,000 runs, and reports how much more memory is in use after them than
// after the first 20,000.
func BenchmarkMemory(b *testing.B) {
	addr := here(b)
	x := newExecutor()
	for b.Loop() {
		before := used(b, x, addr, 20_000) // what is remembered has its full number
		after := used(b, x, addr, 100_000)
		b.ReportMetric(float64(after)-float64(before), "B-more")
	}
}

// used returns the bytes in use on the heap after a number of runs. Each run is of another tool,
// and uses every step that remembers something.
func used(tb testing.TB, x *executor.Executor, addr string, runs int) uint64 {
	tb.Helper()
	var all sync.WaitGroup
	next := make(chan int)
	for range 8 {
		all.Go(func() {
			for i := range next {
				req := booking(addr)
				req.Tool.Name = fmt.Sprint("tool_", i)
				req.Tool.Hints.Cacheable = "true"
				s := req.Tool.Spec.(*tool.HTTP)
				s.RateLimit, s.CircuitBreaker = "1000000", &tool.CircuitBreaker{}
				if err := run(tb.Context(), x, req); err != nil {
					tb.Error(err)
				}
			}
		})
	}
	for i := range runs {
		next <- i
	}
	close(next)
	all.Wait()
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestNothingIsLeft checks that neither memory nor goroutines accumulate with the number of runs.
func TestNothingIsLeft(t *testing.T) {
	addr, x := here(t), newExecutor()
	before, goroutines := used(t, x, addr, 1000), runtime.NumGoroutine()
	after := used(t, x, addr, 2000)
	const room = 6 << 20 // for twice as many results, and what the runtime has in hand
	if after > before+room {
		t.Errorf("%d kB more in use after the second time", (after-before)>>10)
	}
	if n := runtime.NumGoroutine(); n > goroutines+16 {
		t.Errorf("%d goroutines, %d before", n, goroutines)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}
