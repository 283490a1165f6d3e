package tool

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestSignature(t *testing.T) {
	text, number := &Type{Name: "string"}, &Type{Name: "number"}
	for want, tool := range map[string]Tool{
		"ping()": {Name: "ping"},
		`find(q: string, unit?: string, limit: number = 10) -> number[]`: {
			Name: "find",
			Params: []Param{
				{Name: "q", Type: text},
				{Name: "unit", Type: text, Optional: true},
				{Name: "limit", Type: number, Optional: true, Default: json.RawMessage("10")},
			},
			Returns: &Type{Name: "array", Elem: number},
		},
	} {
		t.Run(fmt.Sprintf("%.60s", want), func(t *testing.T) {
			if got := tool.Signature(); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}
