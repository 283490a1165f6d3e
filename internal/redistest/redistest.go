// Package redistest starts Redis servers for tests, on loopback.
//
// It does not use servers of the machine, and its servers end with their tests. If the
// program is missing, a test is skipped; with ABL_REQUIRE_TESTDEPS it fails.
package redistest

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/abl-lsp/abl-lsp/internal/testcert"
	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// Password is the password of each server's default user, who has all rights there.
const Password = "a password with ' and \\ and #"

// startTimeout only bounds a start that fails.
const startTimeout = 60 * time.Second

// Server is a running Redis server without data. Nothing that it stores outlives it.
type Server struct {
	Host, Port string
	CA         string // the file with the certificate of the authority of a server with TLS; "" without TLS

	program, config string // what is started
	stop            func()
}

// Start starts a server, which ends with the test. It skips or fails the test if the server
// cannot be started.
func Start(t testing.TB) *Server { return start(t, false) }

// StartTLS is [Start] for a server that only speaks TLS. Its certificate is that of
// [testcert.Name] and 127.0.0.1.
func StartTLS(t testing.TB) *Server { return start(t, true) }

// Address returns the host and port of the server.
func (s *Server) Address() string { return net.JoinHostPort(s.Host, s.Port) }

// URL returns the address of the server with the password, as redis:// or rediss://.
func (s *Server) URL() string {
	u := url.URL{Scheme: "redis", User: url.UserPassword("", Password), Host: s.Address(), Path: "/0"}
	if s.CA != "" {
		u.Scheme = "rediss"
	}
	return u.String()
}

// Stop ends the server at once, as a crash would. It may be called more than once.
func (s *Server) Stop() { s.stop() }

// Restart starts the server again, without data, after Stop.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	if err := s.launch(exec.Command(s.program, s.config)); err != nil { //nolint:forbidigo // as in start
		t.Fatalf("redis-server: %v", err)
	}
}

// Client returns a client of the server, which is closed with the test.
func (s *Server) Client(t testing.TB) *redis.Client {
	t.Helper()
	client, err := s.newClient()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func (s *Server) newClient() (*redis.Client, error) {
	options := &redis.Options{Addr: s.Address(), Password: Password, MaxRetries: -1, DialerRetries: 1}
	if s.CA != "" {
		pem, err := os.ReadFile(s.CA)
		if err != nil {
			return nil, err
		}
		options.TLSConfig = &tls.Config{RootCAs: x509.NewCertPool()}
		options.TLSConfig.RootCAs.AppendCertsFromPEM(pem)
	}
	return redis.NewClient(options), nil
}

func start(t testing.TB, encrypted bool) *Server {
	t.Helper()
	program := testdeps.FindProgram(t, "redis-server")
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Host: "127.0.0.1", Port: port}
	dir := t.TempDir()
	if encrypted {
		if err := testcert.Write(dir); err != nil {
			t.Fatal(err)
		}
		s.CA = filepath.Join(dir, testcert.CAFile)
	}
	s.program, s.config = program, filepath.Join(dir, "redis.conf")
	if err := os.WriteFile(s.config, []byte(s.configuration(dir)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.launch(exec.Command(s.program, s.config)); err != nil { //nolint:forbidigo // a counterpart of tests, and no child of the program
		t.Fatalf("redis-server: %v", err)
	}
	t.Cleanup(s.Stop)
	return s
}

// configuration returns the text of the server's configuration file.
func (s *Server) configuration(dir string) string {
	text := fmt.Sprintf("bind %s\ndir %q\nrequirepass %q\nsave \"\"\nappendonly no\ndaemonize no\n", s.Host, dir, Password)
	if s.CA == "" {
		return text + "port " + s.Port + "\n"
	}
	return text + fmt.Sprintf("port 0\ntls-port %s\ntls-auth-clients no\ntls-ca-cert-file %q\ntls-cert-file %q\ntls-key-file %q\n",
		s.Port, s.CA, filepath.Join(dir, testcert.CertFile), filepath.Join(dir, testcert.KeyFile))
}

// launch starts the server's process and waits until the server answers.
func (s *Server) launch(cmd *exec.Cmd) error {
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
	s.stop = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	if err := s.awaitAnswer(ended); err != nil {
		s.stop() // after this nothing writes the log
		return fmt.Errorf("%w: %s", err, log)
	}
	return nil
}

func (s *Server) awaitAnswer(ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	client, err := s.newClient()
	if err != nil {
		return err
	}
	defer client.Close()
	for {
		conn, err := net.Dial("tcp", s.Address()) //nolint:forbidigo // the client would print that nothing listens yet
		if err == nil {
			_ = conn.Close()
			err = client.Ping(ctx).Err()
		}
		if err == nil {
			return nil
		}
		select {
		case <-ended:
			return fmt.Errorf("it ended: %w", err)
		case <-ctx.Done():
			return fmt.Errorf("it does not answer: %w", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// freePort returns an unused port of loopback.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}
