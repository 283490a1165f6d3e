package tool

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// values decodes JSON into the maps, lists and single values that Decode accepts.
func values(t *testing.T, text string) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDecode(t *testing.T) {
	got, errs := Decode(values(t, `{
		"type": "HTTP", "description": "Finds hotels", "Endpoint": "/h/{id}", "base_url": "https://a.example",
		"method": "post", "auth": "Bearer", "timeout": 5000, "retry": "{{config.RETRIES}}", "retry_delay": "250",
		"rate_limit": 10.50, "headers": {"X-Version": 2, "X-On": true},
		"query_params": [{"key": "q", "value": "a"}, {"key": "q", "value": "b"}],
		"body": "{\"a\": {{x}}}", "circuit_breaker": {"Threshold": 3, "resetMs": 20000},
		"hints": {"cacheable": "yes", "latency": "FAST", "made_up": 1},
		"confirmation": {"require": "always", "immutable_params": "id, to"},
		"store_result": "{{config.KEEP}}", "on_result": {"set": {"user.name": "result.n", "n": 3}},
		"service": "crm", "version": 1.0, "permissions": ["web:get:a:80"],
		"auth_profile": "p", "scrub_secrets": "no", "made_up": 1, "server": "other kind's", "pii_access": null
	}`))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := Tool{
		Namespace: "crm", Version: "1.0", Description: "Finds hotels", Kind: KindHTTP,
		Spec: &HTTP{
			Endpoint: "/h/{id}", BaseURL: "https://a.example", Method: "POST", Auth: "bearer",
			Timeout: "5000", Retry: "{{config.RETRIES}}", RetryDelay: "250", RateLimit: "10.50",
			Headers:        map[string]string{"X-Version": "2", "X-On": "true"},
			QueryParams:    Pairs{{"q", "a"}, {"q", "b"}},
			BodyTemplate:   `{"a": {{x}}}`,
			CircuitBreaker: &CircuitBreaker{Threshold: "3", ResetMs: "20000"},
		},
		Common: Common{
			Hints:        Hints{Cacheable: "true", Latency: "fast"},
			Confirmation: &Confirmation{Require: "always", ImmutableParams: []string{"id", "to"}},
			OnResult:     &Outcome{Set: Assignments{{"n", "3"}, {"user.name", "result.n"}}},
			StoreResult:  "{{config.KEEP}}",
			Permissions:  []Permission{{"web", "get", "a:80"}},
			Extra:        map[string]json.RawMessage{"auth_profile": json.RawMessage(`"p"`), "scrub_secrets": json.RawMessage(`false`)},
		},
	}
	if diff := cmp.Diff(want, got, unexported); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDecodeKeepsOrder(t *testing.T) {
	set := Object{{"z", "result.z"}, {"a", "result.a"}}
	got, errs := Decode(map[string]any{"on_result": Object{{"set", set}}})
	want := Assignments{{"z", "result.z"}, {"a", "result.a"}}
	if diff := cmp.Diff(want, got.OnResult.Set); len(errs) > 0 || diff != "" {
		t.Errorf("%v (-want +got):\n%s", errs, diff)
	}
}

// TestDecodeErrors checks that wrong values are reported. Valid values beside them must be kept.
func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct{ props, want string }{
		{`{"type": "htpp"}`, `type: "htpp" is none of ` + strings.Join(WordNames(Kinds()), ", ")},
		{`{"type": "http", "method": "FETCH"}`, `method: "FETCH" is none of GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS`},
		{`{"type": "async_webhook", "method": "GET"}`, `method: "GET" is none of POST, PUT, PATCH`},
		{`{"type": "http", "timeout": "soon"}`, `timeout: "soon" is not a number`},
		{`{"type": "http", "timeout": "inf"}`, `timeout: "inf" is not a number`},
		{`{"type": "http", "timeout": "0x10"}`, `timeout: "0x10" is not a number`},
		{`{"type": "http", "timeout": [1]}`, `timeout: a number is wanted here`},
		{`{"store_result": "maybe"}`, `store_result: "maybe" is neither true nor false`},
		{`{"type": "http", "endpoint": {"a": 1}}`, `endpoint: a single value is wanted here`},
		{`{"type": "http", "headers": "X"}`, `headers: names with values are wanted here`},
		{`{"type": "http", "headers": {"X-A": [1]}}`, `headers.X-A: a single value is wanted here`},
		{`{"type": "http", "circuit_breaker": {"threshold": "x", "resetMs": 5}}`, `circuit_breaker.threshold: "x" is not a number`},
		{`{"type": "http", "circuit_breaker": 5}`, `circuit_breaker: a block of properties is wanted here`},
		{`{"type": "http", "request_variants": [{"method": "GET"}, {"method": "x"}]}`, `request_variants.1.method: "x" is none of GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS`},
		{`{"type": "http", "request_variants": {"name": "a"}}`, `request_variants: a list of blocks is wanted here`},
		{`{"type": "table", "operations": ["get", "drop"]}`, `operations.1: "drop" is none of get, query, count, insert, update, delete, upsert, bulkInsert, bulkUpsert`},
		{`{"context_access": {"read": {"a": 1}}}`, `context_access.read: a list is wanted here`},
		{`{"permissions": ["web"]}`, `permissions: "web" is no kind:op:resource`},
		{`{"permissions": ["::"]}`, `permissions: an access says its kind, its op or its resource`},
		{`{"permissions": ["web:get:a", {}]}`, `permissions: an access says its kind, its op or its resource`},
		{`{"permissions": 5}`, `permissions: a number does not fit here`},
		{`{"permissions": [["web"]]}`, `permissions: an array does not fit here`},
	} {
		t.Run(fmt.Sprintf("%.60s", c.props), func(t *testing.T) {
			props := values(t, c.props)
			props["description"] = "kept"
			got, errs := Decode(props)
			if len(errs) != 1 || errs[0].Error() != c.want {
				t.Errorf("%s\n got %v\nwant %s", c.props, errs, c.want)
			}
			if got.Description != "kept" {
				t.Errorf("%s: the description is lost", c.props)
			}
		})
	}
	got, _ := Decode(values(t, `{"type": "http", "circuit_breaker": {"threshold": "x", "resetMs": 5}}`))
	if cb := got.Spec.(*HTTP).CircuitBreaker; cb == nil || *cb != (CircuitBreaker{ResetMs: "5"}) {
		t.Errorf("one wrong key cost its block: %v", cb)
	}
	if got, _ := Decode(values(t, `{"type": "htpp"}`)); got.Spec != nil || got.Kind != "" {
		t.Errorf("an unknown kind gave %q, %v", got.Kind, got.Spec)
	}
}

