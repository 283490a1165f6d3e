package main

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestDocs compares docs/cli.md with the commands and flags of the program.
func TestDocs(t *testing.T) {
	raw, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	for _, cmd := range newRoot().Commands() {
		if !strings.Contains(page, "\n## "+cmd.Name()+"\n") {
			t.Errorf("docs/cli.md has no section %q", cmd.Name())
		}
		checkFlags(t, page, cmd)
	}
	newRoot().PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !strings.Contains(page, "--"+f.Name) {
			t.Errorf("docs/cli.md does not say what --%s does", f.Name)
		}
	})
}

func checkFlags(t *testing.T, page string, cmd *cobra.Command) {
	t.Helper()
	_, section, _ := strings.Cut(page, "\n## "+cmd.Name()+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !strings.Contains(section, "--"+f.Name) {
			t.Errorf("docs/cli.md does not say what `%s --%s` does", cmd.Name(), f.Name)
		}
	})
}
