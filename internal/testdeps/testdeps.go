// Package testdeps finds the programs and packages that tests need. scripts/testdeps.sh
// installs them.
//
// If one is missing, a test is skipped; with ABL_REQUIRE_TESTDEPS it fails.
package testdeps

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// FindProgram returns the path of a program on PATH. It skips or fails the test if there is
// none.
func FindProgram(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		SkipOrFail(t, "%s is not on PATH", name)
	}
	return path
}

// HasProgram reports whether a program is on PATH. It is for tests that check something also
// without the program; with ABL_REQUIRE_TESTDEPS it fails the test.
func HasProgram(t testing.TB, name string) bool {
	t.Helper()
	_, err := exec.LookPath(name)
	return has(t, err == nil, "%s is not on PATH", name)
}

// HasNPMPackage is HasProgram for Node and a package of npm.
func HasNPMPackage(t testing.TB, name string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(npmModules(), name))
	return has(t, err == nil, "npm's %s is not in .cache/npm", name) && HasProgram(t, "node")
}

// has returns found. If that is false, it logs what is missing, or fails the test.
func has(t testing.TB, found bool, missing, name string) bool {
	t.Helper()
	switch {
	case found:
	case Required():
		SkipOrFail(t, missing, name)
	default:
		t.Logf("not everything is tested: "+missing, name)
	}
	return found
}

// FindNPMPackage returns the path of Node, and the node_modules folder that has the package of
// the name. It skips or fails the test if one is missing.
func FindNPMPackage(t testing.TB, name string) (node, modules string) {
	t.Helper()
	node, modules = FindProgram(t, "node"), npmModules()
	if _, err := os.Stat(filepath.Join(modules, name)); err != nil {
		SkipOrFail(t, "npm's %s is not in .cache/npm", name)
	}
	return node, modules
}

func npmModules() string { return CachePath("npm/node_modules") }

// FindMCPSuite returns the words of a command: the Node that the official test suite of the
// Model Context Protocol needs, and the suite. It skips or fails the test if one is missing.
func FindMCPSuite(t testing.TB) (command []string) {
	t.Helper()
	modules := CachePath("npm-conformance/node_modules")
	command = []string{
		filepath.Join(modules, "node-"+npmPlatform(), "bin", "node"),
		filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"),
	}
	for _, file := range command {
		if _, err := os.Stat(file); err != nil {
			SkipOrFail(t, "MCP's test suite is not in .cache/npm-conformance")
		}
	}
	return command
}

// FindToolbox returns the path of MCP Toolbox. It skips or fails the test if it is missing.
func FindToolbox(t testing.TB) string {
	t.Helper()
	path := CachePath("npm-bench/node_modules/@toolbox-sdk/server-" + npmPlatform() + "/bin/toolbox")
	if _, err := os.Stat(path); err != nil {
		SkipOrFail(t, "MCP Toolbox is not in .cache/npm-bench")
	}
	return path
}

// npmPlatform returns the name that packages of npm have for this system and its processor.
func npmPlatform() string {
	architecture := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	return runtime.GOOS + "-" + cmp.Or(architecture, runtime.GOARCH)
}

// SkipOrFail skips the test, or fails it with ABL_REQUIRE_TESTDEPS. The text says what is
// missing. It does not return.
func SkipOrFail(t testing.TB, format string, args ...any) {
	t.Helper()
	format += ": `make test` gets it"
	if Required() {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// Required reports whether a missing program or package fails a test.
func Required() bool { return os.Getenv("ABL_REQUIRE_TESTDEPS") != "" }

// CachePath returns the path of a file in the repository's .cache. The name has slashes on
// every system.
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