func TestSharedDefaults(t *testing.T) {
	own := map[string]any{"type": "async_webhook", "retry": json.Number("0"), "headers": Object{{"x-a", "own"}}}
	defaults := map[string]any{
		"base_url": "https://a.example", "auth": "bearer", "retry": json.Number("3"),
		"headers": map[string]any{"X-A": "shared", "X-B": "shared"},
	}
	got, errs := Decode(WithDefaults(own, defaults))
	want := &AsyncWebhook{
		BaseURL: "https://a.example", Auth: "bearer", Retry: "0",
		Headers: map[string]string{"x-a": "own", "X-B": "shared"},
	}
	if diff := cmp.Diff(Spec(want), got.Spec); len(errs) > 0 || diff != "" {
		t.Errorf("%v (-want +got):\n%s", errs, diff)
	}
	if own["auth"] != nil || len(own["headers"].(Object)) != 1 {
		t.Errorf("the tool's own properties were changed: %v", own)
	}
}

// TestSharedHeadersOfMCP checks that an MCP tool ignores defaults meant for the HTTP tools of a
// library.
func TestSharedHeadersOfMCP(t *testing.T) {
	own := map[string]any{"type": "mcp", "server": "s", "headers": Object{{"Content-Type", "own"}}}
	defaults := map[string]any{"headers": map[string]any{"accept": "application/json", "X-B": "shared"}}
	got, errs := Decode(WithDefaults(own, defaults))
	want := &MCP{Server: "s", Headers: map[string]string{"Content-Type": "own", "X-B": "shared"}}
	if diff := cmp.Diff(Spec(want), got.Spec); len(errs) > 0 || diff != "" {
		t.Errorf("%v (-want +got):\n%s", errs, diff)
	}
	delete(own, "headers")
	got, errs = Decode(WithDefaults(own, defaults))
	want.Headers = map[string]string{"X-B": "shared"}
	if diff := cmp.Diff(Spec(want), got.Spec); len(errs) > 0 || diff != "" {
		t.Errorf("without headers of its own: %v (-want +got):\n%s", errs, diff)
	}
}

