package lsp

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"
)

// feature is a row of docs/features.md about a method.
type feature struct {
	name, about string
	supported   bool // the server handles or sends it
	fromServer  bool // the server sends it
}

// features returns a row for each method of the protocol, in its order. A method that no
// table names is left out.
func features() []feature {
	rows := map[string]feature{}
	for _, m := range methods() {
		rows[m.name] = feature{name: m.name, about: m.about, supported: true}
	}
	for _, m := range connectionMethods() {
		rows[m.name] = feature{name: m.name, about: m.about, supported: true}
	}
	for _, m := range sentMethods() {
		rows[m.name] = feature{name: m.name, about: m.about, supported: true, fromServer: true}
	}
	for _, m := range unusedMethods() {
		rows[m.name] = feature{name: m.name, about: m.about}
	}
	var all []feature
	for _, m := range protocol.Methods {
		if f, ok := rows[m.Method]; ok {
			f.fromServer = f.fromServer || m.Direction == "serverToClient"
			all = append(all, f)
		}
	}
	return all
}

// FeatureTables returns the tables of docs/features.md in Markdown: all methods that the
// client sends, then those that the server sends.
func FeatureTables() string {
	var b strings.Builder
	for _, part := range []struct {
		heading string
		sent    bool
	}{{"From the editor to the server", false}, {"From the server to the editor", true}} {
		fmt.Fprintf(&b, "\n## %s\n\n| method | | |\n|---|---|---|\n", part.heading)
		for _, f := range features() {
			if f.fromServer == part.sent {
				b.WriteString(f.row())
			}
		}
	}
	return b.String()
}

func (f feature) row() string {
	word := "yes"
	if !f.supported {
		word = "not meaningful here"
	}
	return strings.ReplaceAll(fmt.Sprintf("| `%s` | %s | %s |\n", f.name, word, f.about), "|  |", "| |")
}
