// Package sqltest gives tests a PostgreSQL and a MariaDB server of their own, on
// loopback, and a PgBouncer.
//
// It promises that no server of the machine is touched, that both end with the
// tests, and that a test is skipped where the programs are missing; it fails where
// ABL_REQUIRE_TESTDEPS says that they must be there.
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

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
	"github.com/abl-lsp/abl-lsp/tool"
)

// Password is that of the user of each server, who may do anything there.
const Password = "a password with ' and \\ and #"

// startTimeout only bounds a start that fails.
const startTimeout = 60 * time.Second

// Server is a running server. Its zero value is one that is not started yet.
type Server struct {
	program    func(string) program
	tls        bool // it encrypts, with a certificate of its own authority
	once       sync.Once
	source     tool.Source
	startError string // it could not be started; "": it could
	missing    bool   // since its program is not there
	stop       func()
	dir        string
}

// WithTLS has a server that is not started yet encrypt its connections.
func WithTLS(s *Server) *Server {
	s.tls = true
	return s
}

// CA is the file of the authority that has signed for a server that encrypts.
func (s *Server) CA() string { return filepath.Join(s.dir, caFile) }

// program is how a server is made and asked.
type program struct {
	make       func(ctx context.Context, dir string, port int) (*exec.Cmd, error)
	tls        []string // the arguments by which it encrypts
	ping       func(ctx context.Context, address string) error
	stopSignal os.Signal
	user       string // as whom the tests connect
	kind       string
}

// Source is the server as a project's file would name it. It is started by the first
// test that asks.
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

// missingError is that of a program which is not there.
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
		if err := errors.Join(writeCertificates(dir), chownToNobody(s.CA(), filepath.Join(dir, certFile), filepath.Join(dir, keyFile))); err != nil {
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

// freePort is a port of loopback that nobody uses now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// findProgram is a program on PATH, or where Debian puts it.
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
