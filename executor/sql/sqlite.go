package sql

import (
	"bytes"
	"context"
	stdsql "database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/tool/sqltext"
)

// sqliteDB is a database in a file, or in memory.
type sqliteDB struct {
	source       *source
	db           *stdsql.DB
	withoutTimes *lru.Cache[string, bool] // statements without a column declared as a time
}

// maxWithoutTimes bounds the number of remembered statements.
const maxWithoutTimes = 256

// maxConnections bounds the open connections to one database. A database in memory has only one,
// since each connection would be another database.
const maxConnections = 4

func openSQLite(s *source, _ *dial.Dialer) (database, error) {
	dsn := "file::memory:?"
	connections := 1
	if s.database != inMemoryPath {
		path := filepath.ToSlash(s.database)
		if !strings.HasPrefix(path, "/") {
			path = "/" + path // a drive's
		}
		dsn = "file://" + (&url.URL{Path: path}).EscapedPath() + "?mode=rwc&"
		connections = maxConnections
	}
	connector, err := sqlite.NewConnector(dsn + "_pragma=busy_timeout(60000)&_pragma=query_only(true)&_defensive=1")
	if err != nil {
		return nil, executor.DefinitionError("source", "%s: %w", s.placeOf("database"), err)
	}
	db := stdsql.OpenDB(connector)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	if s.database != inMemoryPath {
		db.SetConnMaxIdleTime(maxIdle)
	}
	withoutTimes, err := lru.New[string, bool](maxWithoutTimes)
	return &sqliteDB{source: s, db: db, withoutTimes: withoutTimes}, err
}

// maxIdle is how long an unused connection stays open.
const maxIdle = 5 * time.Minute

func (d *sqliteDB) close() { _ = d.db.Close() }

// run runs a statement. If it may write, it runs in a transaction; a statement that only reads is
// one by itself.
func (d *sqliteDB) run(ctx context.Context, q query) (statementResult, error) {
	var a statementResult
	err := d.withConnection(ctx, q.readOnly, func(conn *stdsql.Conn, w *authorizer) (err error) {
		args, warnings, err := sqliteArgs(q.args)
		if err != nil {
			return err
		}
		do := d.inTransaction
		if q.readOnly {
			do = d.runReading
		}
		a, err = do(ctx, conn, w, q, args)
		a.warnings = append(warnings, a.warnings...)
		return err
	})
	return a, err
}

// check compiles a statement without running it.
func (d *sqliteDB) check(ctx context.Context, text string) error {
	return d.withConnection(ctx, true, func(conn *stdsql.Conn, w *authorizer) error {
		w.readOnly = false // nothing runs
		s, err := conn.PrepareContext(ctx, text)
		if err != nil {
			return d.databaseError(w, err)
		}
		return s.Close()
	})
}

// withConnection calls use with a connection on which a statement can only reach its own source.
func (d *sqliteDB) withConnection(ctx context.Context, readOnly bool, use func(*stdsql.Conn, *authorizer) error) error {
	if err := d.checkFileExists(readOnly); err != nil {
		return err
	}
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return d.databaseError(nil, err)
	}
	defer conn.Close()
	w := &authorizer{readOnly: readOnly, ownStatement: true}
	err = conn.Raw(func(c any) error { return c.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(w.authorize) })
	if err == nil {
		_, err = sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, int(d.source.bytes))
	}
	if err != nil {
		return err
	}
	return use(conn, w)
}

// checkFileExists returns an error if a read-only run would create the missing file.
func (d *sqliteDB) checkFileExists(readOnly bool) error {
	if d.source.database == inMemoryPath || !readOnly {
		return nil
	}
	if _, err := os.Stat(d.source.database); err != nil {
		return executor.DefinitionError("no-database", "%s: there is no file %s", d.source.placeOf("database"), d.source.database)
	}
	return nil
}

// runReading runs a statement that only reads. The connection is read-only by default, and the
// authorizer also denies the statement every write.
func (d *sqliteDB) runReading(ctx context.Context, conn *stdsql.Conn, w *authorizer, q query, args []any) (statementResult, error) {
	w.ownStatement = false
	a, err := d.statement(ctx, conn, w, q, args)
	w.ownStatement = true
	if err != nil {
		return statementResult{}, d.databaseError(w, err)
	}
	return a, nil
}

