package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// typeScript returns the command line that starts the protocol's TypeScript client.
func typeScript(t *testing.T) []string {
	t.Helper()
	node, packages := testdeps.FindNPMPackage(t, "@modelcontextprotocol/client")
	return []string{node, filepath.Join("testdata", "mcp-client.mjs"), packages}
}

// clientOutput is the output of that client.
type clientOutput struct {
	Server              string
	Questions, Progress []string
	After               []string
	Tools               []struct {
		Name        string
		InputSchema struct{ Properties map[string]any }
	}
	Results []struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
	}
}

// mcpShop returns a folder with tools, and starts an API that answers with what it was
// sent.
func mcpShop(t *testing.T, text string) (dir, file string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"method": r.Method, "uri": r.RequestURI, "body": string(body)})
	}))
	t.Cleanup(api.Close)
	file = filepath.Join(dir, "shop.tools.abl")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "API", api.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

const mcpShopText = `TOOLS:
  look(id: number, tenant: string) -> object
    description: "Looks 🛫"
    type: http
    endpoint: "API/look/{id}"
    method: GET
    parameters:
      tenant:
        hidden: true
        default: acme
  order(what: string) -> object
    type: http
    endpoint: "API/order"
    method: POST
`

// client runs the client with a task against a server.
func runClient(t *testing.T, task string, server ...string) (saw clientOutput) {
	t.Helper()
	words := slices.Concat(typeScript(t), []string{task}, server)
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir())
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || json.Unmarshal(out, &saw) != nil {
		t.Fatalf("%v\n%s%s", err, out, errs.String())
	}
	return saw
}

const mcpCalls = `"calls":[{"name":"look","arguments":{"id":7}},{"name":"order","arguments":{"what":"tea 🛫"}}]`

// TestMCPFromTypeScript has a client of the protocol's own library list and call tools,
// on stdin and stdout and over HTTP, with and without questions.
func TestMCPFromTypeScript(t *testing.T) {
	_, file := mcpShop(t, mcpShopText)
	server := []string{os.Args[0], "mcp", file, "--allow-host", "127.0.0.1"}
	want := func(t *testing.T, saw clientOutput) {
		t.Helper()
		if saw.Server != "abl-lsp" || len(saw.Tools) != 2 || saw.Tools[0].Name != "look" || len(saw.Tools[0].InputSchema.Properties) != 1 {
			t.Errorf("%+v", saw)
		}
		if look := saw.Results[0]; look.IsError || string(look.StructuredContent) != `{"body":"","method":"GET","uri":"/look/7?tenant=acme"}` || !strings.Contains(look.Content[0].Text, "/look/7") {
			t.Errorf("%+v", look)
		}
	}
	t.Run("accepted", func(t *testing.T) {
		t.Parallel()
		saw := runClient(t, `{"answer":"accept",`+mcpCalls+`}`, server...)
		want(t, saw)
		if len(saw.Questions) != 1 || !strings.Contains(saw.Questions[0], "tea 🛫") || !strings.Contains(string(saw.Results[1].StructuredContent), "tea 🛫") {
			t.Errorf("%+v", saw)
		}
	})
	t.Run("declined", func(t *testing.T) {
		t.Parallel()
		saw := runClient(t, `{"answer":"decline",`+mcpCalls+`}`, server...)
		if want(t, saw); !saw.Results[1].IsError || !strings.Contains(saw.Results[1].Content[0].Text, "denied: ") {
			t.Errorf("%+v", saw.Results[1])
		}
	})
	t.Run("nobody to ask", func(t *testing.T) {
		t.Parallel()
		saw := runClient(t, `{`+mcpCalls+`}`, server...)
		if want(t, saw); !saw.Results[1].IsError || !strings.Contains(saw.Results[1].Content[0].Text, "--yes") {
			t.Errorf("%+v", saw.Results[1])
		}
	})
	for name, version := range map[string]string{"http": "", "http, 2026-07-28": `"version":"2026-07-28",`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			saw := runClient(t, `{"answer":"accept",`+version+mcpCalls+`}`, serveHTTP(t, server[1:]...))
			if want(t, saw); len(saw.Questions) != 1 || saw.Results[1].IsError {
				t.Errorf("%+v", saw)
			}
		})
	}
	t.Run("2026-07-28", func(t *testing.T) {
		t.Parallel()
		saw := runClient(t, `{"answer":"decline","version":"2026-07-28",`+mcpCalls+`}`, server...)
		if want(t, saw); len(saw.Questions) != 1 || !saw.Results[1].IsError || !strings.Contains(saw.Results[1].Content[0].Text, "denied: ") {
			t.Errorf("%+v", saw)
		}
	})
}

