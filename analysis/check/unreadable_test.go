package check

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax"
)

// A file that is no text, or too large, has one diagnostic: what else could be
// found in it is noise.
func TestUnreadable(t *testing.T) {
	for name, source := range map[string]string{
		"no UTF-8":  "nothing\nfits\n\xff\xfe\nhere\n",
		"too large": strings.Repeat("x\n", syntax.MaxBytes),
	} {
		t.Run(name, func(t *testing.T) {
			w := model.Workspace{}.With("/p/a.agent.abl", syntax.Parse(source))
			found := Run(t.Context(), w, "/p/a.agent.abl", Options{})
			if len(found) != 1 || found[0].Code != "syntax-error" || found[0].Severity != model.Error {
				t.Errorf("%s: got %v", name, found)
			}
		})
	}
}
