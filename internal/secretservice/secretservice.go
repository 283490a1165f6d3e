// Package secretservice starts a keychain for a test: the Secret Service of a Linux
// desktop (gnome-keyring), on a session bus of its own.
//
// It does not read or change the person's own session, and both programs end with
// the test.
package secretservice

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/abl-lsp/abl-lsp/internal/testdeps"
)

// startTimeout only bounds a start that fails.
const startTimeout = 20 * time.Second

const busConfig = `<busconfig>
  <type>session</type>
  <listen>unix:dir=%s</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

// Start starts the service and returns the address of its bus, which the test puts
// into DBUS_SESSION_BUS_ADDRESS. A process keeps its first bus, so the test's own
// process can use only one.
func Start(t testing.TB) (address string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the Secret Service is a keychain of Linux")
	}
	bus, keyring := testdeps.FindProgram(t, "dbus-daemon"), testdeps.FindProgram(t, "gnome-keyring-daemon")
	dir, err := os.MkdirTemp("", "bus") // a socket's path has to be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	config := filepath.Join(dir, "bus.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, busConfig, dir), 0o600); err != nil {
		t.Fatal(err)
	}
	out := startProgram(t, dir, nil, bus, "--config-file="+config, "--nofork", "--print-address=1")
	if address, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("dbus-daemon prints no address: %v", err)
	}
	address = strings.TrimSpace(address)
	startProgram(t, dir, []string{"DBUS_SESSION_BUS_ADDRESS=" + address}, keyring, "--foreground", "--unlock", "--components=secrets")
	waitForService(t, address)
	return address
}

// startProgram starts one of the programs with the home dir, and returns its output. Its
// input is the password that unlocks the keychain.
func startProgram(t testing.TB, dir string, env []string, program string, args ...string) io.Reader {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, args...) //nolint:forbidigo // a counterpart of tests, and no child of the program
	cmd.Env = append(env, "HOME="+dir, "XDG_RUNTIME_DIR="+dir, "XDG_DATA_HOME="+filepath.Join(dir, "data"), "PATH="+os.Getenv("PATH"))
	cmd.Stdin = strings.NewReader("a password")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed
	})
	return out
}

// waitForService waits until the bus has a Secret Service.
func waitForService(t testing.TB, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	bus, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	for ; ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
		var there bool
		if err := bus.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.secrets").Store(&there); err != nil {
			t.Fatal(err)
		}
		if there {
			return
		}
	}
	t.Fatal("gnome-keyring-daemon does not come up")
}
