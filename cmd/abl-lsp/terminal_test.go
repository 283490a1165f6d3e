package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/abl-lsp/abl-lsp/internal/oauthtest"

	"github.com/abl-lsp/abl-lsp/internal/secretservice"
)

// TestTerminal answers a run's questions in a terminal: for the argument that is missing,
// the confirmation, and the secret, which is not echoed.
func TestTerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a pseudo-terminal of Unix is needed; Windows has none")
	}
	api := httptest.NewServer(newAPI())
	defer api.Close()
	file := filepath.Join(t.TempDir(), "shop.tools.abl")
	source := strings.ReplaceAll(`TOOLS:
  order(item: string, size: string, code: string) -> object
    type: http
    endpoint: "@API@/echo/order"
    method: POST
    parameters:
      size: {allowed_values: [small, "🛫"]}
    input_schema: {properties: {code: {format: password}, gift: true}, required: [gift]}
    headers:
      Authorization: "Bearer {{secrets.SHOP_TOKEN}}"
`, "@API@", api.URL)
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "run", file, "order", "--args", "null", "--allow-host", strings.TrimPrefix(api.URL, "http://"))
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir(), "NO_COLOR=1")
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	screen := watch(tty)

	screen.await(t, "gift (any): ")
	typeLine(t, tty, "yes")
	screen.await(t, "item (string): ")
	typeLine(t, tty, "tea")
	screen.await(t, "size (small | 🛫): ")
	typeLine(t, tty, "small")
	screen.await(t, "code (string): ")
	typeLine(t, tty, "pass1234")
	screen.await(t, `"item": "tea"`) // of the request
	screen.await(t, "[y/N] ")
	typeLine(t, tty, "y")
	screen.await(t, "SHOP_TOKEN: ")
	typeLine(t, tty, "hunter22")
	screen.await(t, `"path": "/echo/order"`)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, screen)
	}
	if strings.Contains(screen.String(), "hunter22") || strings.Contains(screen.String(), "pass1234") {
		t.Errorf("a secret is on the screen:\n%s", screen)
	}
	if strings.ContainsRune(screen.String(), '\x1b') { // it has no colours, which NO_COLOR would forbid
		t.Errorf("an escape is on the screen: %q", screen)
	}
}

// TestInterrupt presses Ctrl-C at a question, which cancels the command.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a pseudo-terminal of Unix is needed; Windows has none")
	}
	file := filepath.Join(t.TempDir(), "shop.tools.abl")
	source := "TOOLS:\n  order(item: string) -> object\n    type: http\n    endpoint: \"https://shop.example.com/order\"\n    method: POST\n" +
		"  pay(pin: string) -> object\n    type: http\n    endpoint: \"https://shop.example.com/pay\"\n    method: POST\n" +
		"    input_schema: {properties: {pin: {format: password}}}\n"
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args     []string
		question string
	}{
		{[]string{"order", "--arg", "item=🛫"}, "[y/N] "},
		{[]string{"order"}, "item (string): "},
		{[]string{"pay"}, "pin (string): "},
	} {
		t.Run(tt.question, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], append([]string{"run", file}, tt.args...)...)
			cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir(), "NO_COLOR=1")
			tty, err := pty.Start(cmd)
			if err != nil {
				t.Fatal(err)
			}
			screen := watch(tty)
			screen.await(t, tt.question)
			if _, err := tty.WriteString("\x03"); err != nil {
				t.Fatal(err)
			}
			screen.await(t, "\r\nabl-lsp: cancelled\r\n")
			if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted || strings.Contains(screen.String(), "needs: ") {
				t.Errorf("%v\n%s", cmd.ProcessState, screen)
			}
			_ = tty.Close()
		})
	}
}

// TestSignInAtTerminal checks that the page is printed, and that the run continues after
// the person has signed in: at the service of an API, and at that which an MCP server names.
func TestSignInAtTerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a pseudo-terminal of Unix is needed; Windows has none")
	}
	server := oauthtest.Start(t)
	api := httptest.NewServer(http.HandlerFunc(server.ServeAPI))
	defer api.Close()
	whoami := sdk.NewServer(&sdk.Implementation{Name: "crm", Version: "1"}, nil)
	whoami.AddTool(&sdk.Tool{Name: "whoami", InputSchema: json.RawMessage(`{"type": "object"}`)}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{StructuredContent: map[string]string{"who": r.Extra.Header.Get(oauthtest.SubjectHeader)}, Content: []sdk.Content{}}, nil
	})
	protected := server.Protect(t, sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return whoami }, nil))
	for name, tt := range map[string]struct{ project, tool string }{
		"http": {"auth_services: {crm: {kind: oidc, issuer: \"" + server.URL + "\", client_id: desktop}}",
			"    type: http\n    endpoint: \"" + api.URL + "/me\"\n    method: GET\n    auth: oauth2_user\n    auth_config:\n      provider: crm\n"},
		"mcp": {"servers: {crm: {transport: http, url: \"" + protected.URL + "/mcp\"}}",
			"    type: mcp\n    server: crm\n    hints:\n      side_effects: false\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "crm.tools.abl")
			for path, text := range map[string]string{filepath.Join(dir, "abl.yaml"): tt.project, file: "TOOLS:\n  whoami() -> object\n" + tt.tool} {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			signInAtTerminal(t, file)
		})
	}
}

