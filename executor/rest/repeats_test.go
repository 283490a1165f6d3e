package rest

import "testing"

func TestRepeats(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       bool
	}{
		{"no object", `[1, "a", "a"]`, false},
		{"names that differ", `{"a": 1, "b": "a", "c": ["a", "b"]}`, false},
		{"one name twice", `{"a": 1, "b": 2, "a": 3}`, true},
		{"the same name in another object", `{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}`, false},
		{"twice within", `{"a": [{"b": {"c": 1, "d": {"x": 1}, "c": 2}}]}`, true},
		{"twice around another object", `{"a": {"x": {"y": 1}}, "a": 2}`, true},
		{"one name by two escapes", `{"\u0061": 1, "a": 2}`, true},
		{"an escaped quote", `{"a\"": 1, "a": "\"a\": 1"}`, false},
		{"braces in texts", `{"{": "}", "}": "{\"{\": 1"}`, false},
		{"blanks before the colon", "{\"a\" \t\r\n: 1, \"a\" : 2}", true},
		{"an astral character", `{"🧭": 1, "\ud83e\udded": 2}`, true},
		{"bytes that are no UTF-8", "{\"\xff\": 1, \"\xfe\": 2}", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := repeatsMember([]byte(tt.body)); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}
