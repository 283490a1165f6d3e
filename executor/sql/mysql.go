package sql

import (
	"bytes"
	"cmp"
	"context"
	stdsql "database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// mysqlDB is a database of a MySQL or MariaDB server.
type mysqlDB struct {
	source         *source
	db             *stdsql.DB
	connector      driver.Connector
	answerExceeded atomic.Bool // an answer exceeded the bound; the driver only reports that the connection ended
}

func openMySQL(s *source, d *dial.Dialer) (database, error) {
	out := &mysqlDB{source: s}
	config, err := mysqlConfig(s, d, func() { out.answerExceeded.Store(true) })
	if err != nil {
		return nil, err
	}
	if out.connector, err = mysql.NewConnector(config); err != nil {
		return nil, executor.DefinitionError("source", "sources.%s: %w", s.name, err)
	}
	out.db = stdsql.OpenDB(out.connector)
	out.db.SetMaxOpenConns(maxConnections)
	out.db.SetMaxIdleConns(-1) // a session ends with its run, and its variables and locks with it
	return out, nil
}

// sessionVariable is the name of a setting of MySQL, such as sql_mode.
var sessionVariable = lazyregexp.New(`^[a-z]+(_[a-z0-9]+)+$`)

// textSettings matches the settings that determine how a server reads bytes as characters.
var textSettings = lazyregexp.New(`^(charset|collation|collation_connection|character_set_.*)$`)

// isUTF8 reports whether all character sets of a list, or a collation, are UTF-8. In other sets a
// backslash or a quote may be half of a character.
func isUTF8(sets string) bool {
	return !slices.ContainsFunc(strings.Split(sets, ","), func(one string) bool {
		return !strings.HasPrefix(strings.ToLower(strings.Trim(one, "' ")), "utf8")
	})
}

func mysqlConfig(s *source, d *dial.Dialer, flooded func()) (*mysql.Config, error) {
	c := mysql.NewConfig()
	c.Net, c.Addr, c.User, c.Passwd, c.DBName = "tcp", s.address(), s.user, s.password, s.database
	c.Logger = silentLogger{}
	c.ClientFoundRows = true // like the other databases: counts matched rows, not only changed ones
	c.Params = map[string]string{"time_zone": "'+00:00'"}
	if err := s.setTLS(c); err != nil {
		return nil, err
	}
	for name, v := range s.params {
		if textSettings.MatchString(name) && !isUTF8(v) {
			return nil, executor.DefinitionError("source", "%s: statements and answers are UTF-8: write utf8mb4, or a collation of it", s.placeOf("query_params."+name))
		}
		switch {
		case slices.Contains([]string{"tls", mysqlCA, mysqlCert, mysqlKey}, name): // see encrypt
		case name == "collation":
			c.Collation = v
		case name == "charset":
			c.Params["names"] = "'" + strings.ReplaceAll(v, "'", "") + "'"
		case sessionVariable.MatchString(name):
			c.Params[name] = settingText(v)
		default:
			return nil, executor.DefinitionError("source", "%s is neither tls, ssl_ca, ssl_cert, ssl_key, charset, collation nor a variable of the session such as sql_mode", s.placeOf("query_params."+name))
		}
	}
	if names, ok := c.Params["names"]; ok {
		delete(c.Params, "names")
		if err := c.Apply(mysql.Charset(strings.Trim(names, "'"), c.Collation)); err != nil {
			return nil, executor.DefinitionError("source", "%s: %w", s.placeOf("query_params.charset"), err)
		}
	}
	c.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, err := d.Dial(ctx, s.guard, "tcp", s.address())
		if err != nil {
			return nil, err
		}
		return newBoundedConn(conn, s.bytes, flooded), nil
	}
	// With this, each connection has a configuration of its own: the driver writes into it when a
	// server has no TLS.
	return c, c.Apply(mysql.BeforeConnect(func(context.Context, *mysql.Config) error { return nil }))
}

// silentLogger discards what the driver would print.
type silentLogger struct{}

func (silentLogger) Print(...any) {}

// settingText returns the value of a setting as SET needs it.
func settingText(v string) string {
	if _, err := strconv.ParseFloat(v, 64); err == nil {
		return v
	}
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(strings.Trim(v, "'")) + "'"
}

func (d *mysqlDB) close() { _ = d.db.Close() }

