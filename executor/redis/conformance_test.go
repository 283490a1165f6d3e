package redis_test

import (
	"context"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/redis"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/internal/redistest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// counted counts the calls that run.
type counted struct {
	*redis.Runner
	calls   atomic.Int64
	hanging chan struct{}
}

func (c *counted) Run(ctx context.Context, call executor.Call) (executor.Result, error) {
	c.calls.Add(1)
	if call.Tool.Name == "hang" {
		c.hanging <- struct{}{}
	}
	return c.Runner.Run(ctx, call)
}

// sourceOf returns a server for tests as a source of a project.
func sourceOf(s *redistest.Server) tool.Source {
	return tool.Source{Kind: "redis", Host: s.Host, Port: s.Port, Password: redistest.Password}
}

// requestFor returns what every call on a server has.
func requestFor(sources ...tool.Source) executor.Request {
	r := executor.Request{AllowHosts: []string{"127.0.0.1"}, Trusted: true}
	r.Environment.Sources = map[string]tool.Source{}
	for i, s := range sources {
		r.Environment.Sources[[]string{"db", "other"}[i]] = s
	}
	return r
}

func redisTool(commands [][]string, params ...tool.Param) tool.Tool {
	return tool.Tool{Name: "t", Kind: tool.KindRedis, Spec: &tool.Redis{Source: "db", Commands: commands}, Params: params}
}

// script returns the command that runs a script which only reads.
func script(text string, words ...string) []string {
	return append([]string{"EVAL_RO", text, "0"}, words...)
}

func TestConformance(t *testing.T) {
	server := redistest.Start(t)
	for _, e := range conformance.Encodings() {
		if err := server.Client(t).RPush(t.Context(), "encodings", e).Err(); err != nil {
			t.Fatal(err)
		}
	}
	c := &counted{Runner: redis.New(redis.Options{}), hanging: make(chan struct{}, 64)}
	named := func(name string, commands ...[]string) tool.Tool {
		tl := redisTool(commands, conformance.Params()...)
		tl.Name = name
		return tl
	}
	const answer = "redis.setresp(3) return {map={text=ARGV[1], n={double=tonumber(ARGV[2])}}}"
	free := named("free", script("redis.setresp(3) return {map={input=ARGV[1]}}", "{{input}}"))
	free.Params = nil
	conformance.Run(t, conformance.Kind{
		Runner:      c,
		Request:     requestFor(sourceOf(server)),
		AnswersRows: true,
		Echo:        named("echo", script(answer, "{{text}}", "{{n}}")),
		Write:       named("write", append([]string{"EVAL"}, script(answer, "{{text}}", "{{n}}")[1:]...)),
		FreeForm:    free,
		Hang:        named("hang", []string{"XREAD", "BLOCK", "0", "STREAMS", "nothing", "$"}),
		Flood:       named("flood", script("local t, s = {}, string.rep('x', 1000000) for i = 1, 100 do t[i] = s end return t")),
		Refuse:      named("refuse", []string{"GET", "encodings"}),
		Leak:        named("leak", []string{"LRANGE", "encodings", "0", "-1"}, []string{"ECHO", "{{secrets.CONFORMANCE_TOKEN}}"}),
		Broken:      named("broken", script("return redis.error_reply('BROKEN ' .. ARGV[1])", "{{secrets.CONFORMANCE_TOKEN}}")),
		SkipReasons: map[string]string{"Digits": "Redis keeps what it gets as text, and its scripts have no such numbers; see TestAnswers"},
		Calls:       func() int { return int(c.calls.Load()) },
		HangArrived: c.hanging,
	})
}

// TestHosts checks that only servers that the guard allows are reached.
func TestHosts(t *testing.T) {
	conformance.RunHosts(t, conformance.Transport{
		Runner: func(d *dial.Dialer) executor.Runner { return redis.New(redis.Options{Dialer: d}) },
		Request: func(text string) executor.Request {
			u, err := url.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			port := u.Port()
			if port == "" {
				port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
			}
			tl := redisTool([][]string{{"GET", "k"}})
			return executor.Request{Tool: &tl, Environment: executor.Environment{Sources: map[string]tool.Source{
				"db": {Kind: "redis", Host: u.Hostname(), Port: port},
			}}}
		},
		SkipReason: func(text string) string {
			u, err := url.Parse(text)
			switch {
			case err != nil:
				return "it is no URL, so it has no host"
			case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.User != nil, strings.Contains(u.Path, `\`):
				return "what is wrong with it is not its host"
			}
			return ""
		},
	})
}
