package executor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

// answering is a Runner that gives every call the same result.
type answering struct{ result Result }

func (a answering) Run(context.Context, Call) (Result, error) { return a.result, nil }

// rowsOf returns a list of objects as JSON, of about that many bytes.
func rowsOf(size int) json.RawMessage {
	var out bytes.Buffer
	out.WriteString("[")
	for i := 0; out.Len() < size; i++ {
		fmt.Fprintf(&out, `{"id":%d,"name":"Hôtel number %d","url":"https://example.com/%x","free":[true,null,%d.5]},`, i, i, i*104729, i)
	}
	return append(bytes.TrimSuffix(out.Bytes(), []byte(",")), ']')
}

// BenchmarkSize measures a run by the size of its result: the chain alone, with a secret that is
// searched for in the result, with a journal, and the layout of what is shown.
func BenchmarkSize(b *testing.B) {
	plain := reading(&spec{}, param("id", "string"))
	for _, size := range []int{1 << 10, 100 << 10, 1 << 20, 8 << 20} {
		value := rowsOf(size)
		for _, bm := range []struct {
			name    string
			tool    *tool.Tool
			secrets map[string]string
			dir     string
		}{
			{"chain", plain, nil, ""},
			{"secret", reading(&spec{Text: "{{secrets.KEY}}"}, param("id", "string")), map[string]string{"KEY": "some-secret-value"}, ""},
			{"journal", plain, nil, b.TempDir()},
		} {
			b.Run(fmt.Sprintf("%s/%dKB", bm.name, size>>10), func(b *testing.B) {
				x := New(Options{Runners: map[tool.Kind]Runner{"test": answering{Result{Value: value}}}, StateDir: bm.dir})
				req := trusted(bm.tool, `{"id":"a"}`)
				req.Secrets = bm.secrets
				b.ReportAllocs()
				b.SetBytes(int64(len(value)))
				for b.Loop() {
					if e := x.Run(b.Context(), req); !e.OK || len(e.Value) != len(value) {
						b.Fatal(e.Error)
					}
				}
				if err := x.Close(); err != nil {
					b.Fatal(err)
				}
			})
		}
		b.Run(fmt.Sprintf("indent/%dKB", size>>10), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(value)))
			for b.Loop() {
				if err := indent.Encode(io.Discard, value); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestAllBegin(t *testing.T) {
	for _, tt := range []struct {
		value string
		want  bool
	}{
		{`[{"a": [1, 2], "b": "], 1"}, {"a": {}}]`, true},
		{"[ \n{} ,\t{} ]", true},
		{`[{"a": "\"], 1, \\"}]`, true},
		{`[{}, 1]`, false},
		{`[{}, [{}]]`, false},
		{`[1, {}]`, false},
		{`[]`, false},
		{`{"a": [{}]}`, false},
		{`"[{}]"`, false},
		{``, false},
		{`[`, false},
		{`[{`, true}, // no JSON, which no result is
		{`]]]`, false},
	} {
		t.Run(tt.value, func(t *testing.T) {
			if got := allBegin(json.RawMessage(tt.value), "{"); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}