// run runs a statement in a transaction.
func (d *mysqlDB) run(ctx context.Context, q query) (statementResult, error) {
	var a statementResult
	err := d.withConnection(ctx, q.readOnly, func(ctx context.Context, conn *stdsql.Conn, stop func()) error {
		tx, err := conn.BeginTx(ctx, &stdsql.TxOptions{ReadOnly: q.readOnly})
		if err != nil {
			return d.serverError(err, false)
		}
		a, err = d.statement(ctx, tx, q, mysqlArgs(q.args), stop)
		if q.readOnly || err != nil {
			_ = tx.Rollback() // nothing was changed
		} else {
			err = tx.Commit()
		}
		return err
	})
	return a, err
}

// check prepares a statement without running it.
func (d *mysqlDB) check(ctx context.Context, text string) error {
	return d.withConnection(ctx, false, func(ctx context.Context, conn *stdsql.Conn, _ func()) error {
		s, err := conn.PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		return s.Close()
	})
}

// withConnection calls use with a connection. When ctx ends, or use calls its last argument, the
// server ends the connection's statement.
func (d *mysqlDB) withConnection(ctx context.Context, readOnly bool, use func(context.Context, *stdsql.Conn, func()) error) error {
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return d.serverError(err, false)
	}
	defer conn.Close()
	id, err := d.begin(ctx, conn, readOnly)
	if err != nil {
		return d.serverError(err, false)
	}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	watcherDone := make(chan struct{})
	end := context.AfterFunc(inner, func() {
		defer close(watcherDone)
		d.kill(id)
	})
	err = use(inner, conn, stop)
	if !end() {
		select {
		case <-watcherDone:
		case <-time.After(cancelWait):
		}
	}
	return d.serverError(err, true)
}

// begin returns the number of the connection, and limits the time of its statements in the server,
// as far as the server can. A read-only run makes the whole session read-only, because DROP TABLE
// ends a transaction before it is checked.
func (d *mysqlDB) begin(ctx context.Context, conn *stdsql.Conn, readOnly bool) (id int64, err error) {
	var version, mode, charset string
	err = conn.QueryRowContext(ctx, "SELECT CONNECTION_ID(), VERSION(), @@sql_mode, @@character_set_client").Scan(&id, &version, &mode, &charset)
	if err == nil {
		err = d.checkReading(mode, charset)
	}
	if err != nil {
		return 0, err
	}
	limit := serverTimeout(ctx)
	set := fmt.Sprintf("SET SESSION max_execution_time = %d, transaction_read_only = %t", limit.Milliseconds(), readOnly)
	if strings.Contains(version, "MariaDB") {
		set = fmt.Sprintf("SET SESSION max_statement_time = %.3f, tx_read_only = %t", limit.Seconds(), readOnly)
	}
	_, err = conn.ExecContext(ctx, set)
	return id, err
}

// checkReading returns an error if the server reads statements in another way than they were composed.
func (d *mysqlDB) checkReading(mode, charset string) error {
	usual := dialects[kindMySQL]
	switch {
	case !usual.withSQLMode(mode).readsSameAs(usual.withSQLMode(d.source.params["sql_mode"])):
		return executor.DefinitionError("source", "sources.%s: the server's sql_mode has other quotes and escapes than the source says", d.source.name).
			WithHint("Write query_params: {sql_mode: %q} in the source.", mode)
	case !isUTF8(charset):
		return executor.DefinitionError("source", "sources.%s: the server reads statements as %s", d.source.name, charset).
			WithHint("Write query_params: {charset: utf8mb4} in the source.")
	}
	return nil
}

// kill ends a connection and its statement through another connection.
func (d *mysqlDB) kill(id int64) {
	ctx, cancel := context.WithTimeout(context.Background(), cancelTimeout)
	defer cancel()
	conn, err := d.connector.Connect(ctx)
	if err != nil {
		return // the server's own limit ends it
	}
	defer conn.Close()
	if x, ok := conn.(driver.ExecerContext); ok {
		_, _ = x.ExecContext(ctx, fmt.Sprintf("KILL CONNECTION %d", id), nil)
	}
}

func (d *mysqlDB) statement(ctx context.Context, tx *stdsql.Tx, q query, args []any, stop func()) (statementResult, error) {
	s, err := tx.PrepareContext(ctx, q.text)
	if err != nil {
		return statementResult{}, err
	}
	defer s.Close()
	rows, err := s.QueryContext(ctx, args...)
	if err != nil {
		return statementResult{}, err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return statementResult{}, err
	}
	if len(types) > 0 {
		return collect(rows, q, mysqlCell(types), stop)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return statementResult{}, err
	}
	var n int64
	err = tx.QueryRowContext(ctx, "SELECT ROW_COUNT()").Scan(&n)
	return affectedRows(max(n, 0)), err
}

