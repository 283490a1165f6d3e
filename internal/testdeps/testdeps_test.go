package testdeps

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// stopped is a test that records how it ends.
type stopped struct {
	testing.TB
	end string
}

func (s *stopped) Helper()                           {}
func (s *stopped) Logf(format string, args ...any)   { s.say("goes on", format, args) }
func (s *stopped) Skipf(format string, args ...any)  { s.say("skipped", format, args) }
func (s *stopped) Fatalf(format string, args ...any) { s.say("failed", format, args) }

// say records the first message; a real test would end there.
func (s *stopped) say(how, format string, args []any) {
	if s.end == "" {
		s.end = how + ": " + fmt.Sprintf(format, args...)
	}
}

func TestMissing(t *testing.T) {
	for name, tt := range map[string]struct {
		required, want string
		ask            func(testing.TB)
	}{
		"a program":                         {"", "skipped: no-🛫 is not on PATH: `make test` gets it", func(t testing.TB) { FindProgram(t, "no-🛫") }},
		"a program, all required":           {"1", "failed: no-🛫 is not on PATH: `make test` gets it", func(t testing.TB) { FindProgram(t, "no-🛫") }},
		"a program that is optional":        {"", "goes on: not everything is tested: no-🛫 is not on PATH", func(t testing.TB) { HasProgram(t, "no-🛫") }},
		"a package that is optional":        {"", "goes on: not everything is tested: npm's no-🛫 is not in .cache/npm", func(t testing.TB) { HasNPMPackage(t, "no-🛫") }},
		"an optional package, all required": {"1", "failed: npm's no-🛫 is not in .cache/npm: `make test` gets it", func(t testing.TB) { HasNPMPackage(t, "no-🛫") }},
		"an optional program, all required": {"1", "failed: no-🛫 is not on PATH: `make test` gets it", func(t testing.TB) { HasProgram(t, "no-🛫") }},
		"a package of npm":                  {"", "skipped: npm's no-🛫 is not in .cache/npm: `make test` gets it", func(t testing.TB) { FindNPMPackage(t, "no-🛫") }},
		"a package of npm, all required":    {"1", "failed: npm's no-🛫 is not in .cache/npm: `make test` gets it", func(t testing.TB) { FindNPMPackage(t, "no-🛫") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("ABL_REQUIRE_TESTDEPS", tt.required)
			s := &stopped{TB: t}
			if tt.ask(s); s.end != tt.want {
				t.Errorf("%q: %s", tt.want, s.end)
			}
		})
	}
}

// TestThere finds what is installed, from whatever folder the test is in.
func TestThere(t *testing.T) {
	t.Setenv("ABL_REQUIRE_TESTDEPS", "1")
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	program := filepath.Join(dir, "program.exe")
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if got := FindProgram(t, "program.exe"); got != program || !HasProgram(t, "program.exe") {
		t.Error(got)
	}
	if _, err := os.Stat(filepath.Join(CachePath(".."), "layout_test.go")); err != nil {
		t.Error(err)
	}
}

// TestMCPSuite starts the official test suite of MCP, which refuses an older Node.
func TestMCPSuite(t *testing.T) {
	suite := FindMCPSuite(t)
	cmd := exec.CommandContext(t.Context(), suite[0], append(suite[1:], "list", "--requirements", "2026-07-28")...)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "server-stateless") {
		t.Errorf("%v\n%s", err, out)
	}
}
