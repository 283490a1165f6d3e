package vscode_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommands checks that the pages for users name all commands of the palette.
func TestCommands(t *testing.T) {
	var manifest struct {
		Contributes struct {
			Commands []struct{ Command, Title string }
			Menus    struct {
				CommandPalette []struct{ Command, When string }
			}
		}
	}
	text, err := os.ReadFile("package.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	hidden := map[string]bool{}
	for _, entry := range manifest.Contributes.Menus.CommandPalette {
		hidden[entry.Command] = entry.When == "false"
	}
	for _, name := range []string{"README.md", "../../docs/editors.md"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			page, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range manifest.Contributes.Commands {
				if !hidden[c.Command] && !strings.Contains(string(page), "ABL: "+c.Title) {
					t.Errorf("%s does not name ABL: %s", name, c.Title)
				}
			}
		})
	}
}