// inTransaction runs a statement that may write.
func (d *sqliteDB) inTransaction(ctx context.Context, conn *stdsql.Conn, w *authorizer, q query, args []any) (a statementResult, err error) {
	defer stopWriting(conn)
	if _, err := conn.ExecContext(ctx, "PRAGMA query_only=false; BEGIN IMMEDIATE"); err != nil {
		rollBack(ctx, conn) // a cancelled BEGIN may still have begun
		return a, d.databaseError(w, err)
	}
	w.ownStatement = false
	a, err = d.statement(ctx, conn, w, q, args)
	w.ownStatement = true
	if err == nil {
		_, err = conn.ExecContext(context.WithoutCancel(ctx), "COMMIT")
	}
	if err != nil {
		rollBack(ctx, conn)
		return statementResult{}, d.databaseError(w, err)
	}
	return a, nil
}

// rollBack rolls back the transaction of a connection, if there is one.
func rollBack(ctx context.Context, conn *stdsql.Conn) {
	_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
}

// stopWriting makes a connection read-only again. If that fails, the connection is not used again.
func stopWriting(conn *stdsql.Conn) {
	if _, err := conn.ExecContext(context.Background(), "PRAGMA query_only=true"); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

func (d *sqliteDB) statement(ctx context.Context, conn *stdsql.Conn, w *authorizer, q query, args []any) (statementResult, error) {
	var before int64
	if !q.readOnly {
		var err error
		if before, err = countChanges(ctx, conn, w, "total_changes()"); err != nil {
			return statementResult{}, err
		}
	}
	rows, err := d.query(ctx, conn, q, args)
	if err != nil {
		return statementResult{}, err
	}
	defer rows.Close()
	if columns, err := rows.Columns(); err != nil || len(columns) > 0 {
		return collect(rows, q, sqliteCell, func() {})
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return statementResult{}, err
	}
	after, err := countChanges(ctx, conn, w, "total_changes()")
	if err != nil || after == before {
		return affectedRows(0), err
	}
	n, err := countChanges(ctx, conn, w, "changes()")
	return affectedRows(n), err
}

// countChanges returns a number of changed rows. which is the SQL function to ask.
func countChanges(ctx context.Context, conn *stdsql.Conn, w *authorizer, which string) (n int64, err error) {
	defer func(was bool) { w.ownStatement = was }(w.ownStatement)
	w.ownStatement = true
	err = conn.QueryRowContext(ctx, "SELECT "+which).Scan(&n)
	return n, err
}

// query runs a statement. The driver would turn text in columns declared as times into times, and
// lose how the text was written. To prevent this, query selects such columns as expressions, which
// have no declared type.
func (d *sqliteDB) query(ctx context.Context, conn *stdsql.Conn, q query, args []any) (*stdsql.Rows, error) {
	if !q.readOnly && !sqltext.OnlyReads(q.text) {
		return conn.QueryContext(ctx, withoutTimeColumns(conn, q.text), args...)
	}
	if d.withoutTimes.Contains(q.text) {
		rows, err := conn.QueryContext(ctx, q.text, args...)
		if err != nil || !hasTimeColumn(rows) {
			return rows, err
		}
		_ = rows.Close() // a table has changed since
		d.withoutTimes.Remove(q.text)
	}
	columns := timeColumns(ctx, conn, q.text, args)
	if columns == nil {
		d.withoutTimes.Add(q.text, true)
		return conn.QueryContext(ctx, q.text, args...)
	}
	names, values := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i] = fmt.Sprintf("c%d", i)
		values[i] = fmt.Sprintf("+c%d AS %s", i, quotedName(c))
	}
	text := fmt.Sprintf("WITH rows_(%s) AS (\n%s\n) SELECT %s FROM rows_", strings.Join(names, ","), q.text, strings.Join(values, ","))
	rows, err := conn.QueryContext(ctx, text, args...)
	if err != nil {
		return conn.QueryContext(ctx, q.text, args...)
	}
	return rows, nil
}

// timeColumns returns the names of a statement's columns if one of them is declared as a time. It
// is nil otherwise.
func timeColumns(ctx context.Context, conn *stdsql.Conn, text string, args []any) []string {
	rows, err := conn.QueryContext(ctx, "SELECT * FROM (\n"+text+"\n) LIMIT 0", args...)
	if err != nil {
		return nil
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil
	}
	var names []string
	dated := false
	for _, t := range types {
		names = append(names, withoutNumber(t.Name(), names))
		dated = dated || isTime(t.DatabaseTypeName())
	}
	if !dated {
		return nil
	}
	return names
}

// hasTimeColumn reports whether a column is declared as a time.
func hasTimeColumn(rows *stdsql.Rows) bool {
	types, err := rows.ColumnTypes()
	return err != nil || slices.ContainsFunc(types, func(t *stdsql.ColumnType) bool { return isTime(t.DatabaseTypeName()) })
}

