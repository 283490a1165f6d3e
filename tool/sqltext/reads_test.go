package sqltext

import "testing"

func TestOnlyReads(t *testing.T) {
	for statement, want := range map[string]bool{
		"SELECT * FROM t WHERE a = $1;":                  true,
		"  -- all of them\n select a from t ; ":          true,
		"WITH x AS (SELECT 1) SELECT * FROM x":           true,
		"SELECT * FROM t WHERE action = 'delete; drop'":  true,
		`SELECT "update" FROM t`:                         true,
		"SELECT data #>> '{a}' FROM t":                   true,
		"SELECT replace(a, 'x', 'y'), updated_at FROM t": true,
		"VALUES (1)":              true,
		"EXPLAIN SELECT 1":        true,
		"":                        false,
		"-- nothing":              false,
		"UPDATE t SET a = 1":      false,
		"SELECT 1; DELETE FROM t": false,
		"WITH x AS (DELETE FROM t RETURNING *) SELECT 1":     false,
		"SELECT * INTO u FROM t":                             false,
		"EXPLAIN ANALYZE DELETE FROM t":                      false,
		"SELECT 1 /*! INTO OUTFILE 'x' */":                   false,
		"SELECT 1 --don't\n INTO OUTFILE 'x'":                false,
		"SELECT 1 # don't\n INTO OUTFILE 'x'":                false,
		"SELECT $$don't$$ FROM (DELETE FROM t RETURNING '')": false,
		`SELECT '\' FROM (DELETE FROM t RETURNING ' ')`:      false,
		"SELECT ARRAY['a', 'b'][1], x[2] FROM t":             true,
		"SELECT [a;b] FROM t":                                false,
		"SELECT 1 AS ['], 2; DELETE FROM t WHERE a = '1'":    false,
		"SELECT 1 AS [/*], 2; DELETE FROM t /* */":           false,
		"SELECT 1 AS [--], (\nDELETE FROM t)":                false,
		"SELECT 1 /*M! INTO OUTFILE 'x' */":                  false,
		"SELECT 1 /*M!100100 INTO OUTFILE 'x' */":            false,
		"SELECT 1.5INTO OUTFILE 'x'":                         false,
		"SELECT 1e1INTO OUTFILE 'x'":                         false,
		"SELECT $1INTO t":                                    false,
		"SELECT 0x1FINTO t":                                  false,
		"SELECT $ü$'$ü$ FROM (DELETE FROM t RETURNING '')":   false,
		"SELECT * FROM t FOR UPDATE":                         false,
		"EXPLAIN (ANALYZE) INSERT INTO t VALUES (1)":         false,
		"SELECT/**/1/**/INTO/**/OUTFILE/**/'x'":              false,
		"EXPLAIN ANALYZE CREATE TABLE a AS SELECT 1":         false,
		"COPY t TO PROGRAM 'x'":                              false,
		"SET a = 1":                                          false,
		"BEGIN":                                              false,
		"{{.sql}}":                                           false,
		"PRAGMA journal_mode = WAL":                          false,
		"CALL p()":                                           false,
		"SELECT 1 --\rINTO t":                                false,
		"SELECT 1 /* /* */ '*/ INTO t -- '":                  false,
		"SELECT 1 --\r\n":                                    true,
		"SELECT pg_terminate_backend(7)":                     false,
		`SELECT "pg_terminate_backend"(7)`:                   false,
		"SELECT dblink_exec('x', 'DROP TABLE t')":            false,
		"SELECT query_to_xml('x', true, true, '')":           false,
		"SELECT pid FROM pg_stat_replication":                true,
		"SELECT x::numeric(10, 2) FROM t":                    true,
		"SELECT @a('), 1 INTO t --'":                         false,
		"SELECT 1 #>'\n INTO t -- '":                         false,
		"SELECT 1 #> \"'\" '\n INTO t -- '":                  false,
	} {
		t.Run(statement, func(t *testing.T) {
			if got := OnlyReads(statement); got != want {
				t.Errorf("OnlyReads(%q) = %v", statement, got)
			}
		})
	}
}
