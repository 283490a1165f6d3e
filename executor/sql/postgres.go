package sql

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/internal/lazyregexp"
)

// postgresDB is a database of a PostgreSQL server.
type postgresDB struct {
	source              *source
	pool                *pgxpool.Pool
	types               *typeCache
	transactionSettings []string // the commands that set the settings of each transaction
}

func openPostgres(s *source, d *dial.Dialer) (database, error) {
	config, err := postgresConfig(s, d)
	if err != nil {
		return nil, err
	}
	within := takeTransactionSettings(config.ConnConfig.RuntimeParams)
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, executor.DefinitionError("source", "sources.%s: %w", s.name, err)
	}
	return &postgresDB{source: s, pool: pool, types: newTypeCache(), transactionSettings: within}, nil
}

// tlsParameters are the connection parameters for encryption. All other parameters are settings of the
// session.
var tlsParameters = []string{"sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslsni", "sslnegotiation", "channel_binding"}

// postgresConfig returns the configuration of the connections. It uses nothing from the process
// environment, because a password there is not meant for every server that a file names.
func postgresConfig(s *source, d *dial.Dialer) (*pgxpool.Config, error) {
	text := fmt.Sprintf("host=%s port=%s dbname=%s user=%s password=%s passfile=%s servicefile=%s target_session_attrs=any",
		quotedSetting(s.host), s.port, quotedSetting(s.database), quotedSetting(s.user), quotedSetting(s.password), quotedSetting(os.DevNull), quotedSetting(os.DevNull))
	settings, err := s.sessionSettings()
	if err != nil {
		return nil, err
	}
	encryption := map[string]string{"sslrootcert": "", "sslcert": "", "sslkey": "", "sslpassword": ""}
	for name, v := range s.params {
		if slices.Contains(tlsParameters, name) {
			encryption[name] = v
		}
	}
	encryption["sslmode"] = s.sslMode()
	for name, v := range encryption {
		text += fmt.Sprintf(" %s=%s", name, quotedSetting(s.resolvePath(name, v)))
	}
	config, err := pgxpool.ParseConfig(text)
	if err != nil {
		return nil, executor.DefinitionError("source", "sources.%s: %s", s.name, configFault(err))
	}
	conn := config.ConnConfig
	conn.User, conn.Password, conn.Database = s.user, s.password, s.database
	conn.RuntimeParams = settings
	conn.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn.MaxProtocolMessageBodyLen = int(s.bytes) + 1<<16
	conn.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
	conn.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) {
		c, err := d.Dial(ctx, s.guard, "tcp", s.address())
		if err != nil {
			return nil, err
		}
		return newBoundedConn(c, s.bytes, nil), nil
	}
	config.MaxConns, config.MinConns, config.MaxConnIdleTime = maxConnections, 0, maxIdle
	return config, nil
}

// cancelTimeout is how long it may take to tell a server that a statement is over. cancelWait is
// how long a run waits for that, so that a process which ends now has told it.
const (
	cancelTimeout = 2 * time.Second
	cancelWait    = 80 * time.Millisecond
)

// resetSession undoes what a run did to its session: an uncommitted transaction, settings, locks,
// temporary tables. If that fails, the connection is closed.
func resetSession(conn *pgxpool.Conn) {
	defer conn.Release()
	c := conn.Conn().PgConn()
	if c.IsClosed() {
		return
	}
	var err error
	if c.TxStatus() != 'I' {
		err = sendCleanup(c, "ROLLBACK")
	}
	if err == nil {
		err = sendCleanup(c, "DISCARD ALL")
	}
	if err != nil {
		_ = conn.Conn().Close(context.Background())
	}
}

func (d *postgresDB) close() { d.pool.Close() }

// run runs a statement in a transaction.
func (d *postgresDB) run(ctx context.Context, q query) (statementResult, error) {
	var a statementResult
	err := d.inTransaction(ctx, q.readOnly, q.text, func(c *pgconn.PgConn, s *pgconn.StatementDescription) error {
		columns, err := d.types.columns(ctx, c, s.Fields)
		if err != nil {
			return err
		}
		if columns.typesRequested { // that query has replaced the prepared statement
			if _, err = c.Prepare(ctx, "", q.text, nil); err != nil {
				return err
			}
		}
		values, err := postgresArgs(q.args, s.ParamOIDs)
		if err != nil {
			return err
		}
		a, err = d.collect(ctx, c, q, values, columns)
		return err
	})
	return a, err
}

// check prepares a statement without running it.
func (d *postgresDB) check(ctx context.Context, text string) error {
	return d.inTransaction(ctx, true, text, func(*pgconn.PgConn, *pgconn.StatementDescription) error { return nil })
}

