package dialect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/abl-lsp/abl-lsp/dialect/foreign"
	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/exactjson"
)

// ownForms maps the systems to the form, and the file name, in which their tools are written again.
var ownForms = map[string]map[string]string{ // by system: form → name
	"toolbox": {"toolbox": "a.yaml"},
	"corail":  {"corail": "a.json"},
	"service": {"json-schema": "a.json"},
	"nao":     {"nao": "a.json"},
}

// TestThereAndBack checks that tools which are written in the form of their system and read again
// are the same, with the same tables and without faults.
func TestThereAndBack(t *testing.T) {
	names, err := filepath.Glob("testdata/*")
	if err != nil || len(names) == 0 {
		t.Fatal("no examples", err)
	}
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(name), func(t *testing.T) { thereAndBack(t, Read(name, string(source))) })
	}
}

func thereAndBack(t *testing.T, f foreign.File) {
	t.Helper()
	for form, name := range ownForms[f.System] {
		w := write(t, form, f)
		back := Read(name, w.Text)
		for _, fault := range back.Faults {
			if fault.Severity == foreign.Error {
				t.Errorf("%s: %s\n%s", form, fault.Message, w.Text)
			}
		}
		if diff := cmp.Diff(shown(f), shown(back)); diff != "" {
			t.Errorf("%s (-want +got):\n%s\nof\n%s\nlost %q", form, diff, w.Text, w.Lost)
		}
		if len(w.Lost) > 0 {
			t.Errorf("%s: lost %q", form, w.Lost)
		}
	}
}

func write(t *testing.T, form string, f foreign.File) foreign.WriteResult {
	t.Helper()
	var tools []tool.Tool
	for _, d := range f.Tools {
		tools = append(tools, d.Tool)
	}
	for _, known := range Forms() {
		if known.Name == form {
			return known.Write(tools, f.Project)
		}
	}
	t.Fatal("no form", form)
	return foreign.WriteResult{}
}

// shown returns what a file contains, as JSON.
func shown(f foreign.File) string {
	var b strings.Builder
	for _, d := range f.Tools {
		var v any // in which the order of keys is that of their names
		if json.Unmarshal(exactjson.EncodeOrNil(d.Tool), &v) == nil {
			b.Write(exactjson.EncodeOrNil(v))
		}
		b.WriteByte('\n')
	}
	b.Write(exactjson.EncodeOrNil(f.Project))
	return b.String()
}

// TestTwoVersions checks that a form without versions has only the first of two versions.
func TestTwoVersions(t *testing.T) {
	f := Read("a.json", `{"tools": [
		{"name": "a", "version": "1", "description": "d", "binding": {"type": "http", "endpoint": "https://a.example.com/1", "method": "GET"}},
		{"name": "a", "version": "2", "description": "d", "binding": {"type": "http", "endpoint": "https://a.example.com/2", "method": "GET"}}]}`)
	for form, name := range map[string]string{"toolbox": "b.yaml", "crd": "b.yaml", "corail": "b.json", "json-schema": "b.json"} {
		t.Run(form, func(t *testing.T) {
			w := write(t, form, f)
			back := Read(name, w.Text)
			if len(back.Tools) != 1 || strings.Contains(w.Text, "example.com/2") || !strings.Contains(strings.Join(foreign.LossTexts(w.Lost), "\n"), "a: the whole tool, since another one is called so") {
				t.Errorf("%s: %d tools, lost %q\n%s", form, len(back.Tools), w.Lost, w.Text)
			}
		})
	}
}
