package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	nethttp "net/http"
	"os"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/internal/oauthtest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// suiteCall is a call that the client makes for a scenario of the suite.
type suiteCall struct{ tool, args string }

// suiteCalls are the calls of the scenarios that are not about signing in.
var suiteCalls = map[string][]suiteCall{
	"initialize":                          {},
	"json-schema-ref-no-deref":            {},
	"tools_call":                          {{"add_numbers", `{"a": 5, "b": 3}`}},
	"sse-retry":                           {{"test_reconnection", `{}`}},
	"elicitation-sep1034-client-defaults": {{"test_client_elicitation_defaults", `{}`}},
	"request-metadata":                    {},
	"http-standard-headers":               {{"test_headers", `{}`}, {"my-hyphenated-tool", `{}`}},
	"http-invalid-tool-headers":           {{"valid_tool", `{"region": "us-east1"}`}},
	"http-custom-headers":                 {}, // the suite names them
	"json-schema-2020-12-preservation":    {{"json_schema_echo", `{"schema": SCHEMA}`}},
	"sep-2322-client-request-state": {
		{"test_mrtr_echo_state", `{}`}, {"test_mrtr_unrelated", `{}`}, {"test_mrtr_no_state", `{}`}, {"test_mrtr_no_result_type", `{}`},
	},
}

// schemaTool is the tool whose input schema replaces SCHEMA in arguments.
const schemaTool = "json_schema_2020_12_tool"

// runSuiteClient is the client of the suite: it runs tools of the server whose URL is the last
// argument as a run of the program does. It plays the person who signs in. It ends with an error if
// a run fails.
func runSuiteClient() error {
	turn, err := awaitTurn()
	if err != nil {
		return err
	}
	defer turn.Close()
	scenario, at := os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Args[len(os.Args)-1]
	calls, known := suiteCalls[scenario]
	if !known && !strings.HasPrefix(scenario, "auth/") {
		return fmt.Errorf("%s cannot be expressed", scenario)
	}
	if !known {
		calls = []suiteCall{{"test-tool", `{}`}}
	}
	var given suiteContext
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &given); err != nil {
			return err
		}
	}
	for _, c := range given.Calls {
		calls = append(calls, suiteCall{c.Name, string(c.Arguments)})
	}
	settings, err := given.oauth(scenario, at)
	if err != nil {
		return err
	}
	schema := "null"
	ex := executor.New(executor.Options{
		Runners: map[tool.Kind]executor.Runner{tool.KindMCP: mcp.New(mcp.Options{Version: "1"})},
		OnDiscovery: func(d executor.Discovery) {
			for _, t := range d.Tools {
				if t.Name == schemaTool {
					schema = string(t.InputSchema)
				}
			}
		},
	})
	q := executor.Request{
		Trusted: true, Yes: true, AllowHosts: []string{"localhost"},
		Environment: executor.Environment{Root: os.TempDir(), Servers: map[string]tool.Server{"suite": {URL: at, OAuth: settings}}},
		Secrets:     map[string]string{"SECRET": given.ClientSecret, "KEY": given.PrivateKey},
		OpenURL: func(_ context.Context, page string) error {
			go func() { _, _ = new(oauthtest.Person).SignIn(page) }() // the run tells how it ends
			return nil
		},
	}
	q.Tool = suiteTool("any", `{}`)
	if len(calls) == 0 || strings.Contains(calls[0].args, "SCHEMA") {
		err = outcome(ex.Discover(context.Background(), q))
	}
	for _, c := range calls {
		c.args = strings.ReplaceAll(c.args, "SCHEMA", schema)
		q.Tool, q.Args = suiteTool(c.tool, c.args), json.RawMessage(c.args)
		e := ex.Run(context.Background(), q)
		for e.Needs != nil && e.Needs.Input != nil {
			q.Input = acceptAsFilled(*e.Needs.Input)
			e = ex.Run(context.Background(), q)
		}
		q.Input = nil
		if fault := outcome(e); fault != nil {
			err = fault
		}
	}
	if fault := ex.Close(); err == nil {
		err = fault
	}
	return err
}

