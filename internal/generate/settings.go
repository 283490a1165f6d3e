package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/abl-lsp/abl-lsp/tool"
	"github.com/abl-lsp/abl-lsp/tool/indent"
)

// The files that hold the settings of VS Code's extension.
const (
	extensionManifest = "editors/vscode/package.json"
	editorsPage       = "docs/editors.md"
)

// setting is a setting of the extension. Settings for the server have the server's names
// after "abl.".
type setting struct {
	name  string
	value any // the default; its type is that of the setting
	words []string
	scope string
	doc   string
}

// The scopes of VS Code say who may set a setting. An opened folder never sets one that
// grants or starts something.
const (
	machineScope  = "machine"
	windowScope   = "window"
	resourceScope = "resource" // each folder of a workspace for itself, too
)

// settings returns all settings of the extension.
func settings() []setting {
	return []setting{
		{name: "abl.server.path", value: "", scope: machineScope, doc: "The program `abl-lsp` to use instead of the one in the extension: a name on the PATH, or a path. A relative path begins in your home folder."},
		{name: "abl.trace.server", value: "off", words: []string{"off", "messages", "verbose"}, scope: windowScope, doc: "Whether the channel *ABL (messages)* shows the messages between the editor and the server, without secrets and arguments."},
		{name: "abl.environment", value: "", scope: resourceScope, doc: "The environment of `abl.yaml` in which tools run, unless a call or a case names another. Each folder of a workspace can have its own."},
		{name: "abl.allowHosts", value: []string{}, scope: machineScope, doc: "Hosts on this machine or in private networks that a run may reach: `HOST`, `HOST:PORT` or a CIDR. All others of these are refused."},
		{name: "abl.proxy", value: "", scope: machineScope, doc: "A proxy, `http://HOST:PORT`, for the HTTP requests of runs, except to hosts of this machine. A host that is refused without a proxy is also refused with it."},
		{name: "abl.codeLens.run", value: true, scope: windowScope, doc: "Show *Run* above each tool."},
		{name: "abl.codeLens.cases", value: true, scope: windowScope, doc: "Show each saved case above its tool."},
		{name: "abl.codeLens.preview", value: true, scope: windowScope, doc: "Show *Preview* above each tool."},
		{name: "abl.codeLens.imports", value: true, scope: windowScope, doc: "Show the imported tools above each import."},
		{name: "abl.codeLens.references", value: false, scope: windowScope, doc: "Show the number of uses above each declaration."},
		{name: "abl.inlayHints.defaults", value: true, scope: windowScope, doc: "Show shared defaults that apply to a tool."},
		{name: "abl.inlayHints.urls", value: true, scope: windowScope, doc: "Show the whole URL of an endpoint."},
		{name: "abl.inlayHints.parameterNames", value: true, scope: windowScope, doc: "Show the names of parameters at calls."},
		{name: "abl.inlayHints.types", value: true, scope: windowScope, doc: "Show the types of values whose type is not written."},
	}
}

// schema returns the setting as package.json declares it.
func (s setting) schema() tool.Object {
	of := object("type", s.kind(), "default", s.value)
	if s.kind() == "array" {
		of = append(of, tool.Member{Name: "items", Value: object("type", "string")})
	}
	if s.words != nil {
		of = append(of, tool.Member{Name: "enum", Value: s.words})
	}
	return append(of, object("scope", s.scope, "markdownDescription", s.doc)...)
}

func (s setting) kind() string {
	switch s.value.(type) {
	case bool:
		return "boolean"
	case []string:
		return "array"
	}
	return "string"
}

// withSettings returns package.json with the current settings.
func withSettings(text string) (string, error) {
	const begin, end = "\n    \"configuration\": {", "\n    },"
	before, rest, begins := strings.Cut(text, begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		return "", errors.New("it has no place for the settings")
	}
	all := tool.Object{}
	for _, s := range settings() {
		all = append(all, tool.Member{Name: s.name, Value: s.schema()})
	}
	raw, err := json.Marshal(object("title", "ABL", "properties", all))
	if err != nil {
		return "", err
	}
	lines := strings.ReplaceAll(indent.Text(raw), "\n", "\n    ")
	return before + strings.TrimSuffix(begin, "{") + lines + "," + after, nil
}

// settingTables returns the table of the settings for readers.
func settingTables() string {
	var b strings.Builder
	b.WriteString("\n| setting | default | |\n|---|---|---|\n")
	for _, s := range settings() {
		value, err := json.Marshal(s.value)
		if err != nil {
			panic(err) // a table of ours
		}
		who := ""
		if s.scope == machineScope {
			who = " A workspace cannot set it."
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s%s |\n", s.name, value, s.doc, who)
	}
	return b.String()
}
