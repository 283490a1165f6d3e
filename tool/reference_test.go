package tool

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestReferred(t *testing.T) {
	var root any
	schema := `{"$defs": {"a b/c~": 1, "50%": 2, "list": [3, {"$anchor": "here", "is": 4}]}, "": {"": 5}, "$anchor": 6}`
	if err := json.Unmarshal([]byte(schema), &root); err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]any{
		"#": root, "#/$defs/a%20b~1c~0": 1, "#/%24defs/a b~1c~0": 1, "#%2F$defs/a b~1c~0": 1, "#/$defs/50%": 2, "#/$defs/50%25": 2,
		"#/$defs/list/0": 3, "#/$defs/list/1/is": 4, "#/$defs/list/2": nil, "#/$defs/list/-1": nil, "#/$defs/list/x": nil,
		"#/": map[string]any{"": 5}, "#//": 5, "#/none/a": nil, "#here": map[string]any{"$anchor": "here", "is": 4}, "#none": nil,
		"": nil, "/$defs/list/0": nil, "other.json#/$defs/list/0": nil,
	} {
		t.Run(ref, func(t *testing.T) {
			if got := ResolveReference(root, ref); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %v, want %v", ref, got, want)
			}
		})
	}
}