// awaitTurn waits until the test lets this client run: the suite starts all at the same time. The caller
// must close what it returns.
func awaitTurn() (io.Closer, error) {
	conn, err := net.Dial("tcp", os.Getenv("ABL_TEST_SUITE"))
	if err != nil {
		return nil, err
	}
	_, err = conn.Read(make([]byte, 1))
	return conn, err
}

// suiteTool returns the declaration of a tool with these arguments, which are a JSON object.
func suiteTool(name, args string) *tool.Tool {
	t := &tool.Tool{Name: strings.ReplaceAll(name, "-", "_"), Kind: tool.KindMCP, Spec: &tool.MCP{Server: "suite", ServerTool: name}}
	var values map[string]any
	_ = json.Unmarshal([]byte(args), &values) // of this file
	for _, key := range slices.Sorted(maps.Keys(values)) {
		t.Params = append(t.Params, tool.Param{Name: key, Type: &tool.Type{Name: "any"}, Optional: true})
	}
	return t
}

// acceptAsFilled accepts forms as they are filled in at first; a box without a default is ticked.
func acceptAsFilled(n executor.InputNeeds) *executor.Input {
	in := &executor.Input{State: n.State, Answers: map[string]executor.InputAnswer{}}
	for _, q := range n.Requests {
		var form struct {
			Properties map[string]struct {
				Type    string
				Default any
			}
		}
		_ = json.Unmarshal(q.Schema, &form) // the run tells what is wrong
		content := map[string]any{}
		for name, field := range form.Properties {
			if field.Default != nil {
				content[name] = field.Default
			} else if field.Type == "boolean" {
				content[name] = true
			}
		}
		raw, _ := json.Marshal(content) // of JSON
		in.Answers[q.ID] = executor.InputAnswer{Action: executor.AcceptInput, Content: raw}
	}
	return in
}

func outcome(e executor.Envelope) error {
	if e.OK {
		return nil
	}
	return fmt.Errorf("%s %s: %s %s", e.Error.Kind, e.Error.Code, e.Error.Message, e.Error.Answer())
}

// suiteContext is what a scenario tells its client.
type suiteContext struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	PrivateKey   string `json:"private_key_pem"`
	Issuer       string `json:"issuer"`

	Calls []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

// suiteDocument is the only document of a client that the suite knows.
const suiteDocument = "https://conformance-test.local/client-metadata.json"

// oauth returns what a person would write into the project's file for a scenario.
func (c suiteContext) oauth(scenario, at string) (*tool.ServerOAuth, error) {
	switch {
	case scenario == "auth/basic-cimd":
		return &tool.ServerOAuth{ClientID: suiteDocument}, nil
	case c.ClientID == "":
		return nil, nil
	}
	o := &tool.ServerOAuth{ClientID: c.ClientID, Issuer: c.Issuer}
	if c.ClientSecret != "" {
		o.ClientSecret = "{{secrets.SECRET}}"
	}
	if c.PrivateKey != "" {
		o.PrivateKey = "{{secrets.KEY}}"
	}
	if strings.HasPrefix(scenario, "auth/client-credentials") {
		o.Grant = "client_credentials"
	}
	if o.Issuer != "" {
		return o, nil
	}
	issuers, err := issuersOf(at) // who registered the client knows with whom
	if err != nil {
		return nil, err
	}
	o.Issuer = issuers[0]
	return o, nil
}

func issuersOf(at string) ([]string, error) {
	resp, err := nethttp.Get(strings.TrimSuffix(at, "/mcp") + "/.well-known/oauth-protected-resource/mcp")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var about struct {
		Issuers []string `json:"authorization_servers"`
	}
	if err := json.Unmarshal(body, &about); err != nil || slices.Contains(about.Issuers, "") || len(about.Issuers) == 0 {
		return nil, fmt.Errorf("%s names no issuer: %w", at, err)
	}
	return about.Issuers, nil
}
