package conformance

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// testWritten: a short secret that a file writes out is hidden in whatever reads like it,
// and a warning says where it is written; where nothing reads like it, none does.
func testWritten(t *testing.T, k Kind) {
	r := k.request(k.Echo, `{"text": "xqzkw5y"}`)
	r.Environment.Sources = maps.Clone(r.Environment.Sources)
	if r.Environment.Sources == nil {
		r.Environment.Sources = map[string]tool.Source{}
	}
	r.Environment.Sources["written"] = tool.Source{Kind: "postgres", Password: "qzkw"}
	r.Environment.WrittenIn = map[string]string{"sources.written": "tools 🧭.yaml"}
	const warning = "sources.written.password, which tools 🧭.yaml writes out, has fewer than 8 characters"
	e := k.run(t, r)
	requireSuccess(t, e)
	if got := formatEnvelope(e); strings.Contains(got, "qzkw") || !strings.Contains(got, "x••••(sources.written.password)5y") || strings.Count(got, warning) != 1 {
		t.Errorf("%s", got)
	}
	r.Args = []byte(`{"text": "abc"}`)
	if e := k.run(t, r); !e.OK || strings.Contains(formatEnvelope(e), warning) {
		t.Errorf("%s", formatEnvelope(e))
	}
}

// testUnseen: what no model is shown, the session gives and not the arguments of a model;
// where neither models nor traces show it, nothing that is shown of the run has it.
func testUnseen(t *testing.T, k Kind) {
	unseen := k.Echo
	unseen.Params = slices.Clone(unseen.Params)
	unseen.Params[0].Source, unseen.Params[0].Visibility = "runtime", &tool.Visibility{Model: "false", Trace: "false"}
	r := k.request(unseen, `{"text": "mallory", "n": 1}`)
	r.FromModel, r.Session = true, []byte(`{"text": "customer77"}`)
	e := k.run(t, r)
	requireSuccess(t, e)
	if got := formatEnvelope(e); strings.Contains(got, "customer77") || strings.Contains(got, "mallory") || !strings.Contains(string(e.Value), "••••(text)") {
		t.Errorf("%s", got)
	}
	before := k.Calls()
	r.Session = nil
	requireFailure(t, k.run(t, r), executor.KindNeeds)
	if k.Calls() != before {
		t.Error("a call without what the session gives was sent")
	}
}
