package check

import (
	"path/filepath"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/syntax/text"
)

// fileSuffix: the name of an agent's file tells its dialect. The content decides how the file is
// read.
var fileSuffix = Check{
	Code: "file-suffix",
	File: func(out *findings, f File) {
		path, wrong := f.PathForDialect()
		if !wrong {
			return
		}
		var d *model.Diagnostic
		at, name := firstKey(f), filepath.Base(path)
		if f.IsYAMLAgent() {
			d = out.info(at, "This agent is written in YAML and is read as such; the name of its file would be `%s`.", name)
		} else {
			d = out.warn(at, "This agent is not written in YAML, and is read as what it is; the name of its file would be `%s`.", name)
		}
		d.Fixes = append(d.Fixes, model.Fix{Title: "Rename the file to `" + name + "`", Rename: path})
	},
}

// firstKey returns the span of the first line's key, up to its colon.
func firstKey(f File) text.Span {
	source := f.Written().Doc.Text()
	at := model.FirstLine(source)
	for i := at.Start; i < at.End; i++ {
		if source[i] == ':' || source[i] == '\r' {
			at.End = i
		}
	}
	return f.InFile(at)
}
