package projectfile

import (
	"encoding/json"
	"reflect"
	"strings"
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
	sources, services, err := ReadBrought(tables)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]Source{"pg": {Kind: "postgres", Port: "5432", QueryParams: map[string]string{"ssl": "false"}}}; !reflect.DeepEqual(sources, want) {
		t.Errorf("sources %+v, want %+v", sources, want)
	}
	if want := map[string]AuthService{"google": {Kind: "google", ClientID: "{{secrets.ID}}", Scopes: Words{"a"}}}; !reflect.DeepEqual(services, want) {
		t.Errorf("auth services %+v, want %+v", services, want)
	}
	tables[0].Value = tool.Object{{Name: "pg", Value: tool.Object{{Name: "host", Value: []any{"a"}}}}}
	if _, _, err := ReadBrought(tables); err == nil || !strings.Contains(err.Error(), "host: a list does not fit here") {
		t.Errorf("%v", err)
	}
}
