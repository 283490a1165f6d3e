package expression

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

func TestExplain(t *testing.T) {
	var variables map[string]any
	const given = `{"value": {"tier": "silver 🥈", "price": 10.50, "id": 9007199254740993, "open": false, "none": null, "odd name": 1,
		"tags": ["a", "b"], "rooms": [{"n": 1, "price": 90}, {"n": 2, "price": 612}]}, "args": {"id": 7}, "duration_ms": 312.4}`
	variables, err := exactjson.Decode[map[string]any]([]byte(given))
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		`value.tier == "gold"`:                     "`value.tier` is \"silver 🥈\", not \"gold\"",
		`"gold" == value.tier`:                     "`value.tier` is \"silver 🥈\", not \"gold\"",
		`value.tier != "silver 🥈"`:                 "`value.tier` is \"silver 🥈\", and should be something else than \"silver 🥈\"",
		`value.price < 10`:                         "`value.price` is 10.50, not less than 10",
		`10 > value.price`:                         "`value.price` is 10.50, not less than 10",
		`value.price <= 10`:                        "`value.price` is 10.50, not 10 or less",
		`value.price > 11`:                         "`value.price` is 10.50, not more than 11",
		`value.price >= 11`:                        "`value.price` is 10.50, not 11 or more",
		`value.id == 9007199254740992`:             "`value.id` is 9007199254740993, not 9007199254740992",
		`value.tier in ["gold", "bronze"]`:         "`value.tier` is \"silver 🥈\", not one of [\"gold\",\"bronze\"]",
		`value.tier NOT IN ["silver 🥈"]`:           "`value.tier` is \"silver 🥈\", which is one of [\"silver 🥈\"]",
		`value.tier contains "old"`:                "`value.tier` is \"silver 🥈\", which does not contain \"old\"",
		`value.tier matches "^g"`:                  "`value.tier` is \"silver 🥈\", which does not match \"^g\"",
		`not (value.tier matches "^s")`:            "`value.tier` is \"silver 🥈\", which matches \"^s\"",
		`value.tier startsWith "g"`:                "`value.tier` is \"silver 🥈\", which does not begin with \"g\"",
		`value.tier endsWith "g"`:                  "`value.tier` is \"silver 🥈\", which does not end with \"g\"",
		`len(value.rooms) > 3`:                     "`len(value.rooms)` is 2, not more than 3",
		`value.rooms[0].n == args.id`:              "`value.rooms[0].n` is 1, not `args.id` (7)",
		`value.open`:                               "`value.open` is false",
		`not value.open && !(value.price > 3)`:     "`value.price` is 10.50, not 3 or less",
		`value.price > 3 AND value.tier == "gold"`: "`value.tier` is \"silver 🥈\", not \"gold\"",
		`value.none == 1 and value.tier == "gold"`: "`value.none` is null, not 1",
		`value.lost == 1`:                          "`value.lost` is missing, not 1",
		`value.lost IS SET`:                        "`value.lost` is missing",
		`value.tier == null`:                       "`value.tier` is \"silver 🥈\", not null",
		`value.tier is_number`:                     "`IS_NUMBER(value.tier)` is false: `value.tier` is \"silver 🥈\"",
		`value.price == 3 or value.price == 4`:     "`value.price` is 10.50, not 3, and `value.price` is 10.50, not 4",
		`value.id == 1 or value.id == 2 or value.id == 3 or value.id == 4`:           "`value.id` is 9007199254740993, not 1, and `value.id` is 9007199254740993, not 2, and `value.id` is 9007199254740993, not 3, and so on",
		`value.price > 3 && value.price > 4 && value.price > 11 && value.price > 12`: "`value.price` is 10.50, not more than 11",
		`all(value.rooms, .price < 500)`:                                             "`value.rooms[1].price` is 612, not less than 500",
		`all(value.rooms, {#.n == 1 or #.price < 500})`:                              "`value.rooms[1].n` is 2, not 1, and `value.rooms[1].price` is 612, not less than 500",
		`none(value.rooms, .n == 2)`:                                                 "`value.rooms[1].n` is 2, and should be something else than 2",
		`any(value.rooms, .n == 3)`:                                                  "`any(value.rooms, .n == 3)` is false",
		`value.rooms == [{"n": 1, "price": 90}]`:                                     "`len(value.rooms)` is 2, not 1",
		`value.rooms[1] == {"n": 2, "price": 610}`:                                   "`value.rooms[1].price` is 612, not 610",
		`value.rooms[1] == {"n": 2}`:                                                 "`value.rooms[1].price` is 612, and should be missing",
		`value.rooms[0] == {"n": 1, "price": 90, "x y": 1}`:                          "`value.rooms[0][\"x y\"]` is missing, not 1",
		`duration_ms < 100`:                                                          "`duration_ms` is 312.4, not less than 100",
		`value.open ? true : false`:                                                  "`value.open ? true : false` is false",
		`value["odd name"] == 2`:                                                     "`value[\"odd name\"]` is 1, not 2",
		`value.open == false`:                                                        "", // true
		`value.tier`:                                                                 "", // no condition
		`value.tier ==`:                                                              "", // no expression
	} {
		t.Run(source, func(t *testing.T) {
			if got := Explain(t.Context(), source, variables); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	if diff := string(mustMarshal(t, variables)); !strings.Contains(diff, "10.50") {
		t.Errorf("the variables were changed: %s", diff)
	}
}

func mustMarshal(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestExplainIsShort checks that large values and long conditions are cut.
func TestExplainIsShort(t *testing.T) {
	long := strings.Repeat("ä ", 1<<20)
	got := Explain(context.Background(), `value == "x"`, map[string]any{"value": long})
	if len([]rune(got)) > 2*maxShown {
		t.Errorf("%d characters", len([]rune(got)))
	}
	source := strings.Repeat(`value != "a" and `, 900) + `value == "b"`
	if got := Explain(t.Context(), source, map[string]any{"value": "c"}); got != "`value` is \"c\", not \"b\"" {
		t.Errorf("a long condition: %s", got)
	}
}
