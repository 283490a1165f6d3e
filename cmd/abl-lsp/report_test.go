package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// draft is a folder whose files have findings of every sort: with a related place, over
// several lines, after characters of two units, and none.
var draft = map[string]string{
	"fine.tools.abl": "TOOLS:\n  ping() -> string\n    description: \"Says hello.\"\n    type: mcp\n    server: \"local\"\n",
	"my desk, 100%.agent.abl": "AGENT: Desk\r\nGOAL: \"Helps\"\r\nTOOLS:\r\n" +
		"  find(id: string) -> string\r\n    description: \"x\"\r\n    type: http\r\n    endpoint: \"/orders/{id}\"\r\n    method: GTE # <&\u0001>\r\n    retries: 3\r\n" +
		"  find(id: string, id: string) -> string # 𝄞\r\n    description: \"𝄞\"\r\n    retries: 3\r\n",
	"open.agent.abl": "AGENT: Open\nGOAL: \"never closed\nPERSONA \"x\"\nTOOLS:\n  a(x: {\n",
}

// checkDraft returns the report on a folder with the files.
func checkDraft(t *testing.T, files map[string]string, args ...string) []byte {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	if code := run(t.Context(), append([]string{"check"}, args...), strings.NewReader(""), &out, &errs); code == exitUsage {
		t.Fatal(errs.String())
	}
	return out.Bytes()
}

func TestSARIFSchema(t *testing.T) {
	schema := sarifValidator(t)
	for name, args := range map[string][]string{
		"a folder": {"."},
		"one file": {"fine.tools.abl"},
	} {
		t.Run(name, func(t *testing.T) {
			report := checkDraft(t, draft, append(args, "--format", "sarif")...)
			if err := valid(t, schema, report); err != nil {
				t.Errorf("check %s: %v\n%s", args, err, report)
			}
		})
	}
	broken := bytes.ReplaceAll(checkDraft(t, draft, "--format", "sarif", "."), []byte(`"level": "error"`), []byte(`"level": "fatal"`))
	if valid(t, schema, broken) == nil {
		t.Error("the schema takes anything")
	}
}

func sarifValidator(t *testing.T) *jsonschema.Schema {
	t.Helper()
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaFile(t, "sarif.json")))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", raw); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("sarif.json")
}

func valid(t *testing.T, schema *jsonschema.Schema, report []byte) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(report))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(value)
}

// TestSARIF checks what no schema requires.
func TestSARIF(t *testing.T) {
	var log sarifLog
	if err := json.Unmarshal(checkDraft(t, draft, "--format", "sarif", "."), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	seen, related := map[string]bool{}, 0
	for _, r := range run.Results {
		if rule := run.Tool.Driver.Rules[r.RuleIndex]; rule.ID != r.RuleID || rule.Short.Text == "" || rule.HelpURI == "" {
			t.Errorf("%s has the rule %+v", r.RuleID, rule)
		}
		place := r.Locations[0].Physical.Artifact.URI + " " + r.Fingerprints["ablFinding/v1"]
		if seen[place] {
			t.Errorf("two findings have the fingerprint %s", place)
		}
		seen[place] = true
		related += len(r.Related)
	}
	if len(run.Results) == 0 || related == 0 {
		t.Errorf("%d results, %d related places", len(run.Results), related)
	}
	if !strings.Contains(string(checkDraft(t, draft, "--format", "sarif", ".")), `"uri": "my%20desk,%20100%25.agent.abl"`) {
		t.Error("a path is not percent-encoded")
	}
}

// TestFingerprint checks that a finding has the same fingerprint wherever its line moves,
// and however its file is named on the command line.
func TestFingerprint(t *testing.T) {
	const desk = "my desk, 100%.agent.abl"
	first := fingerprints(t, checkDraft(t, draft, "--format", "sarif", desk))
	moved := map[string]string{desk: "# a line\r\n\r\n" + draft[desk]}
	again := fingerprints(t, checkDraft(t, moved, "--format", "sarif", "./"+desk))
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the fingerprints (-before +moved):\n%s", diff)
	}
}

func fingerprints(t *testing.T, report []byte) string {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal(report, &log); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, r := range log.Runs[0].Results {
		all.WriteString(r.RuleID + " " + r.Fingerprints["ablFinding/v1"] + "\n")
	}
	return all.String()
}

