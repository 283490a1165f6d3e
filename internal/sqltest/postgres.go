package sqltest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/jackc/pgx/v5"

	"github.com/abl-lsp/abl-lsp/internal/testcert"
)

// Postgres returns a PostgreSQL server.
func Postgres() *Server { return &Server{program: postgres} }

func postgres(dir string) program {
	return program{kind: "postgres", user: "abl", stopSignal: syscall.SIGQUIT, make: makePostgres, ping: pingPostgres, tls: []string{
		"-c", "ssl=on", "-c", "ssl_cert_file=" + filepath.Join(dir, testcert.CertFile), "-c", "ssl_key_file=" + filepath.Join(dir, testcert.KeyFile),
	}}
}

// makePostgres creates a cluster and returns the command that serves it. Its data may be
// lost in a crash.
func makePostgres(ctx context.Context, dir string, port int) (*exec.Cmd, error) {
	initdb, err := findProgram("initdb", "/usr/lib/postgresql/*/bin")
	if err != nil {
		return nil, err
	}
	data, password := filepath.Join(dir, "data"), filepath.Join(dir, "password")
	if err := os.WriteFile(password, []byte(Password), 0o644); err != nil {
		return nil, err
	}
	if err := chownToNobody(dir, password); err != nil {
		return nil, err
	}
	first := runAsNobody(exec.CommandContext(ctx, initdb, "-D", data, "-U", "abl", "--pwfile", password, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync")) //nolint:forbidigo // a counterpart of tests, and no child of the program
	first.Dir = dir
	if err := runProgram(first); err != nil {
		return nil, err
	}
	serve := runAsNobody(exec.Command(filepath.Join(filepath.Dir(initdb), "postgres"), "-D", data, "-k", dir, "-h", "127.0.0.1", "-p", strconv.Itoa(port), //nolint:forbidigo // likewise
		"-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "max_connections=200", "-c", "jit=off", "-c", "shared_buffers=16MB"))
	serve.Dir = dir
	return serve, nil
}

func pingPostgres(ctx context.Context, address string) error {
	config, err := pgx.ParseConfig("postgres://abl@" + address + "/postgres?sslmode=disable")
	if err != nil {
		return err
	}
	config.Password = Password
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "CREATE DATABASE test")
	return err
}
