package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/rogpeppe/go-internal/testscript"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/abl-lsp/abl-lsp/executor/sandbox"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/internal/secretservice"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// asProgram makes the test binary the program itself.
const asProgram = "ABL_LSP_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if code, served := sandbox.Main(os.Stdin, os.Stdout, os.Stderr); served {
		os.Exit(code)
	}
	if os.Getenv(asProgram) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"abl-lsp": main, "document-processor": documentProcessor, "brave-search": braveSearch, "program": program})
}

// TestScript runs the scripts below testdata/script, which have what a user would type
// and see. Each has an HTTP API of its own on loopback, at $API.
func TestScript(t *testing.T) { scripts(t, "testdata/script", nil) }

// TestKeychain runs the scripts that need a keychain.
func TestKeychain(t *testing.T) {
	bus := secretservice.Start(t)
	scripts(t, "testdata/keychain", func(env *testscript.Env) { env.Setenv("DBUS_SESSION_BUS_ADDRESS", bus) })
}

func scripts(t *testing.T, dir string, setup func(*testscript.Env)) {
	update := flag.Lookup("update")
	cache, err := filepath.Abs("../../.cache/abl-lsp") // otherwise each script would compile Python
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           dir,
		UpdateScripts: update != nil && update.Value.String() == "true",
		Setup: func(env *testscript.Env) error {
			api := httptest.NewServer(newAPI())
			env.Defer(api.Close)
			env.Setenv("API", api.URL)
			env.Setenv("ABL_CACHE_DIR", cache)
			env.Setenv("ABL_STATE_DIR", filepath.Join(env.WorkDir, ".state"))
			env.Setenv("HOST", strings.TrimPrefix(api.URL, "http://"))
			if setup != nil {
				setup(env)
			}
			return nil
		},
		Cmds:      map[string]func(*testscript.TestScript, bool, []string){"status": status, "big": big, "oauth": startOAuth, "idtoken": identityToken, "lastrun": lastRun, "nojail": noJail},
		Condition: condition,
	})
}

// condition reports the conditions [sandbox], whether this program can run the code of
// tools, [module], whether it can run modules in their jail, and [oauth], whether there
// is a real OAuth server.
func condition(name string) (bool, error) {
	missing := ""
	switch name {
	case "sandbox":
		if _, err := os.Stat(filepath.FromSlash("../../executor/sandbox/wasm/python.wasm.zst")); err != nil {
			missing = err.Error()
		}
	case "module":
		missing = missingForModules()
	case "oauth":
		missing = oauthtest.MissingReason()
	default:
		return false, fmt.Errorf("unknown condition %q", name)
	}
	if missing != "" && testdeps.Required() {
		return false, errors.New(missing)
	}
	return missing == "", nil
}

// missingForModules returns what is missing to run modules in their jail, "" if nothing is.
func missingForModules() string {
	if runtime.GOOS != "linux" {
		return "modules have a jail on Linux alone, so that each run is confirmed"
	}
	for _, program := range []string{"node", "bwrap"} {
		if _, err := exec.LookPath(program); err != nil {
			return err.Error()
		}
	}
	return ""
}

// noJail sets a PATH with this program and Node, and without bwrap.
func noJail(ts *testscript.TestScript, _ bool, _ []string) {
	own, err := exec.LookPath("node")
	ts.Check(err)
	dir := ts.MkAbs("only")
	ts.Check(os.Mkdir(dir, 0o700))
	ts.Check(os.Symlink(own, filepath.Join(dir, "node")))
	program, _, _ := strings.Cut(ts.Getenv("PATH"), string(os.PathListSeparator))
	ts.Setenv("PATH", program+string(os.PathListSeparator)+dir)
}

var _ = flag.Bool("update", false, "rewrite what the scripts expect")

// status runs a command that must exit with a given code, which `! exec` does not check:
// status 3 abl-lsp run …
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE COMMAND [ARG]…")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("%s exits with %s, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}

// startOAuth starts a real OAuth server, at $OAUTH.
func startOAuth(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: oauth")
	}
	address, stop, err := oauthtest.StartOutsideTest(ts.Getenv("WORK"))
	ts.Check(err)
	ts.Defer(stop)
	ts.Setenv("OAUTH", address)
}

