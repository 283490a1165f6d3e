package dialect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/dialect/toolbox"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestGenericAuthService checks that Toolbox's word for an OpenID provider becomes that of
// abl.yaml.
func TestGenericAuthService(t *testing.T) {
	const source = `authServices:
  login:
    kind: generic
    authorizationServer: https://login.example.com
    audience: ${AUDIENCE}
    scopesRequired: [read]
`
	f := Read("tools.yaml", source)
	want := tool.Object{
		{Name: "kind", Value: "oidc"}, {Name: "issuer", Value: "https://login.example.com"},
		{Name: "audience", Value: "{{secrets.AUDIENCE}}"}, {Name: "scopes_required", Value: []any{"read"}},
	}
	services := f.Project.Object("auth_services")
	if len(f.Faults) > 0 {
		t.Fatalf("%+v", f.Faults)
	}
	if diff := cmp.Diff(tool.Object{{Name: "login", Value: want}}, services); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	again := Read("tools.yaml", toolbox.Write(nil, f.Project).Text)
	if diff := cmp.Diff(f.Project, again.Project); diff != "" {
		t.Errorf("written and read again (-want +got):\n%s", diff)
	}
	named := tool.Object{{Name: "auth_services", Value: tool.Object{{Name: "login", Value: tool.Object{
		{Name: "kind", Value: "oidc"}, {Name: "issuer", Value: "https://a"}, {Name: "client_id", Value: "us"}, {Name: "client_secret", Value: "{{secrets.S}}"},
	}}}}}
	written := toolbox.Write(nil, named)
	if !strings.Contains(written.Text, "audience: us") || len(written.Lost) != 1 {
		t.Errorf("%s %+v", written.Text, written.Lost)
	}
}
