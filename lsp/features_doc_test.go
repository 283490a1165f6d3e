package lsp

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// fullClient are the capabilities of a client on which answers to initialize
// depend.
const fullClient = `{
	"textDocument": {
		"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}, "dataSupport": true, "resolveSupport": {"properties": ["edit"]}},
		"diagnostic": {},
		"rename": {"prepareSupport": true}
	},
	"workspace": {"fileOperations": {"willRename": true, "didRename": true, "didCreate": true, "didDelete": true}}
}`

// announced has the path in the answer to initialize that announces each method.
var announced = map[string]string{
	"textDocument/didOpen":                   "textDocumentSync.openClose",
	"textDocument/didClose":                  "textDocumentSync.openClose",
	"textDocument/didChange":                 "textDocumentSync.change",
	"textDocument/didSave":                   "textDocumentSync.save",
	"textDocument/willSave":                  "textDocumentSync.willSave",
	"textDocument/willSaveWaitUntil":         "textDocumentSync.willSaveWaitUntil",
	"textDocument/declaration":               "declarationProvider",
	"textDocument/definition":                "definitionProvider",
	"textDocument/typeDefinition":            "typeDefinitionProvider",
	"textDocument/implementation":            "implementationProvider",
	"textDocument/references":                "referencesProvider",
	"textDocument/prepareCallHierarchy":      "callHierarchyProvider",
	"textDocument/prepareTypeHierarchy":      "typeHierarchyProvider",
	"textDocument/documentHighlight":         "documentHighlightProvider",
	"textDocument/documentLink":              "documentLinkProvider",
	"documentLink/resolve":                   "documentLinkProvider.resolveProvider",
	"textDocument/hover":                     "hoverProvider",
	"textDocument/codeLens":                  "codeLensProvider",
	"codeLens/resolve":                       "codeLensProvider.resolveProvider",
	"textDocument/foldingRange":              "foldingRangeProvider",
	"textDocument/selectionRange":            "selectionRangeProvider",
	"textDocument/documentSymbol":            "documentSymbolProvider",
	"textDocument/semanticTokens/full":       "semanticTokensProvider.full",
	"textDocument/semanticTokens/full/delta": "semanticTokensProvider.full.delta",
	"textDocument/semanticTokens/range":      "semanticTokensProvider.range",
	"textDocument/inlineValue":               "inlineValueProvider",
	"textDocument/inlayHint":                 "inlayHintProvider",
	"inlayHint/resolve":                      "inlayHintProvider.resolveProvider",
	"textDocument/moniker":                   "monikerProvider",
	"textDocument/completion":                "completionProvider",
	"completionItem/resolve":                 "completionProvider.resolveProvider",
	"textDocument/diagnostic":                "diagnosticProvider",
	"workspace/diagnostic":                   "diagnosticProvider.workspaceDiagnostics",
	"textDocument/signatureHelp":             "signatureHelpProvider",
	"textDocument/codeAction":                "codeActionProvider",
	"codeAction/resolve":                     "codeActionProvider.resolveProvider",
	"textDocument/documentColor":             "colorProvider",
	"textDocument/formatting":                "documentFormattingProvider",
	"textDocument/rangeFormatting":           "documentRangeFormattingProvider",
	"textDocument/rangesFormatting":          "documentRangeFormattingProvider.rangesSupport",
	"textDocument/onTypeFormatting":          "documentOnTypeFormattingProvider",
	"textDocument/rename":                    "renameProvider",
	"textDocument/prepareRename":             "renameProvider.prepareProvider",
	"textDocument/linkedEditingRange":        "linkedEditingRangeProvider",
	"textDocument/inlineCompletion":          "inlineCompletionProvider",
	"workspace/symbol":                       "workspaceSymbolProvider",
	"workspaceSymbol/resolve":                "workspaceSymbolProvider.resolveProvider",
	"workspace/didChangeWorkspaceFolders":    "workspace.workspaceFolders.changeNotifications",
	"workspace/willCreateFiles":              "workspace.fileOperations.willCreate",
	"workspace/willRenameFiles":              "workspace.fileOperations.willRename",
	"workspace/willDeleteFiles":              "workspace.fileOperations.willDelete",
	"workspace/didCreateFiles":               "workspace.fileOperations.didCreate",
	"workspace/didRenameFiles":               "workspace.fileOperations.didRename",
	"workspace/didDeleteFiles":               "workspace.fileOperations.didDelete",
	"workspace/executeCommand":               "executeCommandProvider",
	"workspace/textDocumentContent":          "workspace.textDocumentContent",
	"notebookDocument/didOpen":               "notebookDocumentSync",
}

