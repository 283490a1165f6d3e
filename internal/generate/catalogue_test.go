package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCatalogue checks the catalogue by the rules that SchemaStore publishes for its own, in
// schema-catalog.json: which keys there are, which are required, and what they have.
func TestCatalogue(t *testing.T) {
	catalogue := document(t, catalogueFile).(map[string]any)
	checkKeys(t, catalogue, []string{"$schema", "version", "schemas"}, nil)
	if catalogue["$schema"] != catalogueSchema {
		t.Errorf("$schema is %v", catalogue["$schema"])
	}
	names := map[any]bool{}
	for _, one := range catalogue["schemas"].([]any) {
		entry := one.(map[string]any)
		checkKeys(t, entry, []string{"name", "url", "description"}, []string{"fileMatch", "versions"})
		if names[entry["name"]] {
			t.Errorf("%v is there twice", entry["name"])
		}
		names[entry["name"]] = true
		checkAddress(t, entry["url"].(string))
		var files []string
		for _, file := range entry["fileMatch"].([]any) {
			if slices.Contains(files, file.(string)) {
				t.Errorf("%v has the file %v twice", entry["name"], file)
			}
			files = append(files, file.(string))
		}
	}
	if len(names) != len(schemas()) {
		t.Errorf("%d entries for %d schemas", len(names), len(schemas()))
	}
}

// checkKeys checks that a map has the required keys and no others than these and the optional ones.
func checkKeys(t *testing.T, m map[string]any, required, optional []string) {
	t.Helper()
	for _, key := range required {
		if m[key] == nil || m[key] == "" {
			t.Errorf("no %s in %v", key, m)
		}
	}
	for key := range m {
		if !slices.Contains(slices.Concat(required, optional), key) {
			t.Errorf("unknown %s in %v", key, m)
		}
	}
}

// checkAddress checks that an address is one of https, and leads to a file of the repository.
func checkAddress(t *testing.T, address string) {
	t.Helper()
	file, ok := strings.CutPrefix(address, homePage)
	if !ok || !strings.HasPrefix(address, "https://") {
		t.Fatalf("%s is elsewhere", address)
	}
	if _, err := os.Stat(filepath.Join(root, file)); err != nil {
		t.Error(err)
	}
	if id := document(t, file).(map[string]any)["$id"]; id != address {
		t.Errorf("%s is called %v", address, id)
	}
}
