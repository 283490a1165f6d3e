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

// statementsClient is an editor with a project whose source is a real database.
type statementsClient struct {
	*lsptest.Client
	t    *testing.T
	runs *executor.Executor
	n    int
}

func openStatements(t *testing.T, f testFolder, source tool.Source) *statementsClient {
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
	j := &statementsClient{t: t, runs: runs}
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

// wantFaults waits until the diagnostics of statements in a file are on these texts.
func (j *statementsClient) wantFaults(of uri.URI, text string, want ...string) {
	j.t.Helper()
	lines := strings.Split(text, "\n")
	j.Until(fmt.Sprint("the statements ", want), func(messages []lsptest.Message) bool {
		var underlined []string
		for _, m := range messages {
			var params protocol.PublishDiagnosticsParams
			if m.Method != protocol.MethodTextDocumentPublishDiagnostics || protocol.Unmarshal(m.Params, &params) != nil || params.URI != of {
				continue
			}
			underlined = nil
			for _, d := range params.Diagnostics {
				if fmt.Sprint(d.Code) == "sql-statement" && int(d.Range.Start.Line) < len(lines) {
					line := lines[d.Range.Start.Line]
					underlined = append(underlined, line[min(int(d.Range.Start.Character), len(line)):min(int(d.Range.End.Character), len(line))])
				}
			}
		}
		return slices.Equal(underlined, want)
	})
}

func (j *statementsClient) command(name, argument string) json.RawMessage {
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

const statementsABL = `TOOLS:
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

const statementsYAML = `tools:
  wrong:
    kind: KIND-sql
    source: db
    description: Has a wrong column
    statement: |
      SELECT numbr
      FROM flights
`

// TestStatements checks that the verdict of a database on a statement is known after a
// refresh or a run of the tool, and never by editing.
func TestStatements(t *testing.T) {
	postgres, mariadb := sqltest.Postgres(), sqltest.MariaDB()
	t.Cleanup(postgres.Close)
	t.Cleanup(mariadb.Close)
	for kind, source := range map[string]func(t *testing.T, f testFolder) tool.Source{
		"sqlite": func(_ *testing.T, f testFolder) tool.Source {
			return tool.Source{Kind: "sqlite", Database: f.join("flights.db")}
		},
		"postgres": func(t *testing.T, _ testFolder) tool.Source { return postgres.Source(t) },
		"mysql":    func(t *testing.T, _ testFolder) tool.Source { return mariadb.Source(t) },
	} {
		t.Run(kind, func(t *testing.T) {
			f := newTestFolder(t)
			s := source(t, f)
			raw, err := json.Marshal(map[string]any{"sources": map[string]any{"db": s}})
			if err != nil {
				t.Fatal(err)
			}
			f.write("abl.yaml", string(raw))
			j := openStatements(t, f, s)
			abl, yaml := uri.File(f.join("a.tools.abl")), uri.File(f.join("tools.yaml"))
			foreign := strings.Replace(statementsYAML, "KIND", kind, 1)
			f.write("a.tools.abl", statementsABL)
			f.write("tools.yaml", foreign)

			j.Open(abl, statementsABL)
			j.Open(yaml, foreign)
			j.wantFaults(abl, statementsABL)
			j.command("abl.refresh", fmt.Sprintf(`{"uri":%q}`, abl))
			j.wantFaults(abl, statementsABL, "airlin")
			j.wantFaults(yaml, foreign)

			// Nothing is known about a changed statement, since it is another one.
			mended := strings.Replace(statementsABL, "airlin =", "airline =", 1)
			j.Change(abl, 2, lsptest.ReplaceAll(mended))
			j.wantFaults(abl, mended)
			j.Change(abl, 3, lsptest.ReplaceAll(statementsABL))
			j.wantFaults(abl, statementsABL, "airlin")

			j.command("abl.run", fmt.Sprintf(`{"uri":%q,"tool":"wrong","args":{}}`, yaml))
			j.wantFaults(yaml, foreign, "numbr")
		})
	}
}
