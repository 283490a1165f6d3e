// Package testdeps finds the programs and packages that tests drive, which scripts/testdeps.sh
// gets.
//
// It promises that a test is skipped where one is missing, and fails where
// ABL_REQUIRE_TESTDEPS says that it must be there.
package testdeps

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// FindProgram is where a program on PATH lies.
func FindProgram(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		SkipOrFail(t, "%s is not on PATH", name)
	}
	return path
}

// HasProgram reports whether a program is on PATH, to a test that has something to do without.
func HasProgram(t testing.TB, name string) bool {
	t.Helper()
	_, err := exec.LookPath(name)
	switch {
	case err == nil:
	case Required():
		SkipOrFail(t, "%s is not on PATH", name)
	default:
		t.Logf("without %s, which is not on PATH", name)
	}
	return err == nil
}

// FindNPMPackage is where Node lies, and the folder of npm's packages, one of which has that name.
func FindNPMPackage(t testing.TB, name string) (node, modules string) {
	t.Helper()
	node, modules = FindProgram(t, "node"), CachePath("npm/node_modules")
	if _, err := os.Stat(filepath.Join(modules, name)); err != nil {
		SkipOrFail(t, "npm's %s is not in .cache/npm", name)
	}
	return node, modules
}

// SkipOrFail skips the test, or fails it, for what the text says is not there. It does
// not return.
func SkipOrFail(t testing.TB, format string, args ...any) {
	t.Helper()
	format += ": `make test` gets it"
	if Required() {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// Required reports whether nothing may be missing.
func Required() bool { return os.Getenv("ABL_REQUIRE_TESTDEPS") != "" }

// CachePath is where something below the repository's .cache lies; its name has slashes.
func CachePath(name string) string {
	root := startFolder
	for root != filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Dir(root)
	}
	return filepath.Join(root, ".cache", filepath.FromSlash(name))
}

var startFolder, _ = filepath.Abs(".") // before a test goes elsewhere
