package convert_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/abl-lsp/abl-lsp/analysis/convert"
	"github.com/abl-lsp/abl-lsp/analysis/model"
	"github.com/abl-lsp/abl-lsp/internal/corpus"
	"github.com/abl-lsp/abl-lsp/syntax"
	"github.com/abl-lsp/abl-lsp/syntax/text"
	"github.com/abl-lsp/abl-lsp/syntax/yaml"
)

var update = flag.Bool("update", false, "rewrite what the fixtures expect")

// TestFixtures converts the agent of each fixture, and compares the result and what is lost.
func TestFixtures(t *testing.T) {
	for _, path := range fixtures(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			fixture, err := txtar.ParseFile(path)
			if err != nil || len(fixture.Files) != 3 {
				t.Fatal("a fixture has an agent, its result, and what is lost", err)
			}
			f := model.NewFile(fixture.Files[0].Name, syntax.Parse(string(fixture.Files[0].Data)), nil)
			var got convert.Result
			if f.IsYAMLAgent() {
				got = convert.ToABL(f)
			} else {
				got = convert.ToYAML(f)
				checkYAML(t, got.Text)
			}
			if *update {
				fixture.Files[1].Data, fixture.Files[2].Data = []byte(got.Text), []byte(lostLines(f, got))
				if err := os.WriteFile(path, txtar.Format(fixture), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(fixture.Files[1].Data), got.Text); diff != "" {
				t.Error("the result (-want +got):", diff)
			}
			if diff := cmp.Diff(string(fixture.Files[2].Data), lostLines(f, got)); diff != "" {
				t.Error("what is lost (-want +got):", diff)
			}
		})
	}
}

// TestLossesHaveFixtures checks that a fixture names each thing that the schema of YAML says is lost.
func TestLossesHaveFixtures(t *testing.T) {
	var all strings.Builder
	for _, path := range fixtures(t) {
		fixture, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(fixture.Files[2].Data)
	}
	for _, name := range strings.Fields("INSTRUCTIONS ENTITIES NLU INTENTS MULTI_INTENT LOOKUP_TABLES ATTACHMENTS DESTINATIONS BEHAVIOR_PROFILE " +
		"BEHAVIOR AGENTS ROUTING STATE POLICIES COMMUNICATION TESTS file: auth confirmation on_result headers function transport_type MARKDOWN semantics options " +
		"TYPE RESET ACTION PATHS global_digressions TRANSFORM LOG AWAIT_ATTACHMENT ON_ERROR DO COLLECT GOTO RETRY REMOTE ASYNC ON_FAILURE " +
		"EXPERIENCE_MODE llm_check provider fix_strategy measurable validate &desk *desk << colour nlu") {
		if !strings.Contains(all.String(), "`"+name+"`") {
			t.Errorf("no fixture names the loss of %s", name)
		}
	}
	if !strings.Contains(all.String(), "`USE BEHAVIOR_PROFILE`") {
		t.Error("no fixture names the loss of USE BEHAVIOR_PROFILE")
	}
}

// TestCorpus converts all agents of the corpus. What it writes is YAML with each comment once.
func TestCorpus(t *testing.T) {
	for _, folder := range corpus.Folders(t, "../..") {
		paths, err := filepath.Glob(filepath.Join(folder, "agents", "*.abl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			t.Run(filepath.Base(folder)+"/"+filepath.Base(path), func(t *testing.T) { convertFile(t, path) })
		}
	}
}

func convertFile(t *testing.T, path string) {
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := model.NewFile(path, syntax.Parse(string(source)), nil)
	if f.Kind != model.Agent && f.Kind != model.Supervisor {
		t.Skip("no agent")
	}
	got := convert.ToYAML(f)
	checkYAML(t, got.Text)
	var want []string
	for _, e := range f.Doc.HeadsAndEntries() {
		for n := range e.Root().Preorder() {
			if n.Kind() == syntax.Comment && strings.HasPrefix(n.Text(), "#") {
				want = append(want, strings.TrimRight(n.Text(), " \t\r"))
			}
		}
	}
	lines := text.NewLines(got.Text)
	var have []string
	for _, span := range yaml.ParseLines(lines).Comments() {
		have = append(have, got.Text[span.Start:span.End])
	}
	for _, comment := range want {
		i := slices.Index(have, comment)
		if i < 0 {
			t.Errorf("the comment %q is not there, or there are fewer than in the source", comment)
			continue
		}
		have = slices.Delete(have, i, i+1)
	}
	for _, comment := range have {
		if !strings.Contains(string(source), strings.TrimPrefix(comment, "# ")) {
			t.Errorf("the comment %q is in the result alone", comment)
		}
	}
}

// checkYAML checks that a text is one map in YAML.
func checkYAML(t *testing.T, source string) {
	t.Helper()
	doc := yaml.ParseLines(text.NewLines(source))
	for _, fault := range doc.Faults() {
		t.Errorf("line %d is no YAML: %s", doc.Lines().Line(fault.Span.Start)+1, fault.Message)
	}
	if doc.Root().Kind != yaml.Map || len(doc.Roots()) != 1 {
		t.Errorf("the result is %s, not a map", doc.Root().Kind)
	}
	checkDuplicates(t, doc.Root())
}

func checkDuplicates(t *testing.T, n *yaml.Node) {
	for _, m := range n.Members {
		if m.Duplicate {
			t.Errorf("the key %s is written twice", m.Key.Text)
		}
		checkDuplicates(t, m.Value)
	}
	for _, item := range n.Items {
		checkDuplicates(t, item)
	}
}

// lostLines returns a line for each loss: its place and its message.
func lostLines(f *model.File, r convert.Result) string {
	var b strings.Builder
	for _, loss := range r.Lost {
		doc := f.Written().Doc
		at := doc.Lines().Position(loss.Span.Start, text.UTF8)
		fmt.Fprintf(&b, "%d:%d %q %s\n", at.Line+1, at.Character+1, firstLine(doc.Text()[loss.Span.Start:loss.Span.End]), loss.Message)
	}
	return b.String()
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func fixtures(t *testing.T) []string {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures", err)
	}
	return paths
}
