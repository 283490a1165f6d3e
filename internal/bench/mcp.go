package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// toolboxFile is a file of MCP Toolbox that both programs serve.
const toolboxFile = `sources:
  flights: {kind: sqlite, database: %q}
  weather: {kind: http, baseUrl: %q, allowPrivateNetworks: true}
tools:
  make_flights:
    kind: sqlite-sql
    source: flights
    description: Makes the table
    statement: CREATE TABLE IF NOT EXISTS flights AS SELECT 'CY' AS airline, '0123' AS flight_number, 10.5 AS price
  search_flights:
    kind: sqlite-sql
    source: flights
    description: Finds the flights of an airline
    statement: SELECT * FROM flights WHERE airline = ? LIMIT 10
    parameters:
      - {name: airline, type: string, description: Two letters}
  get_weather:
    kind: http
    source: weather
    method: GET
    path: /cities
    description: The weather of a city
    queryParams:
      - {name: city, type: string, description: The name of the city}
`

// mcpCalls are the measured calls, by the beginnings of their figures' names.
var mcpCalls = map[string]object{
	"mcp_sqlite": {"name": "search_flights", "arguments": object{"airline": "CY"}},
	"mcp_http":   {"name": "get_weather", "arguments": object{"city": "Lisbon"}},
}

// measureMCP measures calls of a SQLite tool and of an HTTP tool over MCP, by this program and by
// MCP Toolbox, on the same file, database and server. The programs take turns.
func (b *bench) measureMCP() error {
	host, stop, err := serveWeather()
	if err != nil {
		return err
	}
	defer stop()
	file := filepath.Join(b.folder, "tools.yaml")
	text := fmt.Sprintf(toolboxFile, filepath.Join(b.folder, "flights.db"), "http://"+host)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	if out, err := b.command(b.program, "run", file, "make_flights", "--yes").CombinedOutput(); err != nil {
		return fmt.Errorf("make_flights: %w: %s", err, out)
	}
	own, err := startMCP(b.ownFigures, b.command(b.program, "mcp", file, "--allow-host", host))
	if err != nil {
		return err
	}
	defer own.end()
	servers := []*mcpServer{own}
	if b.toolbox != "" {
		other, err := startMCP(b.figuresOf("toolbox"), b.command(b.toolbox, "--stdio", "--disable-version-check", "--config", file))
		if err != nil {
			return err
		}
		defer other.end()
		servers = append(servers, other)
	}
	for name, params := range mcpCalls {
		if err := callInTurns(name, params, servers); err != nil {
			return err
		}
	}
	return nil
}

// callInTurns makes a call many times on each server, and sets the servers' figures.
func callInTurns(name string, params object, servers []*mcpServer) error {
	const rounds, warm, calls = 55, 5, 20
	took := make([][]time.Duration, len(servers))
	for round := range rounds {
		for i, s := range servers {
			for range calls {
				one, err := s.call(params)
				if err != nil {
					return err
				}
				if round >= warm {
					took[i] = append(took[i], one)
				}
			}
		}
	}
	for i, s := range servers {
		s.figures.setTime(name+"_p50_ms", quantile(took[i], 0.5))
		s.figures.setTime(name+"_p99_ms", quantile(took[i], 0.99))
	}
	return nil
}

// mcpServer is a program that serves tools over MCP on its pipes.
type mcpServer struct {
	figures figures
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	lastID  int
}

// startMCP starts a server and initializes it. The caller must end it.
func startMCP(into figures, cmd *exec.Cmd) (*mcpServer, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &mcpServer{figures: into, cmd: cmd, in: in, out: bufio.NewReader(out)}
	_, _, err = s.ask("initialize", object{
		"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": "bench", "version": "1"},
	})
	if err == nil {
		_, err = io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	if err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// end ends the server.
func (s *mcpServer) end() {
	s.in.Close()
	time.AfterFunc(5*time.Second, func() { _ = s.cmd.Process.Kill() })
	_ = s.cmd.Wait() // MCP says nothing of how a server ends
}

// call calls a tool and returns how long that took.
func (s *mcpServer) call(params object) (time.Duration, error) {
	took, answer, err := s.ask("tools/call", params)
	if err != nil {
		return 0, err
	}
	result, err := decode[struct {
		IsError bool `json:"isError"`
	}](answer.Result)
	if err != nil || result.IsError {
		return 0, fmt.Errorf("%s: %s: %s, %w", s.cmd.Path, params["name"], answer.Result, err)
	}
	return took, nil
}

// ask sends a request and waits for its answer.
func (s *mcpServer) ask(method string, params object) (took time.Duration, answer message, err error) {
	s.lastID++
	line, err := json.Marshal(object{"jsonrpc": "2.0", "id": s.lastID, "method": method, "params": params})
	if err != nil {
		return 0, answer, err
	}
	begin := time.Now()
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return 0, answer, err
	}
	for string(answer.ID) != fmt.Sprint(s.lastID) { // and past what it asks or says
		if line, err = s.out.ReadBytes('\n'); err != nil {
			return 0, answer, fmt.Errorf("%s: %w", method, err)
		}
		took = time.Since(begin)
		answer = message{}
		if err := json.Unmarshal(line, &answer); err != nil {
			return 0, answer, err
		}
	}
	if answer.Error != nil {
		err = fmt.Errorf("%s: %s", method, answer.Error.Message)
	}
	return took, answer, err
}
