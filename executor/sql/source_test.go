package sql_test

import (
	"strings"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/sql"
	"github.com/abl-lsp/abl-lsp/internal/sqltest"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestSourceOfSecrets checks that all settings of a source may be secrets, as ${HOST} and ${PORT}
// are in a tools.yaml. The name of their receiver must be the same in every run, or the person
// would be asked again each time.
func TestSourceOfSecrets(t *testing.T) {
	for name, server := range map[string]*sqltest.Server{"postgres": postgresServer, "mariadb": mariadbServer} {
		t.Run(name, func(t *testing.T) {
			s := serverSession(t, server)
			own := s.req.Environment.Sources["db"]
			s.req.Secrets = map[string]string{"HOST": own.Host, "PORT": own.Port, "DB": own.Database, "DBUSER": own.User, "PASSWORD": own.Password, "TIME": "20s"}
			s.req.Environment.Sources = map[string]tool.Source{"db": {
				Kind: own.Kind, Host: "{{secrets.HOST}}", Port: "{{secrets.PORT}}", Database: "{{secrets.DB}}",
				User: "{{secrets.DBUSER}}", Password: "{{secrets.PASSWORD}}", Timeout: "{{secrets.TIME}}",
			}}
			tl := sqlTool("SELECT 1 AS a")
			e := s.run(tl, "")
			if !e.OK || string(e.Value) != `[{"a":1}]` {
				t.Fatalf("%s %+v", e.Value, e.Error)
			}
			if got := string(e.Request); !strings.Contains(got, `"host":"••••(HOST):••••(PORT)"`) {
				t.Error(got)
			}
			s.req.Secrets["PORT"] = "none"
			s.fails(tl, "", executor.KindDefinition, `sources.db.port: "••••(PORT)" is no port`)
			s.req.Secrets["PORT"], s.req.Secrets["TIME"] = own.Port, "never"
			s.fails(tl, "", executor.KindDefinition, `sources.db.timeout: "••••(TIME)" is no time`)
		})
	}
	s := serverSession(t, postgresServer)
	own := s.req.Environment.Sources["db"]
	x := executor.New(executor.Options{
		Runners:   map[tool.Kind]executor.Runner{tool.KindSQL: sql.New(sql.Options{})},
		LookupEnv: func(name string) (string, bool) { return own.Port, name == "PORT" },
	})
	t.Cleanup(func() { _ = x.Close() })
	s.x, s.req.AskSecrets = x, true
	asked := own
	asked.Port = "{{secrets.PORT}}"
	s.req.Environment.Sources = map[string]tool.Source{"db": asked}
	tl := sqlTool("SELECT 1 AS a")
	e := s.fails(tl, "", executor.KindNeeds, "PORT")
	if e.Needs == nil {
		t.FailNow()
	}
	if got, want := e.Needs.Permission[0].Resource, "PORT "+own.Host; got != want {
		t.Errorf("it is to go to %q, want %q", got, want)
	}
	s.req.Grants = e.Needs.Permission
	s.ok(tl, "")
}