func TestReference(t *testing.T) {
	here := filepath.ToSlash(t.TempDir())
	tests := map[string]struct{ shown, want string }{
		"dots within the path":        {"./a/../b.abl", "b.abl"},
		"characters that are escaped": {"../ä b#?.abl", "../%C3%A4%20b%23%3F.abl"},
		"a colon before any slash":    {"a:b.abl", "./a:b.abl"},
		"an absolute path":            {here + "/a b.abl", "file://" + here + "/a%20b.abl"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := reference(tt.shown); got != tt.want {
				t.Errorf("%s is %s, want %s", tt.shown, got, tt.want)
			}
		})
	}
}

func TestJUnitSchema(t *testing.T) {
	for name, args := range map[string][]string{
		"a folder":       {"."},
		"one file":       {"fine.tools.abl"},
		"every severity": {"--fail-level", "information", "."},
	} {
		t.Run(name, func(t *testing.T) {
			report := checkDraft(t, draft, append(args, "--format", "junit")...)
			if out, err := xmllint(t, report); err != nil {
				t.Errorf("check %s: %v\n%s\n%s", args, err, out, report)
			}
		})
	}
	broken := bytes.ReplaceAll(checkDraft(t, draft, "--format", "junit", "."), []byte("testcase"), []byte("case"))
	if _, err := xmllint(t, broken); err == nil {
		t.Error("the schema takes anything")
	}
}

// TestJUnit checks that the counts are those of the tests, and that every file has a
// test.
func TestJUnit(t *testing.T) {
	for level, lesser := range map[string]bool{"error": true, "information": false} {
		t.Run(level, func(t *testing.T) {
			var report junitReport
			if err := xml.Unmarshal(checkDraft(t, draft, "--format", "junit", "--fail-level", level, "."), &report); err != nil {
				t.Fatal(err)
			}
			if len(report.Suites) != len(draft) {
				t.Errorf("%d suites for %d files", len(report.Suites), len(draft))
			}
			for _, s := range report.Suites {
				failed := 0
				for _, c := range s.Cases {
					if c.Failure != nil {
						failed++
					}
				}
				if s.Tests != len(s.Cases) || s.Tests == 0 || s.Failures != failed || failed == 0 != (s.Name == "./fine.tools.abl") {
					t.Errorf("--fail-level %s: %s has %d of %d tests, %d of %d failed", level, s.Name, len(s.Cases), s.Tests, failed, s.Failures)
				}
				if strings.Contains(s.Name, "desk") && strings.Contains(s.Out, "warning: ") != lesser {
					t.Errorf("--fail-level %s: the output of %s is %q", level, s.Name, s.Out)
				}
			}
		})
	}
}

// xmllint validates a report against the schema of JUnit.
func xmllint(t *testing.T, report []byte) ([]byte, error) {
	t.Helper()
	program := testdeps.FindProgram(t, "xmllint")
	schema := filepath.Join(t.TempDir(), "junit.xsd")
	if err := os.WriteFile(schema, schemaFile(t, "junit.xsd"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--nonet", "--noout", "--schema", schema, "-")
	cmd.Stdin = bytes.NewReader(report)
	return cmd.CombinedOutput()
}

// schemaFile returns a schema that scripts/testdeps.sh has downloaded.
func schemaFile(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(testdeps.CachePath("schemas/" + name))
	if err != nil {
		testdeps.SkipOrFail(t, "the schema %s is not in .cache/schemas", name)
	}
	return raw
}

func TestGitHub(t *testing.T) {
	tests := []struct{ got, want string }{
		{githubText("100%\r\nof: a, b"), "100%25%0D%0Aof: a, b"},
		{githubProperty("a:b, 100%\n.abl"), "a%3Ab%2C 100%25%0A.abl"},
	}
	for _, tt := range tests {
		t.Run(tt.got, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("%q, want %q", tt.got, tt.want)
			}
		})
	}
	report := string(checkDraft(t, draft, "--format", "github", "my desk, 100%.agent.abl"))
	const want = "::error file=my desk%2C 100%25.agent.abl,line=8,endLine=8,col=13,endColumn=16,title=invalid-value::"
	if !strings.Contains(report, want) {
		t.Errorf("no %s in\n%s", want, report)
	}
}