// startMCP starts the program and returns its output on stderr.
func startMCP(t *testing.T, words ...string) *bufio.Scanner {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], words...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir())
	errs, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // the test's context has ended it
	return bufio.NewScanner(errs)
}

// serveHTTP starts the program and returns the URL at which it serves.
func serveHTTP(t *testing.T, words ...string) (endpoint string) {
	t.Helper()
	return startHTTP(t, append(words, "--http", "0")...)
}

func startHTTP(t *testing.T, words ...string) (endpoint string) {
	t.Helper()
	said := startMCP(t, words...)
	if !said.Scan() {
		t.Fatal("it says nothing")
	}
	endpoint, ok := strings.CutPrefix(said.Text(), "serving at ")
	if !ok || !strings.HasPrefix(endpoint, "http://127.0.0.1:") {
		t.Fatal(said.Text())
	}
	go func() {
		for said.Scan() { // until the program ends
		}
	}()
	return endpoint
}

// TestMCPFollowsFiles checks that a client is notified when a file with tools, with the schema of a
// tool, or with prompts changes.
func TestMCPFollowsFiles(t *testing.T) {
	for _, tt := range []struct {
		file, was, is string
		list          string // that changes
		want          []string
	}{
		{"shop.tools.abl", "look(", "watch(", "tools", []string{"order(what,size)", "watch(id)"}},
		{"order.json", "size", "colour", "tools", []string{"look(id)", "order(what,colour)"}},
		{"prompts.yaml", "greet", "welcome", "prompts", []string{"welcome(guest)"}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			dir, file := mcpShop(t, mcpShopText+"    input_schema: \"order.json\"\n")
			if err := os.WriteFile(filepath.Join(dir, "order.json"), []byte(`{"type": "object", "properties": {"what": {}, "size": {}}}`), 0o600); err != nil {
				t.Fatal(err)
			}
			prompts := filepath.Join(dir, "prompts.yaml")
			if err := os.WriteFile(prompts, []byte(greetingPrompt), 0o600); err != nil {
				t.Fatal(err)
			}
			saw := awaitChange(t, tt.list, []string{file, prompts}, func() { replaceIn(t, filepath.Join(dir, tt.file), tt.was, tt.is) })
			if !slices.Equal(saw.After, tt.want) {
				t.Errorf("%q", saw.After)
			}
		})
	}
}

// greetingPrompt is a file of Toolbox with a prompt.
const greetingPrompt = `kind: prompts
name: greet
description: Greets a guest
messages:
  - content: "Greet {{.guest}} 🛫"
arguments:
  - {name: guest, description: Who comes}
`

// awaitChange runs the client until it is notified of the change that do makes in a list, and returns what
// that has then.
func awaitChange(t *testing.T, list string, files []string, do func()) (saw clientOutput) {
	t.Helper()
	words := append(typeScript(t), fmt.Sprintf(`{"calls":[],"awaitChange":%q}`, list), os.Args[0], "mcp")
	words = append(words, files...)
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "ABL_STATE_DIR="+t.TempDir())
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(errs)
	for said.Scan() && said.Text() != "ready for the change" {
	}
	do()
	for said.Scan() {
	}
	if err := cmd.Wait(); err != nil || json.Unmarshal(out.Bytes(), &saw) != nil {
		t.Fatalf("%v %s", err, out.String())
	}
	return saw
}

