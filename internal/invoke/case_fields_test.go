package invoke

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/executor"
)

const answered = `{"id": "BK-20291", "city": "Zürich 🛫", "total": 10.50, "paid": true, "note": null, "created_at": 1764403200,
	"day": "2026-06-01", "token": "••••(KEY)", "odd name": 1, "rooms": [{"n": 9007199254740993, "key": "9f86d081-884c-4d65-9a2f-eaa0c55ad015"}, {"n": 2}], "at": {"x": "\/"}}`

func TestProposeFields(t *testing.T) {
	var got []string
	for _, f := range ProposeFields(json.RawMessage(answered)) {
		ticked := ""
		if f.Ticked {
			ticked = "ticked"
		}
		got = append(got, strings.TrimSpace(strings.Join([]string{f.Path, f.Type, string(f.Value), string(f.How), f.Pattern, ticked}, " ")))
	}
	want := []string{
		`value.id string "BK-20291" matches ^BK-\d+$ ticked`,
		`value.city string "Zürich 🛫" equal ^Zürich 🛫$ ticked`,
		`value.total number 10.50 equal  ticked`,
		`value.paid boolean true equal  ticked`,
		`value.note null null equal  ticked`,
		`value.created_at number 1764403200 type  ticked`,
		`value.day string "2026-06-01" matches ^\d{4}-\d{2}-\d{2}$ ticked`,
		`value.token string "••••(KEY)" type`,
		`value["odd name"] number 1 equal  ticked`,
		`len(value.rooms) number 2 equal  ticked`,
		`value.rooms[0].n number 9007199254740993 equal`,
		`value.rooms[0].key string "9f86d081-884c-4d65-9a2f-eaa0c55ad015" matches ^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`,
		`value.rooms[1].n number 2 equal`,
		`value.at.x string "\/" equal ^/$`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for answer, want := range map[string]string{`"a"`: "value", `[]`: "len(value)", ``: "", `{}`: ""} {
		fields := ProposeFields(json.RawMessage(answer))
		if fields == nil || len(fields) > 1 || len(fields) == 1 && fields[0].Path != want || len(fields) == 0 && want != "" {
			t.Errorf("%s: %+v", answer, fields)
		}
	}
	if n := len(ProposeFields(json.RawMessage("[" + strings.Repeat("[[1,2,3,4,5,6,7,8,9]],", 20) + "[" + strings.Repeat(`{"a":1,"b":2},`, 999) + "1]]"))); n > maxFields {
		t.Errorf("%d fields", n)
	}
}

// TestFieldsCondition checks that what is proposed holds for the answer, compared in each way, and
// the conditions that are written.
func TestFieldsCondition(t *testing.T) {
	answer := json.RawMessage(answered)
	envelope := executor.Envelope{OK: true, Value: answer}
	for _, f := range ProposeFields(answer) {
		for _, how := range []Comparison{Equal, SameType, Matches} {
			if how == Matches && f.Pattern == "" {
				continue
			}
			condition, err := FieldsCondition(t.Context(), answer, []ExpectedField{{Path: f.Path, How: how}})
			if err != nil {
				t.Errorf("%s %s: %v", f.Path, how, err)
				continue
			}
			if met, err := evaluateCondition(t.Context(), condition, nil, envelope); !met || err != nil {
				t.Errorf("%s: %v, %v", condition, met, err)
			}
		}
	}
	for name, tt := range map[string]struct {
		fields []ExpectedField
		want   string
	}{
		"nothing":            {nil, ""},
		"several":            {[]ExpectedField{{Path: "value.city", How: Equal}, {Path: "value.total", How: SameType}}, `value.city == "Zürich 🛫" && IS_NUMBER(value.total)`},
		"another value":      {[]ExpectedField{{Path: "value.total", How: Equal, Value: json.RawMessage("11.00")}}, "value.total == 11.00"},
		"another type":       {[]ExpectedField{{Path: "value.note", How: SameType, Value: json.RawMessage(`"string"`)}}, "IS_STRING(value.note)"},
		"another pattern":    {[]ExpectedField{{Path: "value.id", How: Matches, Value: json.RawMessage(`"^BK-\\d{5}$"`)}}, `value.id matches "^BK-\\d{5}$"`},
		"an object's type":   {[]ExpectedField{{Path: "value.at", How: SameType}}, `type(value.at) == "map"`},
		"a list's type":      {[]ExpectedField{{Path: "value.rooms", How: SameType}}, `IS_ARRAY(value.rooms)`},
		"an element further": {[]ExpectedField{{Path: "value.rooms[1].n", How: Equal}}, `value.rooms[1].n == 2`},
		"an object":          {[]ExpectedField{{Path: "value.rooms[1]", How: Equal}}, `value.rooms[1] == {"n":2}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := FieldsCondition(t.Context(), answer, tt.fields)
			if err != nil || got != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
	for name, f := range map[string]ExpectedField{
		"another comparison": {Path: "value.id", How: "less"},
		"another type":       {Path: "value.id", How: SameType, Value: json.RawMessage(`"text"`)},
		"a bad pattern":      {Path: "value.id", How: Matches, Value: json.RawMessage(`"("`)},
		"a number's pattern": {Path: "value.total", How: Matches},
		"no expression":      {Path: "value.", How: Equal},
		"another name":       {Path: "answer.id", How: Equal},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := FieldsCondition(t.Context(), answer, []ExpectedField{f}); err == nil || !strings.HasPrefix(err.Error(), "expect: "+f.Path+": ") {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}