// inTransaction prepares a statement in a transaction and calls use with it. Afterwards the session
// is reset. After a read-only run this happens in the background, unless the statement took locks.
func (d *postgresDB) inTransaction(ctx context.Context, readOnly bool, text string, use func(*pgconn.PgConn, *pgconn.StatementDescription) error) error {
	conn, err := d.pool.Acquire(ctx)
	if err != nil {
		return d.serverError(err, false)
	}
	c := conn.Conn().PgConn()
	s, err := begin(ctx, c, d.beginCommands(ctx, readOnly), text)
	if err == nil {
		err = use(c, s)
	}
	if err == nil && !readOnly {
		_, err = c.Exec(ctx, "COMMIT").ReadAll()
	}
	if c.IsClosed() { // the transaction ended with it; the server is being told
		select {
		case <-c.CleanupDone():
		case <-time.After(cancelWait):
		}
	}
	switch {
	case staysOpen.MatchString(text):
		_ = conn.Conn().Close(context.WithoutCancel(ctx)) // only this ends all dblink connections
		conn.Release()
	case readOnly && !locks.MatchString(text):
		go resetSession(conn)
	default:
		resetSession(conn)
	}
	return d.serverError(err, true)
}

// Expressions for statements with effects that outlive the transaction: locks, for which others
// wait until the session is reset, and connections to other servers, which only the end of the
// session closes for certain.
var (
	locks     = lazyregexp.New(`(?i)advisory`)
	staysOpen = lazyregexp.New(`(?i)dblink`)
)

// beginCommands returns the commands that begin a transaction.
func (d *postgresDB) beginCommands(ctx context.Context, readOnly bool) []string {
	opening := []string{"BEGIN READ WRITE"}
	if readOnly {
		opening[0] = "BEGIN READ ONLY"
	}
	if limit := serverTimeout(ctx); limit > 0 {
		opening = append(opening, fmt.Sprintf("SET LOCAL statement_timeout = %d", limit.Milliseconds()))
	}
	return append(opening, d.transactionSettings...)
}

// begin opens a transaction and prepares a statement in it, in one message.
func begin(ctx context.Context, c *pgconn.PgConn, opening []string, text string) (*pgconn.StatementDescription, error) {
	p := c.StartPipeline(ctx)
	for _, command := range opening {
		p.SendQueryParams(command, nil, nil, nil, nil)
	}
	p.SendPrepare("", text, nil)
	err := p.Sync()
	var found *pgconn.StatementDescription
	for err == nil {
		var got any
		if got, err = p.GetResults(); err != nil {
			break
		}
		switch got := got.(type) {
		case *pgconn.ResultReader:
			_, err = got.Close()
		case *pgconn.StatementDescription:
			found = got
		case *pgconn.PipelineSync:
			return found, p.Close()
		}
	}
	return nil, errors.Join(err, p.Close())
}

// sendCleanup runs a command that cleans up after a run.
func sendCleanup(c *pgconn.PgConn, end string) error {
	ctx, cancel := context.WithTimeout(context.Background(), cancelTimeout)
	defer cancel()
	_, err := c.Exec(ctx, end).ReadAll()
	return err
}

// serverTimeout returns the time after which the server ends a statement by itself, in case this
// process cannot do so. It is 0 if ctx has no deadline.
func serverTimeout(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return 0
	}
	return max(time.Until(deadline), 0) + time.Second
}

// collect runs the prepared statement and reads its rows.
func (d *postgresDB) collect(ctx context.Context, c *pgconn.PgConn, q query, values [][]byte, columns columns) (statementResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := c.ExecPrepared(ctx, "", values, nil, nil)
	t := newTable(columns.names, q)
	for r.NextRow() {
		enough, cells := t.full() && q.readOnly, r.Values()
		fault := t.row(func(i int, out *bytes.Buffer) { columns.writers[i](t, cells[i], out) })
		if fault == nil && !enough {
			continue
		}
		cancel() // the server sends no more
		_, _ = r.Close()
		return t.answer(false), fault
	}
	tag, err := r.Close()
	if err != nil {
		return statementResult{}, err
	}
	if len(columns.names) == 0 {
		return affectedRows(tag.RowsAffected()), nil
	}
	return t.answer(true), nil
}

// configFault describes what is wrong with the parameters of a connection, without the password.
func configFault(err error) string {
	if e, ok := errors.AsType[*pgconn.ParseConfigError](err); ok {
		if inner := errors.Unwrap(e); inner != nil {
			return inner.Error()
		}
	}
	return "query_params: a value does not fit"
}
