package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestAllocationsBeforeMain checks that each of our packages allocates little before
// main, since an editor waits for it, as does each command. Larger things are made on
// first use.
func TestAllocationsBeforeMain(t *testing.T) {
	const budget = 600 // bytes of the heap, for one package
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "version")
	cmd.Args[0] = "abl-lsp" // otherwise the patterns are compiled, as in a test
	cmd.Env = append(os.Environ(), asProgram+"=1", "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	packages := regexp.MustCompile(`(?m)^init (github\.com/abl-lsp/\S+) .* (\d+) allocs$`).FindAllStringSubmatch(trace.String(), -1)
	if len(packages) == 0 {
		t.Fatalf("the trace names no package:\n%s", trace.String())
	}
	for _, p := range packages {
		if n, _ := strconv.Atoi(p[2]); n > budget {
			t.Errorf("%s makes %d allocations before main, %d are the budget", p[1], n, budget)
		}
	}
}
