package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// sharedClients is how many clients call at the same time.
const sharedClients = 64

// allCalls is how many calls they make for figures that are stored.
const allCalls = 100_000

// measureShared measures how many calls of an HTTP tool one server answers in a second, and two that
// share a Redis server, and the memory of the one after all of its calls.
func (b *bench) measureShared() error {
	host, stop, err := serveWeather()
	if err != nil {
		return err
	}
	defer stop()
	file := filepath.Join(b.folder, "weather.tools.abl")
	if err := writeWeatherTool(file, host); err != nil {
		return err
	}
	serve := func(more ...string) (*httpServer, error) {
		return startHTTP(b.command(b.program, append([]string{"mcp", file, "--http", "0", "--allow-host", host}, more...)...))
	}
	one, err := serve()
	if err != nil {
		return err
	}
	rate, err := callRate(b.calls, "", one)
	b.ownFigures.setMemory("mcp_one_server_mib", one.end())
	b.ownFigures["mcp_one_server_per_s"] = roundFigure(rate)
	if err != nil {
		return err
	}
	redis, err := findRedis()
	if err != nil {
		b.reportLeftOut("two servers that share a Redis server", err)
		return nil
	}
	address, stopRedis, err := b.startRedis(redis)
	if err != nil {
		return err
	}
	defer stopRedis()
	return b.measureTwoServers(func() (*httpServer, error) { return serve("--shared", "redis://"+address, "--state-key", stateKey) })
}

// measureTwoServers measures two servers that share a Redis server. Only calls with a key use it.
func (b *bench) measureTwoServers(serve func() (*httpServer, error)) error {
	var two []*httpServer
	for range 2 {
		s, err := serve()
		if err != nil {
			return err
		}
		defer s.end()
		two = append(two, s)
	}
	for figure, key := range map[string]string{"mcp_two_servers_per_s": "", "mcp_two_servers_keyed_per_s": "bench"} {
		rate, err := callRate(b.calls, key, two...)
		if err != nil {
			return err
		}
		b.ownFigures[figure] = roundFigure(rate)
	}
	return nil
}

// stateKey is the name of the secret that seals what servers share. It is also its value.
const stateKey = "ABL_BENCH_STATE_KEY"

// httpServer is a process of `abl-lsp mcp --http`.
type httpServer struct {
	cmd *exec.Cmd
	url string
}

// startHTTP starts a server, and waits until it serves. The caller must end it.
func startHTTP(cmd *exec.Cmd) (*httpServer, error) {
	cmd.Env = append(cmd.Env, stateKey+"="+stateKey)
	errs, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &httpServer{cmd: cmd}
	lines := bufio.NewScanner(errs)
	var said []string
	for lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "serving at "); ok {
			s.url = url
			go func() { _, _ = io.Copy(io.Discard, errs) }() // its log
			return s, nil
		}
		said = append(said, lines.Text())
	}
	s.end()
	return nil, fmt.Errorf("%v: %s", cmd.Args, strings.Join(said, "\n"))
}

// end ends the server, and returns the most memory that it used, in bytes.
func (s *httpServer) end() int64 {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
	return peakMemory(s.cmd.ProcessState)
}

// callRate makes a number of calls by many clients at once, who take the servers in turn, and returns
// how many were answered in a second. With a key, each call has an idempotency key of its own that
// begins with it.
func callRate(calls int, key string, servers ...*httpServer) (float64, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: sharedClients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: answerTimeout}
	if err := callAtOnce(client, sharedClients, "", servers); err != nil { // opens the connections
		return 0, err
	}
	begin := time.Now()
	err := callAtOnce(client, calls, key, servers)
	return float64(calls) / time.Since(begin).Seconds(), err
}

// callAtOnce makes a number of calls by many clients at once. It stops at the first error.
func callAtOnce(client *http.Client, calls int, key string, servers []*httpServer) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	var begun atomic.Int64
	var clients sync.WaitGroup
	for range sharedClients {
		clients.Go(func() {
			for ctx.Err() == nil {
				n := int(begun.Add(1))
				if n > calls {
					return
				}
				own := ""
				if key != "" {
					own = fmt.Sprintf("%s-%d", key, n)
				}
				if err := callWeather(ctx, client, servers[n%len(servers)].url, n, own); err != nil {
					cancel(err)
				}
			}
		})
	}
	clients.Wait()
	return context.Cause(ctx)
}

// callWeather makes one call, with an idempotency key unless that is "".
func callWeather(ctx context.Context, client *http.Client, url string, id int, key string) error {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get_weather","arguments":{"city":"Lisbon"},`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, id)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "get_weather", "Idempotency-Key": key,
	} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err == nil && !bytes.Contains(raw, []byte("Lisbon")) {
		err = fmt.Errorf("get_weather: %s: %s", resp.Status, raw)
	}
	return err
}

// findRedis returns the path of redis-server, from PATH or where `make test` installs it.
func findRedis() (string, error) {
	if path, err := exec.LookPath("redis-server"); err == nil {
		return path, nil
	}
	path, err := filepath.Abs(filepath.Join(".cache", "bin", "redis-server"))
	if err == nil {
		path, err = exec.LookPath(path)
	}
	return path, err
}

// startRedis starts a Redis server without data, and returns its address; stop ends it.
func (b *bench) startRedis(program string) (address string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	address = l.Addr().String()
	_, port, err := net.SplitHostPort(address)
	if err := errors.Join(err, l.Close()); err != nil {
		return "", nil, err
	}
	cmd := b.command(program, "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no")
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}
	for end := time.Now().Add(answerTimeout); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			return address, stop, conn.Close()
		}
		if time.Now().After(end) {
			stop()
			return "", nil, fmt.Errorf("redis-server: %w", err)
		}
	}
}
