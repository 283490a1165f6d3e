package executor

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// kindsByName are the kinds of errors, by the names of their constants.
var kindsByName = map[string]ErrorKind{
	"KindDefinition": KindDefinition, "KindArguments": KindArguments, "KindNeeds": KindNeeds, "KindDenied": KindDenied,
	"KindTimeout": KindTimeout, "KindLimit": KindLimit, "KindNetwork": KindNetwork, "KindRemote": KindRemote,
	"KindResult": KindResult, "KindSandbox": KindSandbox, "KindInternal": KindInternal,
}

// TestEveryErrorHasATitle checks that each kind has a title, and each code with which the source
// makes an error.
func TestEveryErrorHasATitle(t *testing.T) {
	for _, kind := range kindsByName {
		if errorCauses()[kind][""] == "" {
			t.Errorf("the kind %s has no title", kind)
		}
	}
	found := 0
	for _, folder := range []string{"..", "../internal", "../cmd", "../lsp"} {
		for _, made := range madeErrors(t, folder) {
			found++
			if errorCauses()[made.kind][made.code] == "" && !inFamily(made.kind, made.code) {
				t.Errorf("%s: the error %s %q has no title in errorCauses", made.place, made.kind, made.code)
			}
		}
	}
	for _, made := range []madeError{ // whose code is not written where the error is made
		{"", KindDefinition, "verify"},
		{"", KindDefinition, "revert"},
		{"", KindArguments, "wrong-type"},
		{"", KindArguments, "not-allowed"},
		{"", KindArguments, "schema"},
		{"", KindNeeds, CodeMissingToken},
		{"", KindDenied, string(dial.Private)},
		{"", KindDenied, string(dial.Metadata)},
		{"", KindDenied, string(dial.URL)},
		{"", KindTimeout, CodeContinuesLater},
		{"", KindTimeout, "timeout"},
		{"", KindNetwork, "connect"},
		{"", KindNetwork, "dns"},
		{"", KindNetwork, "lost"},
		{"", KindNetwork, "tls"},
		{"", KindRemote, "redirect"},
		{"", KindResult, codeUnverified},
		{"", KindResult, "schema"},
		{"", KindSandbox, "threw"},
	} {
		if errorCauses()[made.kind][made.code] == "" {
			t.Errorf("the error %s %q has no title in errorCauses", made.kind, made.code)
		}
	}
	if found < 200 {
		t.Errorf("only %d places make errors; is the source still read?", found)
	}
}

func inFamily(kind ErrorKind, code string) bool {
	for _, f := range errorFamilies {
		if f.kind == kind && strings.HasPrefix(code, f.prefix) {
			return true
		}
	}
	return false
}

type madeError struct {
	place string
	kind  ErrorKind
	code  string
}

// madeErrors returns the errors that the source below a folder makes with a kind and a code written
// out.
func madeErrors(t *testing.T, folder string) (all []madeError) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		isSource := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
		if err != nil || entry.IsDir() || !isSource || strings.Contains(path, "conformance") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if kind, code, ok := errorOfCall(call); ok {
					all = append(all, madeError{files.Position(call.Pos()).String(), kind, code})
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// errorOfCall returns the kind and the code of the error that a call makes.
func errorOfCall(call *ast.CallExpr) (kind ErrorKind, code string, ok bool) {
	name := lastName(call.Fun)
	constant := 1 // the argument with the code
	switch name {
	case "Errorf":
		if len(call.Args) < 2 {
			return "", "", false
		}
		if kind, ok = kindsByName[lastName(call.Args[0])]; !ok {
			return "", "", false
		}
	case "needsError":
		kind = KindNeeds
	case "DefinitionError", "unboundError":
		kind, constant = KindDefinition, 0
	case "sandboxError", "exceptionError":
		kind = KindSandbox
	default:
		return "", "", false
	}
	literal, isLiteral := call.Args[constant].(*ast.BasicLit)
	if !isLiteral {
		return "", "", false
	}
	code, err := strconv.Unquote(literal.Value)
	return kind, code, err == nil
}

func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func TestErrorTitle(t *testing.T) {
	for _, tt := range []struct {
		kind ErrorKind
		code string
		want string
	}{
		{KindRemote, "http-404", "Failed: the server answered 404"},
		{KindRemote, "aws-ThrottlingException", "Failed: AWS answered ThrottlingException"},
		{KindRemote, "mcp-32601", "Failed: the MCP server answered with the error -32601"},
		{KindRemote, "new", "Failed: the other side refused"},
		{KindTimeout, CodeCancelled, "Cancelled"},
		{KindTimeout, "timeout", "Failed: there was no answer in time"},
		{KindNeeds, "confirmation", "Did not run: it must be confirmed first"},
		{KindDenied, "private-address", "Refused: the host is on a private network"},
		{KindDenied, CodeMissingToken, "Refused: it is not allowed"},
		{KindDefinition, "unknown-property", "Failed: the tool cannot be run as it is written"},
		{"new", "", "Failed: it ended with an error"},
	} {
		t.Run(string(tt.kind)+" "+tt.code, func(t *testing.T) {
			if got := ErrorTitle(tt.kind, tt.code); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := string(encode(&Error{Kind: KindRemote, Code: "http-404"})); !strings.Contains(got, `"title":"Failed: the server answered 404"`) {
		t.Errorf("as JSON: %s", got)
	}
}

func TestFormatDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                                "0 ms",
		412 * time.Microsecond:           "0.4 ms",
		5 * time.Millisecond:             "5 ms",
		312400 * time.Microsecond:        "312 ms",
		999600 * time.Microsecond:        "1 s",
		14676 * time.Millisecond:         "14.7 s",
		59960 * time.Millisecond:         "1 min",
		125 * time.Second:                "2 min 5 s",
		200*time.Minute + 29*time.Second: "3 h 20 min",
	} {
		t.Run(want, func(t *testing.T) {
			if got := FormatDuration(d); got != want {
				t.Errorf("%v: got %q", d, got)
			}
		})
	}
}
