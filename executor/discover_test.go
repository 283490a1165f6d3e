package executor

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

// server is a Runner with a server that can be asked for its tools.
type server struct {
	runner
	reach tool.Permission
	err   error
}

func (s *server) Reach(Call) (Reach, error) { return Reach{Accesses: []tool.Permission{s.reach}}, nil }

func (s *server) Discover(_ context.Context, call Call) (Discovery, error) {
	text, err := call.Scope.Expand(call.Tool.Spec.(*spec).Text, nil)
	if s.err != nil || err != nil {
		return Discovery{}, errors.Join(s.err, err)
	}
	schema := encode(map[string]any{"type": "object", "description": text})
	return Discovery{Server: "maps", Root: "/project", Tools: []tool.ServerTool{
		{Name: "way", Title: text, Description: "It is " + text, InputSchema: schema, OutputSchema: schema},
	}}, nil
}

// discover asks the server, and returns the published tools.
func (s *server) discover(t *testing.T, req Request) (e Envelope, discoveries []Discovery) {
	t.Helper()
	ex := New(Options{
		Runners:     map[tool.Kind]Runner{"test": s},
		LookupEnv:   func(string) (string, bool) { return "", false },
		OnDiscovery: func(d Discovery) { discoveries = append(discoveries, d) },
	})
	return ex.Discover(t.Context(), req), discoveries
}

// TestDiscover checks that a discovery asks the person only for trust and secrets, and publishes no
// secret.
func TestDiscover(t *testing.T) {
	s := &server{}
	asked := &tool.Tool{Name: "maps", Kind: "test", Spec: &spec{Text: "{{secrets.TOKEN}}"}, Params: []tool.Param{param("needed", "string")}}
	asked.RiskLevel = "confirm"
	req := trusted(asked, `{"no": "matter"}`)
	req.Trusted = false
	if e, discoveries := s.discover(t, req); e.Needs == nil || !e.Needs.Trust || discoveries != nil {
		t.Errorf("not trusted: %+v, told %v", e, discoveries)
	}
	req.Trusted = true
	if e, discoveries := s.discover(t, req); e.Needs == nil || len(e.Needs.Secrets) != 1 || discoveries != nil {
		t.Errorf("no secret: %+v, told %v", e, discoveries)
	}
	req.Secrets = map[string]string{"TOKEN": "s3cr3t-token"}
	e, discoveries := s.discover(t, req)
	if !e.OK || e.Value != nil || len(discoveries) != 1 || discoveries[0].Server != "maps" || discoveries[0].Root != "/project" {
		t.Fatalf("%+v, told %v", e, discoveries)
	}
	shown := string(encode(discoveries))
	if strings.Contains(shown, "s3cr3t") || strings.Count(shown, "••••(TOKEN)") != 4 {
		t.Errorf("told %s", shown)
	}
	if s.calls != 0 {
		t.Error("a tool was called")
	}
}

func TestDiscoverFails(t *testing.T) {
	req := trusted(&tool.Tool{Name: "maps", Kind: "test", Spec: &spec{}}, "")
	denied := req
	denied.Environment.Permissions.Deny = []tool.Permission{{Kind: "process"}}
	for name, tt := range map[string]struct {
		server *server
		req    Request
		kind   ErrorKind
	}{
		"denied":  {&server{reach: tool.Permission{Kind: "process", Op: "start", Resource: "npx"}}, denied, KindDenied},
		"failing": {&server{err: Errorf(KindNetwork, "refused", "nobody answers")}, req, KindNetwork},
		"no tool": {&server{}, Request{Trusted: true}, KindDefinition},
	} {
		t.Run(name, func(t *testing.T) {
			if e, discoveries := tt.server.discover(t, tt.req); kindOf(e) != tt.kind || discoveries != nil {
				t.Errorf("%s: %+v, told %v", name, e, discoveries)
			}
		})
	}
	ex := (&runner{}).executor()
	if e := ex.Discover(t.Context(), req); kindOf(e) != KindDefinition || e.Error.Code != "no-discovery" {
		t.Errorf("a kind without servers: %+v", e)
	}
}

// TestDiscoveriesContainNoSecrets checks that the tools that a run publishes contain no secret of the
// run.
func TestDiscoveriesContainNoSecrets(t *testing.T) {
	r := &runner{run: func(_ context.Context, call Call) (Result, error) {
		call.Track("token", "s3cr3t-token")
		call.PublishDiscovery(Discovery{Server: "maps", Tools: []tool.ServerTool{{Name: "way", Description: "for s3cr3t-token"}}})
		return Result{}, nil
	}}
	var discoveries []Discovery
	ex := New(Options{Runners: map[tool.Kind]Runner{"test": r}, OnDiscovery: func(d Discovery) { discoveries = append(discoveries, d) }})
	ex.Run(t.Context(), trusted(reading(&spec{}), ""))
	if got := string(encode(discoveries)); len(discoveries) != 1 || strings.Contains(got, "s3cr3t") {
		t.Errorf("told %s", got)
	}
}