func replaceIn(t *testing.T, file, was, is string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, bytes.ReplaceAll(text, []byte(was), []byte(is)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestMCPStreams checks that the pieces of a streaming tool arrive as progress.
func TestMCPStreams(t *testing.T) {
	if why := missingForModules(); why != "" {
		testdeps.SkipOrFail(t, "%s", why)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"chat.tools.json": `{"service": "chat", "tools": {"greet": {"name": "greet", "description": "Greets 🛫",
			"inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "string"}, "streaming": true, "mutation": false}}}`,
		"abl.yaml": "services: {chat: {module: ./chat.mjs}}\n",
		"chat.mjs": "export async function* greet() { yield 'Hello'; yield ', 🛫' }\n",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	saw := runClient(t, `{"calls":[{"name":"chat_greet","arguments":{}}]}`, os.Args[0], "mcp", filepath.Join(dir, "chat.tools.json"))
	if saw.Results[0].IsError || saw.Results[0].Content[0].Text != "Hello, 🛫" || strings.Join(saw.Progress, "") != "Hello, 🛫" {
		t.Errorf("%+v", saw)
	}
}

// TestMCPIdentity checks that a caller over HTTP is identified by the token in the header
// that has the name of its service.
func TestMCPIdentity(t *testing.T) {
	dir, file := mcpShop(t, `TOOLS:
  mine() -> object
    type: http
    endpoint: "API/mine"
    method: GET
    auth_required: [my-login]
`)
	project := "auth_services:\n  my-login: {kind: oidc, issuer: \"https://login.example.com\", audience: desk}\n"
	if err := os.WriteFile(filepath.Join(dir, "abl.yaml"), []byte(project), 0o600); err != nil {
		t.Fatal(err)
	}
	endpoint := serveHTTP(t, "mcp", file, "--allow-host", "127.0.0.1")
	for headers, want := range map[string]string{
		`{}`: "needs an identity token of my-login", `{"my-login_token":"opaque"}`: "denied: the token of my-login is no identity token",
	} {
		t.Run(headers, func(t *testing.T) {
			saw := runClient(t, `{"calls":[{"name":"mine","arguments":{}}],"headers":`+headers+`}`, endpoint)
			if !saw.Results[0].IsError || !strings.Contains(saw.Results[0].Content[0].Text, want) {
				t.Errorf("%s: %+v, want %s", headers, saw.Results[0], want)
			}
		})
	}
}

// TestMCPCallers checks that each client of one server is identified by its own token,
// call by call, whatever it claims in its arguments.
func TestMCPCallers(t *testing.T) {
	issuer := oauthtest.NewIssuer(t)
	_, file := mcpShop(t, `sources: {api: {kind: http, baseUrl: "API"}}
authServices: {my-login: {kind: oidc, issuer: "`+issuer.URL+`", audience: desk}}
tools:
  mine:
    kind: http
    source: api
    method: GET
    path: /mine
    description: What is whose 🛫
    queryParams:
      - {name: who, type: string, description: Who calls, authServices: [{name: my-login, field: sub}]}
`)
	tools := filepath.Join(filepath.Dir(file), "tools.yaml")
	if err := os.Rename(file, tools); err != nil {
		t.Fatal(err)
	}
	anyone := serveHTTP(t, "mcp", tools, "--allow-host", "127.0.0.1")
	ours := serveHTTP(t, "mcp", tools, "--allow-host", "127.0.0.1", "--auth-token", "my-login="+issuer.NewToken("desk", map[string]any{"sub": "operator"}))
	token := func(audience, sub string) string {
		return `{"my-login_token":"` + issuer.NewToken(audience, map[string]any{"sub": sub}) + `"}`
	}
	for name, tt := range map[string]struct{ endpoint, headers, want string }{
		"no operator, token of bob":     {anyone, token("desk", "bob"), `/mine?who=bob"`},
		"no operator, token of eve":     {anyone, token("desk", "eve"), `/mine?who=eve"`},
		"no operator, no token":         {anyone, `{}`, "needs an identity token of my-login\nSend it in the request's header my-login_token."},
		"no operator, token for others": {anyone, token("others", "bob"), "is for somebody else"},
		"operator, no token":            {ours, `{}`, `/mine?who=operator"`},
		"operator, token of bob":        {ours, token("desk", "bob"), `/mine?who=bob"`},
		"operator, token for others":    {ours, token("others", "bob"), "is for somebody else"},
	} {
		t.Run(name, func(t *testing.T) {
			saw := runClient(t, `{"calls":[{"name":"mine","arguments":{"who":"root"}}],"headers":`+tt.headers+`}`, tt.endpoint)
			if len(saw.Results) != 1 || !strings.Contains(saw.Results[0].Content[0].Text, tt.want) {
				t.Errorf("%+v, want %s", saw.Results, tt.want)
			}
			if len(saw.Tools) != 1 || len(saw.Tools[0].InputSchema.Properties) != 0 {
				t.Errorf("a client is asked who it is: %+v", saw.Tools)
			}
		})
	}
}

// mcpPage returns the code blocks of a language on the page about clients.
func mcpPage(t *testing.T, language string) (blocks []string) {
	t.Helper()
	raw, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, rest := range strings.Split(strings.ReplaceAll(string(raw), "\r\n", "\n"), "```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(rest, "```")
		blocks = append(blocks, block)
	}
	return blocks
}

// TestMCPPage starts the tools on the page with the settings on the page.
func TestMCPPage(t *testing.T) {
	var settings struct {
		Servers map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(mcpPage(t, "json")[0]), &settings); err != nil {
		t.Fatal(err)
	}
	_, file := mcpShop(t, strings.ReplaceAll(mcpPage(t, "abl")[0], "http://127.0.0.1:8080", "API"))
	hotels := settings.Servers["hotels"]
	shell := strings.Fields(mcpPage(t, "sh")[0])
	if hotels.Command != "abl-lsp" || shell[0] != "abl-lsp" {
		t.Fatalf("%+v %q", hotels, shell)
	}
	here := strings.NewReplacer("hotels.tools.abl", file, "127.0.0.1:8080", "127.0.0.1", "8700", "0")
	for _, words := range []*[]string{&hotels.Args, &shell} {
		for i, w := range *words {
			(*words)[i] = here.Replace(w)
		}
	}
	call := `{"calls":[{"name":"search_hotels","arguments":{"city":"Paris"}}]}`
	for _, saw := range []clientOutput{
		runClient(t, call, append([]string{os.Args[0]}, hotels.Args...)...),
		runClient(t, call, startHTTP(t, shell[1:]...)),
	} {
		t.Run(saw.Server, func(t *testing.T) {
			if len(saw.Tools) != 2 || !strings.Contains(saw.Results[0].Content[0].Text, "hotels") {
				t.Errorf("%+v", saw)
			}
		})
	}
}

// TestMCPInspector runs the lines on the page, which list and call the tools on the page.
// Their schemas must be valid for all models.
func TestMCPInspector(t *testing.T) {
	node, packages := testdeps.FindNPMPackage(t, "@modelcontextprotocol/inspector")
	inspector := filepath.Join(packages, "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	_, file := mcpShop(t, strings.NewReplacer("http://127.0.0.1:8080", "API", "{hotels: object[]}", "object").Replace(mcpPage(t, "abl")[0]))
	here := strings.NewReplacer("hotels.tools.abl", file, "127.0.0.1:8080", "127.0.0.1", "abl-lsp", os.Args[0])
	wants := []string{`"name": "book_room"`, `/hotels?city=Paris&nights=1`}
	for i, line := range strings.Split(strings.TrimSpace(mcpPage(t, "sh")[1]), "\n") {
		args, ok := strings.CutPrefix(line, "npx @modelcontextprotocol/inspector --cli ")
		if !ok {
			t.Fatal(line)
		}
		environment := []string{"-e", asProgram + "=1", "-e", "ABL_STATE_DIR=" + t.TempDir()} // it does not pass on its own environment
		line := slices.Concat([]string{inspector, "--cli"}, environment, strings.Fields(here.Replace(args)))
		cmd := exec.CommandContext(t.Context(), node, line...)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), wants[i]) {
			t.Errorf("%q: %v\n%s", line, err, out)
		}
	}
}