// withoutNumber returns the name of a column without the number that a subquery adds to duplicate names.
func withoutNumber(name string, before []string) string {
	i := strings.LastIndexByte(name, ':')
	if i < 0 || !slices.Contains(before, name[:i]) {
		return name
	}
	if _, err := strconv.Atoi(name[i+1:]); err != nil {
		return name
	}
	return name[:i]
}

// sqliteCell writes a value by its storage class, since the declared type of the column does not
// bind it.
func sqliteCell(t *table, _ int, v any, out *bytes.Buffer) {
	switch v := v.(type) {
	case nil:
		out.WriteString("null")
	case int64:
		out.Write(strconv.AppendInt(nil, v, 10))
	case float64:
		t.float(out, v, 64)
	case []byte:
		t.blob(out, v)
	case time.Time:
		t.text(out, v.Format("2006-01-02T15:04:05.999999999Z07:00"))
	default:
		t.text(out, fmt.Sprint(v))
	}
}

// sqliteArgs returns values as the driver of SQLite takes them. Arrays and maps become JSON, for
// json_each and the like.
func sqliteArgs(args []argument) (values []any, warnings []string, err error) {
	for _, a := range args {
		switch v := a.value.(type) {
		case json.Number:
			n, warning, err := sqliteNumber(a, string(v))
			if err != nil {
				return nil, nil, err
			}
			if warning != "" {
				warnings = append(warnings, warning)
			}
			values = append(values, n)
		case nil, string, bool:
			values = append(values, v)
		default:
			values = append(values, string(encode(v)))
		}
	}
	return values, warnings, nil
}

// sqliteNumber returns an integer, or a float if the number has a fraction or is declared as a
// float.
func sqliteNumber(a argument, digits string) (v any, warning string, err error) {
	before, fraction, _ := strings.Cut(digits, ".")
	if a.typ.Name != "float" && strings.Trim(fraction, "0") == "" && !strings.ContainsAny(digits, "eE") {
		n, err := strconv.ParseInt(before, 10, 64)
		if err != nil {
			return nil, "", outOfRange(a, digits, "whole numbers of SQLite, which have 64 bits")
		}
		return n, "", nil
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return nil, "", outOfRange(a, digits, "numbers of SQLite")
	}
	if len(significantDigits(digits)) > 15 {
		warning = fmt.Sprintf("%s: SQLite keeps about 15 digits of %s", a.name, executor.Shorten(digits, 40))
	}
	return f, warning, nil
}

func outOfRange(a argument, digits, of string) error {
	e := executor.Errorf(executor.KindArguments, "out-of-range", "%s: %s is beyond the %s", a.name, executor.Shorten(digits, 40), of)
	e.Details = map[string]any{"path": a.name}
	return e
}

// significantDigits returns the significant digits of a number.
func significantDigits(digits string) string {
	mantissa, _, _ := strings.Cut(strings.ToLower(digits), "e")
	return strings.Trim(strings.NewReplacer(".", "", "-", "", "+", "").Replace(mantissa), "0")
}

// databaseError converts an error of SQLite. w may be nil; if it denied something, that is the
// error.
func (d *sqliteDB) databaseError(w *authorizer, err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	switch {
	case w != nil && w.denied != "":
		return w.refusal()
	case !ok && errors.Is(err, driver.ErrBadConn):
		return executor.Errorf(executor.KindInternal, "connection", "%w", err)
	case !ok:
		return err
	}
	code, text := e.Code()&0xff, e.Error()
	switch code {
	case sqlite3.SQLITE_TOOBIG:
		return tooLargeError(d.source.bytes)
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB:
		return executor.DefinitionError("source", "%s: %s: %s", d.source.placeOf("database"), d.source.database, plainSQLiteMessage(text))
	}
	out := executor.Errorf(executor.KindRemote, "sql", "%s: %s", d.source.name, plainSQLiteMessage(text))
	out.Details = map[string]any{"sqlite": e.Code()}
	if code == sqlite3.SQLITE_READONLY {
		return out.WithHint("The tool says that it only reads, or the file may not be written.")
	}
	return out
}

// plainSQLiteMessage returns a message without the words that the driver adds.
func plainSQLiteMessage(s string) string {
	s = strings.TrimPrefix(s, "SQL logic error: ")
	if i := strings.LastIndex(s, " ("); i > 0 && strings.HasSuffix(s, ")") {
		s = s[:i]
	}
	return s
}
