package corail_test

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/dialect"
)

// TestMetadata checks that metadata is reported as lost, except for a name that follows from the
// tool's own and for what the cluster writes itself.
func TestMetadata(t *testing.T) {
	for meta, want := range map[string]string{
		"{name: weather-api, namespace: team-🛫, labels: {a: b}}": "metadata.name: weather-api, metadata.namespace: team-🛫, metadata.labels",
		"{name: the-weather, uid: x, generation: 2}":             "",
	} {
		t.Run(meta, func(t *testing.T) {
			f := dialect.Read("a.yaml", "apiVersion: agents.recif.dev/v1\nkind: Tool\nmetadata: "+meta+
				"\nspec: {name: the_weather, type: http, description: d, endpoint: \"https://x.com\", method: GET}\n")
			var lost []string
			for _, name := range f.Tools[0].Lost {
				lost = append(lost, name.Text)
			}
			if got := strings.Join(lost, ", "); got != want {
				t.Errorf("%s: lost are %q, want %q", meta, got, want)
			}
		})
	}
}
