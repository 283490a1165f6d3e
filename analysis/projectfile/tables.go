package projectfile

import (
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Tables returns the keys of the file with their values as they are written, those of the default
// environment laid over the top. What cannot be read is left out.
func Tables(d *yaml.Document) tool.Object {
	all := value(d.Root(), typedScalar)
	if name, err := chosenEnvironment(d, ""); err == nil && name != "" {
		all = mergeOver(all, value(d.Root().Get(Environments).Get(name), typedScalar))
	}
	tables, _ := all.(tool.Object)
	return tables
}
