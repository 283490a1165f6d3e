package check

import (
	"reflect"
	"runtime"
	"testing"

	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/marker"
)

// TestUneditedReadTheSame checks that the findings do not depend on whether a workspace keeps its
// files or reads them again.
func TestUneditedReadTheSame(t *testing.T) {
	for i, f := range marker.Load(t, fixtures) {
		w := f.Workspace.Caching(model.NewFileCache(0))
		for _, path := range w.Paths() {
			if file := w.File(path); file.Doc != nil {
				w = w.WithHandles(w.NewHandle(path, file.Text()))
			}
		}
		if i%20 == 0 {
			runtime.GC() // drops the files
		}
		for _, path := range f.Files {
			want, got := cold(f, path), Run(t.Context(), w, path, Options{Standard: f.Standard})
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s: found %v, want %v", f.Name, path, got, want)
			}
		}
	}
}
