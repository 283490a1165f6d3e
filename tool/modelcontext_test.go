package tool

import (
	"encoding/json"
	"testing"
)

func TestModelContextCuts(t *testing.T) {
	const result = `{"rows": [{"id": 1, "name": "a", "at": {"x": 1, "y": 2}}, {"id": 2}], "total": 2, "none": null}`
	for _, tt := range []struct{ fields, result, want string }{
		{`["total"]`, result, `{"total":2}`},
		{`["rows[].id", "total", "rows[].at.x"]`, result, `{"rows":[{"id":1,"at":{"x":1}},{"id":2,"at":"unavailable"}],"total":2}`},
		{`["none", "lost", "total.x", "rows.id"]`, result, `{"none":null,"lost":"unavailable","total":"unavailable","rows":"unavailable"}`},
		{`["[].id"]`, `[{"id": 1, "x": 2}, 7]`, `[{"id":1},"unavailable"]`},
		{`["a"]`, `"text"`, `"unavailable"`},
		{`["m[][].x"]`, `{"m": [[{"x": 1}], []]}`, `{"m":[[{"x":1}],[]]}`},
	} {
		t.Run(tt.fields, func(t *testing.T) {
			tl := Tool{}
			tl.Extra = map[string]json.RawMessage{"model_context": json.RawMessage(`{"fields": ` + tt.fields + `}`)}
			var v any
			if err := json.Unmarshal([]byte(tt.result), &v); err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(tl.ModelContext().Select(v))
			if err != nil || string(got) != tt.want {
				t.Errorf("%s of %s: %s %v, want %s", tt.fields, tt.result, got, err, tt.want)
			}
		})
	}
}
