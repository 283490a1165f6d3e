package sqltest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// PgBouncer returns a PgBouncer in front of a PostgreSQL server. It lends a connection for one
// transaction.
func PgBouncer(before *Server) *Server {
	return &Server{program: func(string) program {
		return program{kind: "postgres", user: "abl", stopSignal: syscall.SIGKILL, ping: pingBouncer, make: func(_ context.Context, dir string, port int) (*exec.Cmd, error) {
			return makeBouncer(before, dir, port)
		}}
	}}
}

func makeBouncer(before *Server, dir string, port int) (*exec.Cmd, error) {
	bouncer, err := findProgram("pgbouncer", "/usr/sbin")
	if err != nil {
		return nil, err
	}
	before.once.Do(before.start)
	switch {
	case before.missing:
		return nil, missingError{"postgres"}
	case before.startError != "":
		return nil, errors.New(before.startError)
	}
	config := filepath.Join(dir, "pgbouncer.ini")
	text := fmt.Sprintf("[databases]\ntest = host=127.0.0.1 port=%s user=abl password='%s'\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %d\nauth_type = any\npool_mode = transaction\nunix_socket_dir =\n",
		before.source.Port, strings.ReplaceAll(Password, "'", "''"), port)
	if err := errors.Join(os.WriteFile(config, []byte(text), 0o600), chownToNobody(dir, config)); err != nil {
		return nil, err
	}
	return runAsNobody(exec.Command(bouncer, config)), nil //nolint:forbidigo // a counterpart of tests, and no child of the program
}

func pingBouncer(ctx context.Context, address string) error {
	conn, err := pgx.Connect(ctx, "postgres://abl@"+address+"/test?sslmode=disable")
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}
