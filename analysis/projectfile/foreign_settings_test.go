package projectfile

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/abl-lsp/abl-lsp/tool"
)

func TestReadBrought(t *testing.T) {
	tables := tool.Object{
		{Name: "sources", Value: tool.Object{{Name: "pg", Value: tool.Object{
			{Name: "kind", Value: "postgres"}, {Name: "port", Value: json.Number("5432")}, {Name: "of_that_system", Value: true},
			{Name: "query_params", Value: tool.Object{{Name: "ssl", Value: false}}},
		}}}},
		{Name: "auth_services", Value: tool.Object{{Name: "google", Value: tool.Object{
			{Name: "kind", Value: "google"}, {Name: "client_id", Value: "{{secrets.ID}}"}, {Name: "scopes", Value: []any{"a"}},
		}}}},
	}
	tables = append(tables, tool.Member{Name: "servers", Value: tool.Object{{Name: "m", Value: tool.Object{{Name: "transport", Value: "http"}, {Name: "url", Value: "https://m"}}}}})
	s, err := ReadForeignSettings(tables)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]tool.Source{"pg": {Kind: "postgres", Port: "5432", QueryParams: map[string]string{"ssl": "false"}}}; !reflect.DeepEqual(s.Sources, want) { //nolint:govet // no entry has a fault
		t.Errorf("sources %+v, want %+v", s.Sources, want)
	}
	if want := map[string]tool.AuthService{"google": {Kind: "google", ClientID: "{{secrets.ID}}", Scopes: tool.Words{"a"}}}; !reflect.DeepEqual(s.AuthServices, want) {
		t.Errorf("auth services %+v, want %+v", s.AuthServices, want)
	}
	if want := map[string]tool.Server{"m": {Transport: "http", URL: "https://m"}}; !reflect.DeepEqual(s.Servers, want) { //nolint:govet // likewise
		t.Errorf("servers %+v, want %+v", s.Servers, want)
	}
	tables[0].Value = tool.Object{{Name: "pg", Value: tool.Object{{Name: "host", Value: []any{"a"}}}}}
	tables[1].Value = tool.Object{{Name: "google", Value: tool.Object{{Name: "issuer", Value: []any{"a"}}}}}
	if s, err := ReadForeignSettings(tables[:1]); err != nil || s.Sources["pg"].Fault == nil || s.Sources["pg"].Fault.Error() != "sources.pg.host: a list does not fit here" {
		t.Errorf("%v %v", s.Sources["pg"].Fault, err)
	}
	if _, err := ReadForeignSettings(tables); err == nil || err.Error() != "auth_services.google.issuer: a list does not fit here" {
		t.Errorf("%v", err)
	}
}
