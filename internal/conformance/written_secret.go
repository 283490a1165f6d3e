package conformance

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

// testWritten: a short secret that is written in a file is hidden wherever the same text
// appears, and a warning says where it is written. If the text appears nowhere, there is no
// warning.
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

// testUnseen: a parameter that models do not see is given by the session, not by the arguments
// of a model. If traces do not show it either, nothing that is shown of the run has it.
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
