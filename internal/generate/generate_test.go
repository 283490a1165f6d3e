package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const root = "../.."

// TestFresh checks that the generated files are up to date.
func TestFresh(t *testing.T) {
	files, err := generateFiles(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		raw, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.ReplaceAll(string(raw), "\r\n", "\n") != want {
			t.Errorf("%s is stale: run make generate", name)
		}
	}
}

// TestSchemas validates the schemas by their metaschema.
func TestSchemas(t *testing.T) {
	meta, err := jsonschema.NewCompiler().Compile(dialect)
	if err != nil {
		t.Fatal(err)
	}
	for name := range schemas() {
		if err := meta.Validate(document(t, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		compiled(t, name)
	}
}

// document returns a JSON file of the repository.
func document(t *testing.T, name string) any {
	t.Helper()
	f, err := os.Open(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	v, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource(homePage+name, document(t, name)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(homePage + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
