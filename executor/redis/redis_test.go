package redis_test

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/redis"
	"github.com/abl-lsp/abl-lsp/internal/redistest"
	"github.com/abl-lsp/abl-lsp/internal/testcert"
	"github.com/abl-lsp/abl-lsp/tool"
)

func run(t *testing.T, req executor.Request, tl tool.Tool, args string) executor.Envelope {
	t.Helper()
	x := executor.New(executor.Options{
		Runners:   map[tool.Kind]executor.Runner{tool.KindRedis: redis.New(redis.Options{})},
		LookupEnv: func(string) (string, bool) { return "", false },
	})
	req.Tool, req.Args = &tl, json.RawMessage(args)
	return x.Run(t.Context(), req)
}

func param(name, typ string) tool.Param {
	p := tool.Param{Name: name, Type: &tool.Type{Name: typ}, Optional: true}
	if typ == "array" {
		p.Type.Elem = &tool.Type{Name: "string"}
	}
	return p
}

// TestAnswers checks how the answers of a server become JSON, and how arguments become words.
func TestAnswers(t *testing.T) {
	req := requestFor(sourceOf(redistest.Start(t)))
	req.Yes = true
	params := []tool.Param{param("key", "string"), param("n", "number"), param("all", "array")}
	for _, tt := range []struct {
		name     string
		commands [][]string
		args     string
		want     string
	}{
		{"text and numbers", [][]string{{"SET", "{{key}}", "{{n}}"}, {"GET", "{{key}}"}, {"INCRBY", "count", "5"}}, `{"key": "a b\r\nDEL x", "n": 12345678901234567890.10}`, `["OK","12345678901234567890.10",5]`},
		{"nothing", [][]string{{"GET", "absent"}, {"MGET", "absent", "count"}}, `{}`, `[null,[null,"5"]]`},
		{"a list as words", [][]string{{"RPUSH", "list", "{{all}}"}, {"LRANGE", "list", "0", "-1"}}, `{"all": ["x y", "-1", ""]}`, `[3,["x y","-1",""]]`},
		{"a list within a word", [][]string{{"ECHO", "<{{all}}>"}}, `{"all": ["x", "y"]}`, `["<[\"x\",\"y\"]>"]`},
		{"an empty list", [][]string{{"PING", "{{all}}"}}, `{"all": []}`, `["PONG"]`},
		{"a list that is left out", [][]string{{"PING", "{{all}}"}, {"ECHO", "{{key}}"}}, `{}`, `["PONG",""]`},
		{"a map", [][]string{{"HSET", "h", "b", "2", "a", "1"}, {"HGETALL", "h"}}, `{}`, `[2,{"a":"1","b":"2"}]`},
		{"a set", [][]string{{"SADD", "s", "m"}, {"SMEMBERS", "s"}, {"SISMEMBER", "s", "m"}}, `{}`, `[1,["m"],1]`},
		{"scores", [][]string{{"ZADD", "z", "1.5", "m", "inf", "n"}, {"ZRANGE", "z", "0", "-1", "WITHSCORES"}}, `{}`, `[2,[["m",1.5],["n","+Inf"]]]`},
		{"values of RESP 3", [][]string{script("redis.setresp(3) return {true, {big_number='123456789012345678901234567890'}, {double=0.5}}")}, `{}`, `[[true,123456789012345678901234567890,0.5]]`},
		{"a transaction", [][]string{{"MULTI"}, {"SET", "t", "1"}, {"LPUSH", "t", "x"}, {"EXEC"}}, `{}`,
			`["OK","QUEUED","QUEUED",["OK",{"error":"WRONGTYPE Operation against a key holding the wrong kind of value"}]]`},
		{"bytes", [][]string{{"SET", "b", "x"}, {"SETBIT", "b", "0", "1"}, {"GET", "b"}}, `{}`, `["OK",0,"+A=="]`},
		{"another user's key is a word", [][]string{{"EXISTS", "x"}}, `{}`, `[0]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := run(t, req, redisTool(tt.commands, params...), tt.args)
			if !e.OK {
				t.Fatalf("%+v", e.Error)
			}
			if diff := cmp.Diff(tt.want, string(e.Value)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if bytes := tt.name == "bytes"; bytes != (len(e.Warnings) == 1) {
				t.Errorf("warnings %q", e.Warnings)
			}
		})
	}
}

// TestUnused warns of an argument that no command uses.
func TestUnused(t *testing.T) {
	req := requestFor(sourceOf(redistest.Start(t)))
	e := run(t, req, redisTool([][]string{{"PING"}}, param("key", "string")), `{"key": "a"}`)
	if want := []string{"key was not used: no command has a place for it"}; !e.OK || !cmp.Equal(e.Warnings, want) {
		t.Errorf("%+v %q", e.Error, e.Warnings)
	}
}

// TestEffects checks that only commands that read run without a confirmation.
func TestEffects(t *testing.T) {
	req := requestFor(sourceOf(redistest.Start(t)))
	for _, tt := range []struct {
		name     string
		commands [][]string
		asked    bool
	}{
		{"one reads", [][]string{{"get", "a"}}, false},
		{"all read", [][]string{{"HGETALL", "a"}, {"OBJECT", "HELP"}, {"LRANGE", "l", "0", "1"}}, true},
		{"a subcommand reads", [][]string{{"CONFIG", "GET", "maxmemory"}}, false},
		{"one writes", [][]string{{"GET", "a"}, {"SET", "a", "1"}}, true},
		{"it may write", [][]string{{"SORT", "a"}}, true},
		{"an argument names it", [][]string{{"{{command}}", "a"}}, true},
		{"an argument is all", [][]string{{"{{words}}"}}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := run(t, req, redisTool(tt.commands, param("command", "string"), param("words", "array")), `{"command": "GET", "words": ["GET", "a"]}`)
			if asked := e.Needs != nil && e.Needs.Confirmation != nil; asked != tt.asked || !asked && !e.OK {
				t.Errorf("asked %v: %+v", asked, e.Error)
			}
		})
	}
}

// TestErrors checks the errors of a definition, of arguments and of the server.
func TestErrors(t *testing.T) {
	server := redistest.Start(t)
	wrong, closed, secret := sourceOf(server), sourceOf(server), sourceOf(server)
	wrong.Password, secret.Password = "other", "{{secrets.REDIS}}"
	closed.Port = "1"
	with := func(change func(*tool.Source)) tool.Source {
		s := sourceOf(server)
		change(&s)
		return s
	}
	for _, tt := range []struct {
		name     string
		source   tool.Source
		commands [][]string
		kind     executor.ErrorKind
		code     string
		part     string
	}{
		{"refused", sourceOf(server), [][]string{{"PING"}, {"NOPE"}}, executor.KindRemote, "redis", "NOPE: ERR unknown command"},
		{"wrong password", wrong, [][]string{{"PING"}}, executor.KindRemote, "redis", "WRONGPASS"},
		{"nobody listens", closed, [][]string{{"PING"}}, executor.KindNetwork, "connect", ""},
		{"no secret", secret, [][]string{{"PING"}}, executor.KindNeeds, "secrets", "REDIS"},
		{"no commands", sourceOf(server), nil, executor.KindDefinition, "commands", ""},
		{"never sent", sourceOf(server), [][]string{{"monitor"}}, executor.KindDefinition, "refused-command", "MONITOR is never sent"},
		{"never sent with this word", sourceOf(server), [][]string{{"Config", "set", "dir", "/"}}, executor.KindDefinition, "refused-command", "CONFIG SET"},
		{"an argument names what is never sent", sourceOf(server), [][]string{{"{{command}}"}}, executor.KindArguments, "refused-command", "SHUTDOWN"},
		{"an argument is a list that is never sent", sourceOf(server), [][]string{{"{{words}}"}}, executor.KindArguments, "refused-command", "CLIENT KILL"},
		{"another kind", tool.Source{Kind: "postgres"}, [][]string{{"PING"}}, executor.KindDefinition, "source", "postgres"},
		{"no port", with(func(s *tool.Source) { s.Port = "0" }), [][]string{{"PING"}}, executor.KindDefinition, "source", "sources.db.port"},
		{"no database", with(func(s *tool.Source) { s.Database = "x" }), [][]string{{"PING"}}, executor.KindDefinition, "source", "sources.db.database"},
		{"an argument chooses the host", with(func(s *tool.Source) { s.Host = "{{command}}" }), [][]string{{"PING"}}, executor.KindDefinition, "template", "sources.db.host"},
		{"an unknown setting", with(func(s *tool.Source) { s.QueryParams = map[string]string{"x": "1"} }), [][]string{{"PING"}}, executor.KindDefinition, "source", "query_params.x"},
		{"no encryption", with(func(s *tool.Source) { s.QueryParams, s.Timeout = map[string]string{"tls": "true"}, "300ms" }), [][]string{{"PING"}}, executor.KindTimeout, "timeout", ""},
		{"signed in by Google", with(func(s *tool.Source) { s.UseGCPIAM = "true" }), [][]string{{"PING"}}, executor.KindDefinition, "source", "Google's IAM"},
		{"another database", with(func(s *tool.Source) { s.Database = "99" }), [][]string{{"PING"}}, executor.KindRemote, "redis", "out of range"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req := requestFor(tt.source)
			req.Yes = true
			e := run(t, req, redisTool(tt.commands, param("command", "string"), param("words", "array")), `{"command": "shutdown", "words": ["client", "kill"]}`)
			if e.OK || e.Error == nil || e.Error.Kind != tt.kind || e.Error.Code != tt.code && tt.kind != executor.KindNeeds || !strings.Contains(e.Error.Message, tt.part) {
				t.Errorf("%+v", e.Error)
			}
		})
	}
}

// TestDatabase keeps the databases of a server apart, and a run's choice of one to itself.
func TestDatabase(t *testing.T) {
	server := redistest.Start(t)
	second := sourceOf(server)
	second.Database = "2"
	req := requestFor(second)
	req.Yes = true
	e := run(t, req, redisTool([][]string{{"SET", "k", "two"}, {"SELECT", "0"}, {"GET", "k"}}), `{}`)
	if string(e.Value) != `["OK","OK",null]` {
		t.Fatalf("%s %+v", e.Value, e.Error)
	}
	if e := run(t, req, redisTool([][]string{{"GET", "k"}}), `{}`); string(e.Value) != `["two"]` {
		t.Errorf("%s %+v", e.Value, e.Error)
	}
}

// TestAddress reaches a server whose host has the port, as one variable of the environment may.
func TestAddress(t *testing.T) {
	server := redistest.Start(t)
	source := sourceOf(server)
	source.Host, source.Port = server.Address(), ""
	if e := run(t, requestFor(source), redisTool([][]string{{"PING"}}), `{}`); !e.OK {
		t.Errorf("%+v", e.Error)
	}
}

// TestTLS checks that only a server with a trusted certificate is used.
func TestTLS(t *testing.T) {
	server := redistest.StartTLS(t)
	for _, tt := range []struct {
		name string
		with map[string]string
		host string
		code string // of the error; "": it runs
	}{
		{"its authority", map[string]string{"ssl_ca": server.CA}, "", ""},
		{"of a folder", map[string]string{"ssl_ca": testcert.CAFile}, "", ""},
		{"not verified", map[string]string{"tls": "skip-verify"}, "", ""},
		{"another authority", map[string]string{"tls": "true"}, "", "tls"},
		{"another name", map[string]string{"ssl_ca": server.CA}, "localhost", "tls"},
		{"no certificate", map[string]string{"ssl_ca": "/dev/null"}, "", "source"},
		{"contradiction", map[string]string{"ssl_ca": server.CA, "tls": "false"}, "", "source"},
		{"not encrypted", nil, "", "lost"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			source := sourceOf(server)
			source.QueryParams, source.Folder = tt.with, strings.TrimSuffix(server.CA, testcert.CAFile)
			if tt.host != "" {
				source.Host = tt.host
			}
			req := requestFor(source)
			req.AllowHosts = append(req.AllowHosts, "localhost")
			e := run(t, req, redisTool([][]string{{"PING"}}), `{}`)
			switch {
			case tt.code == "" && !e.OK, tt.code != "" && (e.OK || e.Error.Code != tt.code):
				t.Errorf("%+v", e.Error)
			}
		})
	}
}

// TestAnnouncedSizes checks that a server cannot make the client reserve memory by announcing a size,
// and that the run then ends at once.
func TestAnnouncedSizes(t *testing.T) {
	for name, answer := range map[string]string{
		"a text":        "$100000000000\r\n",
		"a list":        "*2000000000\r\n",
		"a map":         "%9223372036854775807\r\n",
		"nested lists":  strings.Repeat("*3000000\r\n", 100),
		"a whole line":  "+" + strings.Repeat("x", 30_000_000) + "\r\n",
		"negative size": "$-9223372036854775808\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			go func() {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				defer conn.Close()
				_, _ = fmt.Fprint(conn, answer)
				_, _ = conn.Read(make([]byte, 1))
				for err == nil {
					_, err = conn.Read(make([]byte, 1<<16))
				}
			}()
			_, port, _ := net.SplitHostPort(l.Addr().String())
			e := run(t, requestFor(tool.Source{Kind: "valkey", Host: "127.0.0.1", Port: port}), redisTool([][]string{{"PING"}}), `{}`)
			want := executor.KindLimit
			if name == "negative size" {
				want = executor.KindNetwork
			}
			if e.OK || e.Error.Kind != want {
				t.Errorf("%+v", e.Error)
			}
		})
	}
}
