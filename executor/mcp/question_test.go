package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/mcp"
	"github.com/abl-lsp/abl-lsp/tool"
)

// answer runs a tool again with an answer to the only question of an envelope.
func (r *fixture) answer(tl *tool.Tool, args string, asked executor.Envelope, action, content string) executor.Envelope {
	r.Helper()
	if asked.Needs == nil || asked.Needs.Input == nil || len(asked.Needs.Input.Requests) != 1 {
		r.Fatalf("nothing is asked: %s %+v", asked.Value, asked.Error)
	}
	again := *r
	again.request.Input = &executor.Input{State: asked.Needs.Input.State, Answers: map[string]executor.InputAnswer{
		asked.Needs.Input.Requests[0].ID: {Action: action, Content: json.RawMessage(content)},
	}}
	return again.run(tl, args)
}

// TestQuestions checks that a server's question reaches the person, and that the call goes on with the
// answer.
func TestQuestions(t *testing.T) {
	over(t, func(t *testing.T, _ *watch, s tool.Server) {
		if strings.HasSuffix(s.URL, "/json") {
			return // an answer that is one JSON document has no room for a question
		}
		r := newFixture(t, mcp.Options{}, one(s))
		tl := reading("elicit")
		tl.Returns = &tool.Type{Name: "string"}
		asked := r.run(tl, "")
		if n := asked.Needs; n == nil || n.Input == nil || n.Input.Server != "s" || n.Input.Requests[0].Message != "Which room? 🧭" ||
			n.Input.Requests[0].Mode != executor.FormInput || !strings.Contains(string(n.Input.Requests[0].Schema), `"beds"`) {
			t.Fatalf("%+v %+v", asked.Needs, asked.Error)
		}
		other := r.run(tl, "") // two calls of a session wait
		again := r.answer(tl, "", asked, executor.AcceptInput, `{"beds": 0}`)
		if again.Needs == nil || again.Needs.Input == nil || !strings.Contains(again.Error.Hint, "beds") {
			t.Fatalf("a wrong answer: %s %+v", again.Value, again.Error)
		}
		if e := r.answer(tl, "", again, executor.AcceptInput, `{"beds": 2}`); e.Text != "accept 2 in 1 folder" {
			t.Errorf("%q %+v", e.Text, e.Error)
		}
		if e := r.answer(tl, "", again, executor.AcceptInput, `{"beds": 2}`); e.Error == nil || e.Error.Kind != executor.KindTimeout || e.Error.Code != "input" {
			t.Errorf("answered twice: %q %+v", e.Text, e.Error)
		}
		if strings.HasSuffix(s.URL, "/sse") {
			return // it is not known which of two calls asks
		}
		if e := r.answer(tl, "", other, executor.DeclineInput, ""); e.Text != "decline <nil> in 1 folder" {
			t.Errorf("%q %+v", e.Text, e.Error)
		}
	})
}

// TestUnansweredQuestions checks that a call whose question nobody answers ends.
func TestUnansweredQuestions(t *testing.T) {
	r := newFixture(t, mcp.Options{AnswerTimeout: 10 * time.Millisecond}, one(ourProcess(t, newWatch())))
	asked := r.run(reading("elicit"), "")
	time.Sleep(50 * time.Millisecond)
	if e := r.answer(reading("elicit"), "", asked, executor.AcceptInput, `{"beds": 2}`); e.Error == nil || e.Error.Code != "input" {
		t.Errorf("%q %+v", e.Text, e.Error)
	}
	other := reading("echo")
	if e := r.answer(other, "", r.run(reading("elicit"), ""), executor.AcceptInput, `{"beds": 2}`); e.OK {
		t.Errorf("the answer of another call: %s", e.Value)
	}
}
