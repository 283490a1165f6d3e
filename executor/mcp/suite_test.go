package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// TestSuite runs the scenarios for clients of the protocol's official test suite. A file for each
// revision lists what fails, with the reasons; what it lists must fail.
func TestSuite(t *testing.T) {
	command := testdeps.FindMCPSuite(t)
	turns := giveTurns(t)
	for _, tt := range []struct {
		revision string
		least    int // of scenarios
	}{
		{"2025-11-25", 25}, {"2026-07-28", 39},
	} {
		t.Run(tt.revision, func(t *testing.T) {
			t.Parallel()
			known := readBaseline(t, filepath.Join("testdata", "suite", tt.revision+".yaml"))
			results := runSuite(t, command, turns, tt.revision)
			if len(results) < tt.least {
				t.Errorf("%d scenarios, want %d", len(results), tt.least)
			}
			passed := 0
			for scenario, checks := range results {
				for id, ok := range checks {
					if ok {
						passed++
					} else if !known[scenario] && !known[scenario+":"+id] {
						t.Errorf("%s: %s fails", scenario, id)
					}
				}
			}
			for name := range known {
				if !fails(results, name) {
					t.Errorf("%s does not fail any more: take it from the list", name)
				}
			}
			t.Logf("%d scenarios, %d checks pass", len(results), passed)
			checkTable(t, results)
		})
	}
}

// checkTable checks that the page for users says how many scenarios pass.
func checkTable(t *testing.T, results map[string]map[string]bool) {
	t.Helper()
	page, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	passing := 0
	for scenario := range results {
		if !fails(results, scenario) {
			passing++
		}
	}
	_, row, _ := strings.Cut(string(page), "\n| client, ")
	row, _, _ = strings.Cut(row, "\n")
	if want := fmt.Sprintf("| %d of %d |", passing, len(results)); !strings.Contains(row, want) {
		t.Errorf("docs/mcp.md does not say %q of clients: %s", want, row)
	}
}

// maxClients is how many clients of the suite run at the same time.
const maxClients = 4

// giveTurns listens at the address that it returns, and gives each client that connects a turn, which
// ends with its connection.
func giveTurns(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	turns := make(chan struct{}, maxClients)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return // the test has ended
			}
			go func() {
				turns <- struct{}{}
				defer func() { <-turns }()
				defer conn.Close()
				_, _ = conn.Write([]byte{1})
				_, _ = conn.Read(make([]byte, 1)) // its end
			}()
		}
	}()
	return l.Addr().String()
}

// fails reports whether a scenario, or the check of a scenario that is named after a colon, fails.
func fails(results map[string]map[string]bool, name string) bool {
	scenario, check, one := strings.Cut(name, ":")
	for id, ok := range results[scenario] {
		if !ok && (!one || id == check) {
			return true
		}
	}
	return false
}

var baselineLine = regexp.MustCompile(`^  - (\S+) # \S.*$`)

// readBaseline returns what a list of expected failures names. Each line must have a reason.
func readBaseline(t *testing.T, file string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if found := baselineLine.FindStringSubmatch(line); found != nil {
			names[found[1]] = true
		} else if line != "client:" && !strings.HasPrefix(line, "#") {
			t.Errorf("%s: %q is no name with a reason", file, line)
		}
	}
	return names
}

// resultFolder is the name of the folder of a scenario's results.
var resultFolder = regexp.MustCompile(`^(.*)-\d{4}-\d\d-\d\dT[-\dZ]+$`)

// runSuite runs the scenarios of a revision and returns which checks passed, by scenario.
func runSuite(t *testing.T, command []string, turns, revision string) map[string]map[string]bool {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := append(slices.Clone(command[1:]), "client", "--command", program, "--requirements", revision, "--timeout", "100000", "--output-dir", dir)
	cmd := exec.CommandContext(ctx, command[0], args...)
	cmd.Env = append(os.Environ(), "ABL_TEST_SUITE="+turns)
	cmd.WaitDelay = 5 * time.Second
	out, _ := cmd.CombinedOutput() // fails for any failure, also an expected one
	results := map[string]map[string]bool{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "checks.json" {
			return err
		}
		folder, err := filepath.Rel(dir, filepath.Dir(path))
		if err != nil {
			return err
		}
		found := resultFolder.FindStringSubmatch(filepath.ToSlash(folder))
		if found == nil {
			return fmt.Errorf("%s is of no scenario", folder)
		}
		results[found[1]], err = readChecks(path)
		return err
	})
	if err != nil || len(results) == 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	return results
}

// readChecks returns which checks of a scenario passed. Of a check that was made several times, all
// must pass. Warnings count as failures.
func readChecks(file string) (map[string]bool, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []struct{ ID, Status string }
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	checks := map[string]bool{}
	for _, c := range list {
		if c.Status == "SUCCESS" || c.Status == "FAILURE" || c.Status == "WARNING" {
			before, seen := checks[c.ID]
			checks[c.ID] = c.Status == "SUCCESS" && (before || !seen)
		}
	}
	return checks, nil
}