// TestFeatures compares the tables of methods with the protocol, with the messages that
// the server sends, and with its answer to initialize.
func TestFeatures(t *testing.T) {
	rows := featureRows(t)
	sent := methodsSent(t)
	capabilities := announcedTo(t, fullClient)
	for _, m := range protocol.Methods {
		row, ok := rows[m.Method]
		if !ok {
			t.Errorf("lsp/methods.go has no row for %s", m.Method)
			continue
		}
		_, request := requestTable()[m.Method]
		_, notification := notificationTable()[m.Method]
		does := request || notification || sent[constantOf(m.Method)]
		if does != row.supported {
			t.Errorf("lsp/methods.go says %t of %s, and it is %t that the server has it", row.supported, m.Method, does)
		}
		if !row.supported && !strings.Contains(row.about, " ") {
			t.Errorf("lsp/methods.go does not say why %s is not meaningful", m.Method)
		}
		if strings.ContainsAny(row.about, "|\n") {
			t.Errorf("what lsp/methods.go says of %s is no cell of a table", m.Method)
		}
		if path, isAnnounced := announced[m.Method]; isAnnounced && hasCapability(capabilities, path) != does {
			t.Errorf("%s: it is %t that the server has it, and %t that its answer to initialize has %s (what that depends on must stand in `fullClient`)",
				m.Method, does, !does, path)
		}
	}
}

// TestCommandsDocumented compares docs/editors.md with the table of commands.
func TestCommandsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range commandNames() {
		if !strings.Contains(string(page), "\n| `"+name+"` | ") {
			t.Errorf("docs/editors.md has no row for %s", name)
		}
	}
}

// featureRows returns the rows of all methods, by name. No method has two rows.
func featureRows(t *testing.T) map[string]feature {
	t.Helper()
	rows := map[string]feature{}
	for _, f := range features() {
		rows[f.name] = f
	}
	if n := len(methods()) + len(connectionMethods()) + len(sentMethods()) + len(unusedMethods()); n != len(rows) {
		t.Errorf("lsp/methods.go has %d rows for %d methods of the protocol", n, len(rows))
	}
	return rows
}

// methodsSent returns the names of the methods that the sources use outside of the tables
// of handlers: those that are sent, and those that the connection handles.
func methodsSent(t *testing.T) map[string]bool {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	paths = append(paths, filepath.Join("connection", "conn.go"), filepath.Join("connection", "dispatch.go"), filepath.Join("connection", "trace.go"))
	sent := map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || path == "methods.go" || path == "lifecycle.go" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(s.Sel.Name, "Method") {
				sent[s.Sel.Name] = true
			}
			return true
		})
	}
	return sent
}

// constantOf returns the name of the library's constant for a method.
func constantOf(method string) string {
	name := "Method"
	for part := range strings.SplitSeq(strings.TrimPrefix(method, "$/"), "/") {
		name += strings.ToUpper(part[:1]) + part[1:]
	}
	return name
}

// announcedTo returns the answer to a client with the given capabilities.
func announcedTo(t *testing.T, client string) map[string]any {
	f := startClient(t)
	raw := protocol.LSPAny(`{"capabilities":` + client + `}`)
	var result protocol.LSPAny
	if err := f.Call(protocol.MethodInitialize, &raw, &result); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Capabilities map[string]any `json:"capabilities"`
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Capabilities
}

// hasCapability reports whether an answer has a value other than false at a path.
func hasCapability(answer any, path string) bool {
	for key := range strings.SplitSeq(path, ".") {
		fields, _ := answer.(map[string]any)
		answer = fields[key]
	}
	return answer != nil && answer != false && answer != 0.0
}
