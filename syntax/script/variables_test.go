package script

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestVariable marks the places of `x` with another name.
func TestVariable(t *testing.T) {
	for _, tt := range []struct {
		runtime    Runtime
		body, want string // "" for one that cannot be told
	}{
		{JavaScript, "return x + o.x + {x: x}.x; // x", "return y + o.x + {x: y}.x; // x"},
		{JavaScript, "const f = (x) => x;\nreturn `${x} x` + \"x\" + f(x)", "const f = (y) => y;\nreturn `${y} x` + \"x\" + f(y)"},
		{JavaScript, "return {x}", ""},
		{JavaScript, "const {x} = o", ""},
		{JavaScript, "return x +", ""},
		{JavaScript, "return 1", "return 1"},
		{Python, "# x\nreturn {\"x\": x, \"y\": o.x, \"z\": f(x=x)}", "# x\nreturn {\"x\": y, \"y\": o.x, \"z\": f(x=y)}"},
		{Python, "return [x for x in o if f\"{x} x\"]", "return [y for y in o if f\"{y} x\"]"},
		{Python, "return (", ""},
	} {
		t.Run(tt.body, func(t *testing.T) {
			places, ok := VariableSpans(tt.runtime, tt.body, "x")
			got, at := "", 0
			for _, p := range places {
				got += tt.body[at:p.Start] + strings.Repeat("y", p.Len())
				at = p.End
			}
			if got += tt.body[at:]; !ok {
				got = ""
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s %q (-want +got):\n%s", tt.runtime, tt.body, diff)
			}
		})
	}
}