// signInAtTerminal runs the tool whoami of a file, and signs in as alice.
func signInAtTerminal(t *testing.T, file string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "run", file, "whoami", "--allow-host", "127.0.0.1")
	cmd.Env = append(os.Environ(), asProgram+"=1", "NO_COLOR=1")
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	screen := watch(tty)
	screen.await(t, "in your browser")
	page := regexp.MustCompile(`Open this page: (\S+)`).FindStringSubmatch(screen.String())
	if page == nil {
		t.Fatal(screen)
	}
	if text, err := (&oauthtest.Person{Name: "alice"}).SignIn(page[1]); err != nil || !strings.Contains(text, "You are signed in") {
		t.Errorf("%s %v", text, err)
	}
	screen.await(t, `"who": "alice"`)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, screen)
	}
}

// screen is what a terminal has shown.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func watch(tty *os.File) *screen {
	s := &screen{}
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := tty.Read(buffer)
			s.mu.Lock()
			s.text.Write(buffer[:n])
			s.mu.Unlock()
			if err != nil {
				return // the program has ended
			}
		}
	}()
	return s
}

// Write makes the screen one for a program that has no terminal.
func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(text)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *screen) await(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(s.String(), text) {
			return
		}
	}
	t.Fatalf("%q never came:\n%s", text, s)
}

func typeLine(t *testing.T, tty *os.File, line string) {
	t.Helper()
	if _, err := tty.WriteString(line + "\n"); err != nil {
		t.Fatal(err)
	}
}

// TestSecretInTerminal checks that a typed secret is not shown.
func TestSecretInTerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a pseudo-terminal of Unix is needed; Windows has none")
	}
	cmd := exec.Command(os.Args[0], "secrets", "set", "SHOP_TOKEN")
	cmd.Env = append(os.Environ(), asProgram+"=1", "DBUS_SESSION_BUS_ADDRESS="+secretservice.Start(t))
	cmd.Dir = t.TempDir()
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	screen := watch(tty)
	screen.await(t, "SHOP_TOKEN: ")
	typeLine(t, tty, "hunter22")
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, screen)
	}
	if strings.Contains(screen.String(), "hunter22") {
		t.Errorf("the secret is on the screen:\n%s", screen)
	}
}

// TestPermissionAtTerminal checks that each access is asked for, and that a no refuses
// it.
func TestPermissionAtTerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a pseudo-terminal of Unix is needed; Windows has none")
	}
	api := httptest.NewServer(newAPI())
	defer api.Close()
	file := filepath.Join(t.TempDir(), "notes.tools.abl")
	source := strings.ReplaceAll(`TOOLS:
  note(id: string) -> object
    type: http
    endpoint: "@API@/echo/note"
    method: GET
    permissions: ["web:get:notes", "file:read:{{id}}"]
`, "@API@", api.URL)
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for second, want := range map[string]string{
		"y": `"method": "GET"`,
		"n": "denied: note was refused file:read:7",
	} {
		t.Run(second, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "run", file, "note", "--arg", "id=7", "--allow-host", "127.0.0.1")
			cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir(), "NO_COLOR=1")
			tty, err := pty.Start(cmd)
			if err != nil {
				t.Fatal(err)
			}
			screen := watch(tty)
			screen.await(t, "May note get notes (web)? [y/N] ")
			typeLine(t, tty, "y")
			screen.await(t, "May note read 7 (file)? [y/N] ")
			typeLine(t, tty, second)
			screen.await(t, want)
			if err := cmd.Wait(); (err == nil) != (second == "y") || second == "n" && cmd.ProcessState.ExitCode() != 3 {
				t.Errorf("%s: %v\n%s", second, err, screen)
			}
			tty.Close()
		})
	}
}

// TestDeclinedAtTerminal checks that nothing is printed again after a run is not confirmed.
func TestDeclinedAtTerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a pseudo-terminal of Unix is needed; Windows has none")
	}
	file := filepath.Join(t.TempDir(), "shop.tools.abl")
	const source = "TOOLS:\n  order(item: string) -> object\n    type: http\n    endpoint: \"https://shop.example.com/order\"\n    method: POST\n"
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "run", file, "order", "--arg", "item=tea")
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir(), "NO_COLOR=1")
	tty, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	screen := watch(tty)
	screen.await(t, "[y/N] ")
	typeLine(t, tty, "n")
	screen.await(t, "not run: you said no\r\n")
	_ = cmd.Wait() // its code counts
	_, after, _ := strings.Cut(screen.String(), "[y/N] ")
	if code := cmd.ProcessState.ExitCode(); code != 3 || after != "n\r\nnot run: you said no\r\n" {
		t.Errorf("exit %d, after the question: %q", code, after)
	}
}