func TestEnrich(t *testing.T) {
	p := Param{Name: "n", Type: &Type{Name: "integer"}}
	errs := p.Enrich(values(t, `{
		"description": "How many", "default_source": "LOOKUP", "key": "k", "default": 12345678901234567890,
		"required": true, "hidden": "no", "allowed_values": [1, "a.*"], "min_value": 1, "type": "string",
		"auth_services": [{"name": "g", "field": "sub"}], "visibility": {"model": false}
	}`))
	want := Param{
		Name: "n", Type: &Type{Name: "integer"}, Optional: true, Description: "How many", Source: "lookup", Key: "k",
		Default:       json.RawMessage("12345678901234567890"),
		AllowedValues: []json.RawMessage{json.RawMessage("1"), json.RawMessage(`"a.*"`)}, MinValue: "1",
		AuthServices: []AuthClaim{{"g", "sub"}}, Visibility: &Visibility{Model: "false"},
	}
	if diff := cmp.Diff(want, p, unexported); len(errs) > 0 || diff != "" {
		t.Errorf("%v (-want +got):\n%s", errs, diff)
	}
	if errs := p.Enrich(values(t, `{"hidden": "x"}`)); len(errs) != 1 {
		t.Errorf("a wrong flag gave %v", errs)
	}
	if errs := p.Enrich(values(t, `{"source": "lookup( cities )"}`)); len(errs) > 0 || p.Source != "lookup" || p.Table != "cities" {
		t.Errorf("lookup(cities) gave %q, %q, %v", p.Source, p.Table, errs)
	}
	if errs := p.Enrich(values(t, `{"allowed_values": "km, 5", "excluded_values": 7}`)); len(errs) > 0 ||
		string(p.AllowedValues[0])+string(p.AllowedValues[1]) != `"km"5` || string(p.ExcludedValues[0]) != "7" {
		t.Errorf("words with commas gave %s, %s, %v", p.AllowedValues, p.ExcludedValues, errs)
	}
	q := Param{Name: "q"}
	q.Enrich(values(t, `{"required": false}`))
	if !q.Optional {
		t.Error("required: false left it required")
	}
}

func TestNumber(t *testing.T) {
	for name, c := range map[string]struct {
		n    Number
		v    int64
		isOK bool
	}{
		"a number":                {"5000", 5000, true},
		"zeros in front":          {"007", 7, true},
		"a fraction":              {"-1.5", -1, true},
		"an exponent":             {"1e3", 1000, true},
		"more than a float holds": {"9007199254740993", 9007199254740993, true},
		"too large":               {"1e30", 0, false},
		"nothing":                 {"", 0, false},
		"a template":              {"{{config.X}}", 0, false},
		"no number":               {"NaN", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			if v, ok := c.n.Int(); v != c.v || ok != c.isOK {
				t.Errorf("%q: got %d, %v", c.n, v, ok)
			}
		})
	}
}

// unexported lets cmp compare what is no field for others as well.
var unexported = cmp.Exporter(func(reflect.Type) bool { return true })
