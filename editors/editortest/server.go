package editortest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Server is abl-lsp, built once for all tests of a package.
type Server struct {
	build  sync.Once
	folder string
	err    error
}

// Main runs the tests of a package, and removes the program that they built. It returns the
// exit code.
func (s *Server) Main(m *testing.M) int {
	defer func() { _ = os.RemoveAll(s.folder) }()
	return m.Run()
}

// Path returns the path of the program, which is the only file in its folder.
func (s *Server) Path(t *testing.T) string {
	t.Helper()
	s.build.Do(func() { s.err = s.buildProgram() })
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.path()
}

func (s *Server) path() string { return filepath.Join(s.folder, "abl-lsp") }

func (s *Server) buildProgram() (err error) {
	if s.folder, err = os.MkdirTemp("", "abl-editors-"); err != nil {
		return err
	}
	build := exec.Command("go", "build", "-o", s.path(), "../../cmd/abl-lsp") //nolint:forbidigo // a counterpart of tests, and no child of the program
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}
