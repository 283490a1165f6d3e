package describe

import (
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool"
)

// YamlFieldMarkdown documents a key of abl.yaml or of saved cases. by is the key
// beside it that says of which kind all is.
func YamlFieldMarkdown(f *tool.Field, by string) string {
	row := *f
	row.With = nil
	if slices.Equal(f.With, f.Needs) {
		return Paragraphs(FieldMarkdown(row), kindsOf("Needed with", by, f.Needs))
	}
	return Paragraphs(FieldMarkdown(row), kindsOf("Of", by, f.With), kindsOf("Needed with", by, f.Needs))
}

func kindsOf(what, by string, kinds []string) string {
	if len(kinds) == 0 {
		return ""
	}
	return what + " `" + by + ": " + strings.Join(kinds, "`, `") + "`."
}
