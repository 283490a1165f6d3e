package abllsp_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sequences are tests whose rows are steps: each one needs those before it.
var sequences = []string{"TestRenameFiles"}

// TestRowsAreSubtests finds tables of tests whose rows cannot be run alone.
func TestRowsAreSubtests(t *testing.T) {
	fails := regexp.MustCompile(`\bt\.(Error|Fatal|Fail)|\(t[,)]`)
	for name, text := range sources(t) {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, loop := range tableLoops(file) {
			body := text[files.Position(loop.Body.Pos()).Offset:files.Position(loop.Body.End()).Offset]
			if fails.Match(body) && !bytes.Contains(body, []byte("t.Run(")) {
				t.Errorf("%s: each row of a table is a subtest: use t.Run", files.Position(loop.Pos()))
			}
		}
	}
}

// tableLoops returns the loops over tables in the tests of a file.
func tableLoops(file *ast.File) (loops []*ast.RangeStmt) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(f.Name.Name, "Test") || slices.Contains(sequences, f.Name.Name) {
			continue
		}
		for n := range ast.Preorder(f) {
			if loop, ok := n.(*ast.RangeStmt); ok && isTable(loop.X) {
				loops = append(loops, loop)
			}
		}
	}
	return loops
}

// isTable reports whether x, or the variable x where it is declared, is a list or a map of
// structs that have no name.
func isTable(x ast.Expr) bool {
	if id, ok := x.(*ast.Ident); ok && id.Obj != nil {
		if set, ok := id.Obj.Decl.(*ast.AssignStmt); ok && len(set.Rhs) == 1 {
			x = set.Rhs[0]
		}
	}
	table, ok := x.(*ast.CompositeLit)
	if !ok {
		return false
	}
	var row ast.Expr
	switch typ := table.Type.(type) {
	case *ast.ArrayType:
		row = typ.Elt
	case *ast.MapType:
		row = typ.Value
	}
	_, ok = row.(*ast.StructType)
	return ok
}
