package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/analysis/refactor"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// TestRecordCases checks that the expectation of a case is written after its other keys, or that an
// error says why not; the other cases get theirs.
func TestRecordCases(t *testing.T) {
	for _, tt := range []struct{ source, want, failed string }{
		{"a:\r\n  - args: {x: 1}\r\n  # 🛫\r\n", "a:\r\n  - args: {x: 1}\r\n    expect:\r\n      ok: true\r\n      value: 'value == \"it''s 🛫\"'\r\n  # 🛫\r\n", ""},
		{"a:\n- {}\n", "a:\n- {expect: {ok: true, value: 'value == \"it''s 🛫\"'}}\n", ""},
		{"a:\n- {name: b,\n   args: {x: 1} # 🛫\n  }\n", "", "no place"},
		{"a: [{name: b}]", "a: [{name: b, expect: {ok: true, value: 'value == \"it''s 🛫\"'}}]", ""},
		{"a:\n  - name: b\n    expect:\n", "", "empty expect"},
		{"x-1: &c\n  name: b\na:\n  - *c\n", "", "elsewhere"},
		{"a:\n  - name: b\n    args:\n      text: |\n        two\n        lines\n\n\n  - name: c\n", "a:\n  - name: b\n    args:\n      text: |\n        two\n        lines\n    expect:\n      ok: true\n      value: 'value == \"it''s 🛫\"'\n\n\n  - name: c\n", ""},
	} {
		t.Run(fmt.Sprintf("%.60s", tt.source), func(t *testing.T) {
			path := "/a.cases.yaml"
			w := model.Workspace{}.With(path, syntax.Parse(tt.source))
			after, failed := refactor.RecordCases(w, path, map[int]refactor.NewExpect{0: {OK: new(true), Value: `value == "it's 🛫"`}})
			switch {
			case tt.failed == "" && (after != tt.want || len(failed) > 0):
				t.Errorf("%q: %q %v, want %q", tt.source, after, failed, tt.want)
			case tt.failed != "" && (after != tt.source || failed[0] == nil || !strings.Contains(failed[0].Error(), tt.failed)):
				t.Errorf("%q: %q %v, want the error %q", tt.source, after, failed, tt.failed)
			}
		})
	}
}
