package module_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/tool"
)

const generators = `
export async function* words() { yield "one "; yield "two "; yield "three" }
export function* plain() { yield "a"; yield "b" }
export async function* events() { yield { type: "start" }; yield { type: "end", id: 9007199254740993n } }
export async function* mixed() { yield "a"; yield 1 }
export async function* none() {}
export async function* ends() { yield "working "; yield "on it"; return { total: 2 } }
export async function* fails() { yield "one "; console.log("so far"); throw new Error("lost the stream") }
export const whole = async () => "all at once";
export const lists = () => ["a", "b"];
export const nested = async () => words();
export async function* secret(_, { auth }) { yield "it is " + auth.token.slice(0, 4); yield auth.token.slice(4) + ", then" }
`

// TestStreaming checks that the values that a generator yields are shown when they arrive, and
// that they form the answer, by the type that the tool returns.
func TestStreaming(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{"a.mjs": generators})
	of := func(name string) *tool.Type { return &tool.Type{Name: name} }
	list := &tool.Type{Name: "array", Elem: &tool.Type{Name: "string"}}
	for _, tt := range []struct {
		handler string
		returns *tool.Type
		value   string // "": it fails
		chunks  []string
	}{
		{"words", of("string"), `"one two three"`, []string{"one ", "two ", "three"}},
		{"words", list, `["one ","two ","three"]`, []string{"one ", "two ", "three"}},
		{"words", nil, `"one two three"`, []string{"one ", "two ", "three"}},
		{"plain", nil, `"ab"`, []string{"a", "b"}},
		{"nested", nil, `"one two three"`, []string{"one ", "two ", "three"}},
		{"events", nil, `[{"type":"start"},{"type":"end","id":9007199254740993}]`, []string{`{"type":"start"}` + "\n", `{"type":"end","id":9007199254740993}` + "\n"}},
		{"mixed", nil, `["a",1]`, []string{"a", "1\n"}},
		{"mixed", of("string"), "", []string{"a", "1\n"}},
		{"none", of("string"), `""`, nil},
		{"none", list, `[]`, nil},
		{"none", nil, `[]`, nil},
		{"ends", of("object"), `{"total":2}`, []string{"working ", "on it"}},
		{"whole", of("string"), `"all at once"`, []string{"all at once"}},
		{"lists", list, `["a","b"]`, []string{`["a","b"]` + "\n"}},
	} {
		t.Run(tt.handler, func(t *testing.T) {
			tl := r.tool("a.mjs", tt.handler)
			tl.Streaming, tl.Returns = "true", tt.returns
			var chunks chunks
			r.req.Report = chunks.report
			e := r.run(t.Context(), tl, `{}`)
			if string(e.Value) != tt.value && tt.value != "" || e.OK != (tt.value != "") || !slices.Equal(chunks.all, tt.chunks) || len(e.Warnings) > 0 {
				t.Errorf("%s as %v: %s, %q, %+v %q", tt.handler, tt.returns, e.Value, chunks.all, e.Error, e.Warnings)
			}
		})
	}
}

// chunks collects what is shown during a call.
type chunks struct {
	mu  sync.Mutex
	all []string
}

func (c *chunks) report(p executor.Progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.Chunk != "" {
		c.all = append(c.all, p.Chunk)
	}
}

// TestNotStreaming checks that the answer of a generator is the same for a tool without streaming,
// and that nothing is shown before.
func TestNotStreaming(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{"a.mjs": generators})
	var chunks chunks
	r.req.Report = chunks.report
	e := r.run(t.Context(), r.tool("a.mjs", "words"), `{}`)
	if string(e.Value) != `"one two three"` || len(chunks.all) > 0 || len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "streaming: true") {
		t.Errorf("%s, %q, %q", e.Value, chunks.all, e.Warnings)
	}
}

// TestStreamFails checks that earlier values are shown, and that the error names its place.
func TestStreamFails(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{"a.mjs": generators})
	tl := r.tool("a.mjs", "fails")
	tl.Streaming = "true"
	var chunks chunks
	r.req.Report = chunks.report
	e := r.fails(tl, executor.KindSandbox, "threw", "a.mjs:8: Error: lost the stream")
	if !slices.Equal(chunks.all, []string{"one "}) || e.Console != "so far\n" {
		t.Errorf("%q, console %q", chunks.all, e.Console)
	}
}

// TestStreamsNoSecret checks that a stream shows no secret, even one that is split between two
// values.
func TestStreamsNoSecret(t *testing.T) {
	t.Parallel()
	r := in(t, map[string]string{"a.mjs": generators})
	tl := r.tool("a.mjs", "secret")
	tl.Streaming, tl.Namespace = "true", "s"
	r.req.Environment.Services = map[string]tool.Service{"s": {Auth: []byte(`{"token": "{{secrets.TOKEN}}"}`)}}
	r.req.Secrets = map[string]string{"TOKEN": "abcdefghij"}
	var chunks chunks
	r.req.Report = chunks.report
	e := r.run(t.Context(), tl, `{}`)
	const want = "it is ••••(TOKEN), then"
	if got := strings.Join(chunks.all, ""); got != want || string(e.Value) != `"`+want+`"` {
		t.Errorf("%q, %s, %+v", got, e.Value, e.Error)
	}
}
