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
`

// measureMCP measures a call of a SQLite tool over MCP, by this program and by MCP Toolbox on
// the same database.
func (b *bench) measureMCP() error {
	file := filepath.Join(b.folder, "tools.yaml")
	text := fmt.Sprintf(toolboxFile, filepath.Join(b.folder, "flights.db"))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	if out, err := b.command(b.program, "run", file, "make_flights", "--yes").CombinedOutput(); err != nil {
		return fmt.Errorf("make_flights: %w: %s", err, out)
	}
	if err := measureCalls(b.ownFigures, b.command(b.program, "mcp", file)); err != nil {
		return err
	}
	if b.toolbox == "" {
		return nil
	}
	return measureCalls(b.figuresOf("toolbox"), b.command(b.toolbox, "--stdio", "--disable-version-check", "--config", file))
}

// measureCalls calls the tool of a server many times.
func measureCalls(into figures, cmd *exec.Cmd) error {
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	took, err := callMany(in, bufio.NewReader(out))
	if err == nil {
		into.setTime("mcp_sqlite_p50_ms", quantile(took, 0.5))
		into.setTime("mcp_sqlite_p99_ms", quantile(took, 0.99))
	}
	in.Close()
	time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // MCP says nothing of how a server ends
	return err
}

func callMany(in io.Writer, out *bufio.Reader) ([]time.Duration, error) {
	ask := func(id int, method string, params object) (took time.Duration, answer message, err error) {
		line, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		if err != nil {
			return 0, answer, err
		}
		begin := time.Now()
		if _, err := in.Write(append(line, '\n')); err != nil {
			return 0, answer, err
		}
		for string(answer.ID) != fmt.Sprint(id) { // and past what it asks or says
			if line, err = out.ReadBytes('\n'); err != nil {
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
	_, _, err := ask(0, "initialize", object{
		"protocolVersion": "2025-06-18", "capabilities": object{}, "clientInfo": object{"name": "bench", "version": "1"},
	})
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		return nil, err
	}
	const calls, warm = 1000, 100
	var all []time.Duration
	for i := range warm + calls {
		took, answer, err := ask(i+1, "tools/call", object{"name": "search_flights", "arguments": object{"airline": "CY"}})
		if err != nil {
			return nil, err
		}
		result, err := decode[struct {
			IsError bool `json:"isError"`
		}](answer.Result)
		if err != nil || result.IsError {
			return nil, fmt.Errorf("search_flights: %s, %w", answer.Result, err)
		}
		if i >= warm {
			all = append(all, took)
		}
	}
	return all, nil
}
