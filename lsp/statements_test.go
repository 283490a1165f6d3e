package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/sql"
	"github.com/abl-lsp/abl-lsp/internal/servercache"
	"github.com/abl-lsp/abl-lsp/internal/sqltest"
	"github.com/abl-lsp/abl-lsp/lsp/lsptest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// judged is an editor with a project whose source is a real database.
type judged struct {
	*lsptest.Client
	t    *testing.T
	runs *executor.Executor
	n    int
}

func openJudged(t *testing.T, f folder, source tool.Source) *judged {
	t.Helper()
	store := servercache.New(t.TempDir(), time.Now)
	runs := executor.New(executor.Options{
		Runners:   map[tool.Kind]executor.Runner{tool.KindSQL: sql.New(sql.Options{})},
		OnVerdict: store.AddVerdict,
	})
	t.Cleanup(func() {
		if err := runs.Close(); err != nil {
			t.Error(err)
		}
	})
	j := &judged{t: t, runs: runs}
	j.Client = lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return Serve(ctx, Options{In: in, Out: out, Executor: runs, Servers: store})
	})
	j.Initialize(lsptest.WithFolders(f.path), lsptest.WithOptions(`{"trusted":true,"allowHosts":["127.0.0.1"]}`))
	table := tool.Tool{Name: "make", Kind: tool.KindSQL, Spec: &tool.SQL{Source: "db", Statement: "CREATE TABLE flights (airline TEXT, nr INTEGER)"}}
	made := runs.Run(t.Context(), executor.Request{
		Tool: &table, Trusted: true, Yes: true, AllowHosts: []string{"127.0.0.1"},
		Environment: executor.Environment{Root: f.path, Sources: map[string]tool.Source{"db": source}},
	})
	if !made.OK {
		t.Fatalf("%+v", made.Error)
	}
	return j
}

// says waits until the diagnostics of a file that tell of statements are these: the
// text that each stands on.
func (j *judged) says(of uri.URI, text string, want ...string) {
	j.t.Helper()
	lines := strings.Split(text, "\n")
	j.Until(fmt.Sprint("the statements ", want), func(messages []lsptest.Message) bool {
		var said []string
		for _, m := range messages {
			var params protocol.PublishDiagnosticsParams
			if m.Method != protocol.MethodTextDocumentPublishDiagnostics || protocol.Unmarshal(m.Params, &params) != nil || params.URI != of {
				continue
			}
			said = nil
			for _, d := range params.Diagnostics {
				if fmt.Sprint(d.Code) == "sql-statement" && int(d.Range.Start.Line) < len(lines) {
					line := lines[d.Range.Start.Line]
					said = append(said, line[min(int(d.Range.Start.Character), len(line)):min(int(d.Range.End.Character), len(line))])
				}
			}
		}
		return slices.Equal(said, want)
	})
}

func (j *judged) command(name, argument string) json.RawMessage {
	j.t.Helper()
	j.n++
	var answer protocol.LSPAny
	err := j.StartID(jsonrpc2.NewStringID(fmt.Sprintf("command %d", j.n)), protocol.MethodWorkspaceExecuteCommand,
		&protocol.ExecuteCommandParams{Command: name, Arguments: []protocol.LSPAny{protocol.LSPAny(argument)}}).Wait(&answer)
	if err != nil {
		j.t.Fatal(err)
	}
	return json.RawMessage(answer)
}

const judgedABL = `TOOLS:
  right(airline: string) -> object[]
    description: "Is right"
    type: sql
    source: db
    statement: "SELECT nr FROM flights WHERE airline = {{airline}}"
  wrong(airline: string) -> object[]
    description: "Has a wrong column"
    type: sql
    source: db
    statement: |
      SELECT nr
      FROM flights WHERE airlin = {{airline}}
`

const judgedYAML = `tools:
  wrong:
    kind: KIND-sql
    source: db
    description: Has a wrong column
    statement: |
      SELECT numbr
      FROM flights
`

// TestStatements: what a database says of a statement is known when somebody has
// asked it, or run the tool, and never by editing.
func TestStatements(t *testing.T) {
	postgres, mariadb := sqltest.Postgres(), sqltest.MariaDB()
	t.Cleanup(postgres.Close)
	t.Cleanup(mariadb.Close)
	for kind, source := range map[string]func(t *testing.T, f folder) tool.Source{
		"sqlite": func(_ *testing.T, f folder) tool.Source {
			return tool.Source{Kind: "sqlite", Database: f.at("flights.db")}
		},
		"postgres": func(t *testing.T, _ folder) tool.Source { return postgres.Source(t) },
		"mysql":    func(t *testing.T, _ folder) tool.Source { return mariadb.Source(t) },
	} {
		t.Run(kind, func(t *testing.T) {
			f := newFolder(t)
			s := source(t, f)
			raw, err := json.Marshal(map[string]any{"sources": map[string]any{"db": s}})
			if err != nil {
				t.Fatal(err)
			}
			f.write("abl.yaml", string(raw))
			j := openJudged(t, f, s)
			abl, yaml := uri.File(f.at("a.tools.abl")), uri.File(f.at("tools.yaml"))
			foreign := strings.Replace(judgedYAML, "KIND", kind, 1)
			f.write("a.tools.abl", judgedABL)
			f.write("tools.yaml", foreign)

			j.Open(abl, judgedABL)
			j.Open(yaml, foreign)
			j.says(abl, judgedABL)
			j.command("abl.refresh", fmt.Sprintf(`{"uri":%q}`, abl))
			j.says(abl, judgedABL, "airlin")
			j.says(yaml, foreign)

			// A changed statement is another one, of which nothing is known.
			mended := strings.Replace(judgedABL, "airlin =", "airline =", 1)
			j.Change(abl, 2, lsptest.ReplaceAll(mended))
			j.says(abl, mended)
			j.Change(abl, 3, lsptest.ReplaceAll(judgedABL))
			j.says(abl, judgedABL, "airlin")

			j.command("abl.run", fmt.Sprintf(`{"uri":%q,"tool":"wrong","args":{}}`, yaml))
			j.says(yaml, foreign, "numbr")
		})
	}
}
