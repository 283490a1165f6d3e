// Package sqltest starts a PostgreSQL and a MariaDB server for tests, on loopback, and a
// PgBouncer.
//
// It does not use servers of the machine, and its servers end with the tests. If the
// programs are missing, a test is skipped; with ABL_REQUIRE_TESTDEPS it fails.
package sqltest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/testcert"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Password is the password of the user of each server, who has all rights there.
const Password = "a password with ' and \\ and #"

// startTimeout only bounds a start that fails.
const startTimeout = 60 * time.Second

// Server is a server for tests. It starts when [Server.Source] is first called; close it
// by [Server.Close].
type Server struct {
	program    func(string) program
	tls        bool // it uses TLS, with a certificate of its own authority
	once       sync.Once
	source     tool.Source
	startError string // why it could not be started; "" if it could
	missing    bool   // it could not be started since its program is missing
	stop       func()
	dir        string
}

// WithTLS makes a server use TLS. The server must not have been started.
func WithTLS(s *Server) *Server {
	s.tls = true
	return s
}

// CA returns the path of the certificate of the authority of a server with TLS.
func (s *Server) CA() string { return filepath.Join(s.dir, testcert.CAFile) }

// program says how a server is created, started and asked.
type program struct {
	make       func(ctx context.Context, dir string, port int) (*exec.Cmd, error)
	tls        []string // its arguments for TLS
	ping       func(ctx context.Context, address string) error
	stopSignal os.Signal
	user       string // the user that the tests connect as
	kind       string
}

// Source returns the server as an entry in the sources of a project's file. The first call
// starts the server. It skips or fails the test if the server cannot be started.
func (s *Server) Source(t testing.TB) tool.Source {
	t.Helper()
	s.once.Do(s.start)
	switch {
	case s.startError == "":
	case s.missing:
		testdeps.SkipOrFail(t, "%s", s.startError)
	default:
		t.Fatal(s.startError)
	}
	return s.source
}

// Close ends the server.
func (s *Server) Close() {
	if s.stop != nil {
		s.stop()
	}
}

// missingError is the error for a program that is not installed.
type missingError struct{ program string }

func (e missingError) Error() string { return e.program + " is not there" }

func (s *Server) start() {
	dir, err := os.MkdirTemp("", "sql") // a socket's path has to be short
	if err != nil {
		s.startError = err.Error()
		return
	}
	s.stop = func() { _ = os.RemoveAll(dir) }
	s.dir = dir
	p := s.program(dir)
	if err := s.launch(dir, p); err != nil {
		s.startError = p.kind + ": " + err.Error()
		_, s.missing = errors.AsType[missingError](err)
		s.Close()
		s.stop = nil
	}
}

func (s *Server) launch(dir string, p program) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	port, err := freePort()
	if err != nil {
		return err
	}
	cmd, err := p.make(ctx, dir, port)
	if err != nil {
		return err
	}
	if s.tls {
		if err := errors.Join(testcert.Write(dir), chownToNobody(s.CA(), filepath.Join(dir, testcert.CertFile), filepath.Join(dir, testcert.KeyFile))); err != nil {
			return err
		}
		cmd.Args = append(cmd.Args, p.tls...)
	}
	log := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	s.stop = func() {
		_ = cmd.Process.Signal(p.stopSignal)
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		_ = os.RemoveAll(dir)
	}
	s.source = tool.Source{Kind: p.kind, Host: "127.0.0.1", Port: strconv.Itoa(port), User: p.user, Password: Password, Database: "test"}
	for {
		err := p.ping(ctx, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return nil
		}
		select {
		case <-ended:
			return fmt.Errorf("it ended: %s", log)
		case <-ctx.Done():
			return fmt.Errorf("it does not answer: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// freePort returns an unused port of loopback.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// findProgram returns the path of a program, on PATH or in one of the given folders of Debian.
func findProgram(name string, elsewhere ...string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return filepath.Abs(path)
	}
	for _, pattern := range elsewhere {
		if found, _ := filepath.Glob(filepath.Join(pattern, name)); len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	return "", missingError{name}
}

// runProgram runs a program to its end.
func runProgram(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, out)
	}
	return nil
}
