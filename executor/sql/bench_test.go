package sql_test

import (
	stdsql "database/sql"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/abl-lsp/abl-lsp/internal/sqltest"
)

// BenchmarkRun measures a run of one row, and for comparison the same statement by the driver
// alone.
func BenchmarkRun(b *testing.B) {
	one := sqlTool("SELECT {{x}} AS a", param("x", "string"))
	for name, s := range map[string]func(testing.TB) session{
		"sqlite":   sqliteSession,
		"postgres": func(t testing.TB) session { return serverSession(t, postgresServer) },
		"mariadb":  func(t testing.TB) session { return serverSession(t, mariadbServer) },
	} {
		b.Run(name, func(b *testing.B) {
			s := s(b)
			s.ok(one, `{"x": "a"}`)
			for b.Loop() {
				s.ok(one, `{"x": "a"}`)
			}
		})
	}
	b.Run("sqlite alone", func(b *testing.B) {
		db, err := stdsql.Open("sqlite", filepath.Join(b.TempDir(), "a.db"))
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		for b.Loop() {
			var v string
			if err := db.QueryRowContext(b.Context(), "SELECT ?", "a").Scan(&v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("postgres alone", func(b *testing.B) {
		src := postgresServer.Source(b)
		config, err := pgx.ParseConfig("host=127.0.0.1 sslmode=disable user=abl dbname=test port=" + src.Port)
		if err != nil {
			b.Fatal(err)
		}
		config.Password = sqltest.Password
		conn, err := pgx.ConnectConfig(b.Context(), config)
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close(b.Context())
		for b.Loop() {
			var v string
			if err := conn.QueryRow(b.Context(), "SELECT $1::text", "a").Scan(&v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestAllocationsOfARun bounds the allocations of a run of one row on SQLite.
func TestAllocationsOfARun(t *testing.T) {
	const most = 155
	one := sqlTool("SELECT ? AS a", param("x", "string"))
	s := sqliteSession(t)
	got := testing.AllocsPerRun(200, func() { s.ok(one, `{"x": "a"}`) })
	if got > most {
		t.Errorf("%.0f allocations, at most %d", got, most)
	}
}