// mysqlCell returns a writer that writes values by the type of their column.
func mysqlCell(types []*stdsql.ColumnType) cellWriter {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.DatabaseTypeName()
	}
	return func(t *table, i int, v any, out *bytes.Buffer) {
		switch v := v.(type) {
		case nil:
			out.WriteString("null")
		case int64:
			out.Write(strconv.AppendInt(nil, v, 10))
		case uint64:
			out.Write(strconv.AppendUint(nil, v, 10))
		case float32:
			t.float(out, float64(v), 32)
		case float64:
			t.float(out, v, 64)
		case []byte:
			mysqlBytes(t, names[i], v, out)
		default:
			t.text(out, fmt.Sprint(v))
		}
	}
}

func mysqlBytes(t *table, typeName string, b []byte, out *bytes.Buffer) {
	switch strings.TrimPrefix(typeName, "UNSIGNED ") {
	case "DECIMAL", "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT", "YEAR", "FLOAT", "DOUBLE":
		t.number(out, string(b))
	case "JSON":
		t.raw(out, string(b))
	case "BIT":
		n := uint64(0)
		for _, x := range b {
			n = n<<8 | uint64(x)
		}
		out.Write(strconv.AppendUint(nil, n, 10))
	case "BINARY", "VARBINARY", "TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB", "GEOMETRY":
		t.blob(out, b)
	case "DATETIME":
		t.text(out, strings.Replace(string(b), " ", "T", 1))
	case "TIMESTAMP":
		t.text(out, mysqlToRFC3339(string(b)))
	default:
		t.text(out, string(b))
	}
}

// mysqlToRFC3339 returns a timestamp as RFC 3339. The session's time zone is UTC. A zero date stays
// as it is.
func mysqlToRFC3339(text string) string {
	v, err := time.Parse("2006-01-02 15:04:05.999999", text)
	if err != nil {
		return text
	}
	return v.Format(time.RFC3339Nano)
}

// mysqlArgs returns values as the driver of MySQL takes them. Arrays and maps become JSON.
func mysqlArgs(args []argument) []any {
	var values []any
	for _, a := range args {
		switch v := a.value.(type) {
		case nil, string, bool:
			values = append(values, v)
		case json.Number:
			values = append(values, mysqlNumber(string(v)))
		default:
			values = append(values, string(encode(v)))
		}
	}
	return values
}

// mysqlNumber returns digits as a number, since MySQL would compare text by its characters. If no
// number of the protocol keeps all digits, it returns them as text.
func mysqlNumber(digits string) any {
	whole, fraction, _ := strings.Cut(digits, ".")
	if strings.Trim(fraction, "0") == "" && !strings.ContainsAny(digits, "eE") {
		if n, err := strconv.ParseInt(whole, 10, 64); err == nil {
			return n
		}
		if n, err := strconv.ParseUint(whole, 10, 64); err == nil {
			return n
		}
	}
	if f, err := strconv.ParseFloat(digits, 64); err == nil && significantDigits(digits) == significantDigits(strconv.FormatFloat(f, 'e', -1, 64)) {
		return f
	}
	return digits
}

// The MySQL error numbers that have a special meaning here.
const (
	mysqlReadOnly   = 1792
	mysqlNoAccess   = 1045
	mysqlNoDatabase = 1044
)

// serverError converts an error of the server or of the connection. It is nil if err is nil. sent
// says that the server may have received the statement.
func (d *mysqlDB) serverError(err error, sent bool) error {
	if known := executor.FindClassified(err); err == nil || known != nil {
		return known
	}
	m, ok := errors.AsType[*mysql.MySQLError](err)
	if !ok && d.answerExceeded.CompareAndSwap(true, false) {
		return tooLargeError(d.source.bytes)
	}
	if fault := d.source.tlsError(err); fault != nil {
		return fault
	}
	switch {
	case errors.Is(err, mysql.ErrInvalidConn), errors.Is(err, driver.ErrBadConn):
		return executor.NetworkError(d.source.address(), io.ErrUnexpectedEOF, sent)
	case !ok:
		return executor.NetworkError(d.source.address(), rootCause(err), sent)
	}
	if m.Number == mysqlReadOnly {
		return unexpectedWriteError()
	}
	e := executor.Errorf(executor.KindRemote, "sql", "%s: %s", d.source.name, m.Message)
	e.Details = map[string]any{"errno": m.Number, "sqlstate": cmp.Or(string(m.SQLState[:]), "HY000")}
	if m.Number == mysqlNoAccess || m.Number == mysqlNoDatabase {
		return e.WithHint("Look at user, password and database of %s in the sources of abl.yaml.", d.source.name)
	}
	return e
}