// identityToken signs a person in at $OAUTH: idtoken VARIABLE NAME, for the client
// desktop.
func identityToken(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: idtoken VARIABLE NAME")
	}
	token, err := oauthtest.IDToken(ts.Getenv("OAUTH"), "desktop", args[1])
	ts.Check(err)
	ts.Setenv(args[0], token)
}

// lastRun sets a variable to the id of the last run in the journal: lastrun VARIABLE.
func lastRun(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: lastrun VARIABLE")
	}
	ts.Check(ts.Exec("abl-lsp", "history", "--limit", "1", "--format", "json"))
	var rows []struct {
		Run string `json:"run"`
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &rows))
	if len(rows) != 1 {
		ts.Fatalf("the journal has no run")
	}
	ts.Setenv(args[0], rows[0].Run)
}

// big writes a file with a repeated text: big NAME BYTES TEXT.
func big(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: big NAME BYTES TEXT")
	}
	var size int
	_, err := fmt.Sscan(args[1], &size)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[2], size/len(args[2]))), 0o600))
}

// documentProcessor is a function made with the library of AWS.
func documentProcessor() {
	type document struct {
		URL    string `json:"document_url"`
		Format string `json:"format"`
	}
	lambda.Start(func(d document) (map[string]any, error) {
		fmt.Println("processing", d.URL)
		if d.Format == "djvu" {
			return nil, errors.New("no format: " + d.Format)
		}
		return map[string]any{"text": "The text of " + d.URL, "pages": json.RawMessage("12.0")}, nil
	})
}

// makeReport accepts an order at once, and calls back later.
func makeReport(w http.ResponseWriter, r *http.Request) {
	var order struct {
		Type     string `json:"report_type"`
		Callback string `json:"callbackUrl"`
	}
	if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	if order.Type == "never" {
		return
	}
	go func() {
		body := fmt.Sprintf(`{"report_url": "https://r/%s", "status": "done", "n": 1.50}`, order.Type)
		if resp, err := http.Post(order.Callback, "application/json", strings.NewReader(body)); err == nil {
			_ = resp.Body.Close()
		}
	}()
}

// newAPI returns the API that the tools in the scripts call.
func newAPI() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/echo/{rest...}", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		_ = e.Encode(map[string]any{
			"method": r.Method,
			"path":   r.URL.EscapedPath(),
			"query":  r.URL.RawQuery,
			"auth":   r.Header.Get("Authorization"),
			"body":   string(body),
		})
	})
	mux.HandleFunc("/balance/{id}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id": "%s", "balance": 10.50, "number": 9007199254740993}`, r.PathValue("id"))
	})
	seedAPI(mux)
	mux.HandleFunc("/text", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "plain words") })
	mux.HandleFunc("/missing", http.NotFound)
	mux.HandleFunc("/unprocessable", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprintln(w, "{\"error\": \"checkin is in the past 🛫\x1b[2J\"}")
	})
	newNotes(mux)
	corailAPI(mux)
	spans := &collector{}
	mux.HandleFunc("POST /v1/traces", spans.handleExport)
	mux.HandleFunc("GET /spans", spans.show)
	mux.HandleFunc("/report", makeReport)
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(30 * time.Second):
		}
	})
	mux.HandleFunc("/flood", func(w http.ResponseWriter, r *http.Request) {
		chunk := []byte(strings.Repeat("x", 1<<20))
		for range 1 << 10 {
			if _, err := w.Write(chunk); err != nil || r.Context().Err() != nil {
				return
			}
		}
	})
	return mux
}

// collector accepts spans as a collector of OpenTelemetry does.
type collector struct {
	mu    sync.Mutex
	spans []json.RawMessage
}

func (c *collector) handleExport(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var export coltrace.ExportTraceServiceRequest
	if err != nil || proto.Unmarshal(body, &export) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range export.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			for _, span := range scope.Spans {
				raw, _ := protojson.Marshal(span) // it was just decoded
				c.spans = append(c.spans, raw)
			}
		}
	}
}

func (c *collector) show(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"spans": c.spans})
}
