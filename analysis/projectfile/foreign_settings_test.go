package projectfile

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	sources := map[string]tool.Source{"pg": {Kind: "postgres", Port: "5432", QueryParams: map[string]string{"ssl": "false"}}}
	if diff := cmp.Diff(sources, s.Sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	services := map[string]tool.AuthService{"google": {Kind: "google", ClientID: "{{secrets.ID}}", Scopes: tool.Words{"a"}}}
	if diff := cmp.Diff(services, s.AuthServices); diff != "" {
		t.Errorf("auth services (-want +got):\n%s", diff)
	}
	servers := map[string]tool.Server{"m": {Transport: "http", URL: "https://m"}}
	if diff := cmp.Diff(servers, s.Servers); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
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
