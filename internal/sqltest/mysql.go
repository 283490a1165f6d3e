package sqltest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-sql-driver/mysql"

	"github.com/abl-lsp/abl-lsp/internal/testcert"
)

// MariaDB returns a MariaDB server.
func MariaDB() *Server { return &Server{program: mariadb} }

func mariadb(dir string) program {
	return program{kind: "mysql", user: "abl", stopSignal: syscall.SIGKILL, make: makeMariaDB, ping: pingMariaDB, tls: []string{
		"--ssl-cert=" + filepath.Join(dir, testcert.CertFile), "--ssl-key=" + filepath.Join(dir, testcert.KeyFile),
	}}
}

// systemTables are the files that create the own tables of a new server.
var systemTables = []string{"mysql_system_tables.sql", "mysql_performance_tables.sql", "mysql_system_tables_data.sql"}

// makeMariaDB creates a data folder and returns the command that serves it. Its data may be
// lost in a crash.
func makeMariaDB(ctx context.Context, dir string, port int) (*exec.Cmd, error) {
	server, err := findProgram("mariadbd", "/usr/sbin")
	if err != nil {
		return nil, err
	}
	share, err := messagesFolder(ctx, server)
	if err != nil {
		return nil, err
	}
	script := bytes.NewBufferString("CREATE DATABASE mysql;\nUSE mysql;\n")
	for _, name := range systemTables {
		text, err := os.ReadFile(filepath.Join(share, name))
		if err != nil {
			return nil, err
		}
		script.Write(text)
		script.WriteByte('\n')
	}
	fmt.Fprintf(script, "FLUSH PRIVILEGES;\nCREATE DATABASE test CHARACTER SET utf8mb4;\nCREATE USER abl@'127.0.0.1' IDENTIFIED BY '%s';\nGRANT ALL ON *.* TO abl@'127.0.0.1';\n",
		strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(Password))
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o755); err != nil {
		return nil, err
	}
	usual := []string{
		"--no-defaults", "--datadir=" + data, "--innodb-buffer-pool-size=16M", "--innodb-log-file-size=8M", "--innodb-flush-log-at-trx-commit=0",
		"--skip-log-bin", "--skip-networking=0", "--loose-innodb-fast-shutdown=2", "--tmpdir=" + dir,
	}
	if os.Geteuid() == 0 {
		usual = append(usual, "--user=root")
	}
	first := exec.CommandContext(ctx, server, append(usual, "--bootstrap", "--skip-networking")...) //nolint:forbidigo // a counterpart of tests, and no child of the program
	first.Stdin = script
	if err := runProgram(first); err != nil {
		return nil, err
	}
	return exec.Command(server, append(usual, "--bind-address=127.0.0.1", "--port="+strconv.Itoa(port), "--socket="+filepath.Join(dir, "s"), "--skip-name-resolve", "--max-allowed-packet=1G")...), nil //nolint:forbidigo // likewise
}

var messagesDir = regexp.MustCompile(`(?m)^lc-messages-dir +(\S+)`)

// messagesFolder returns the folder with the server's messages. The files of [systemTables]
// are in it, too.
func messagesFolder(ctx context.Context, server string) (string, error) {
	out, err := exec.CommandContext(ctx, server, "--no-defaults", "--verbose", "--help").Output() //nolint:forbidigo // likewise
	if m := messagesDir.FindSubmatch(out); m != nil {
		return string(m[1]), nil
	}
	return "", fmt.Errorf("%s does not say where its files are: %w", server, err)
}

func pingMariaDB(ctx context.Context, address string) error {
	c := mysql.NewConfig()
	c.Net, c.Addr, c.User, c.Passwd, c.DBName, c.Logger = "tcp", address, "abl", Password, "test", silentLogger{}
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return err
	}
	conn, err := connector.Connect(ctx)
	if err != nil {
		return err
	}
	return conn.Close()
}

// silentLogger drops what the driver would print while the server does not answer yet.
type silentLogger struct{}

func (silentLogger) Print(...any) {}
