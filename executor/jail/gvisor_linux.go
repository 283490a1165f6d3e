package jail

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// gvisor returns a command that runs a program on its own kernel, from a bundle of the Open
// Container Initiative. The program is root there, but without any capability: gVisor lets no
// other user into the working folder. The caller must call the returned function when the command
// has ended.
func gvisor(path string, p Program) (process.Command, func(), error) {
	if p.Dir != "" || p.Hidden != nil || p.Unix {
		return process.Command{}, nil, errors.New("it has no folder of the program's own choice, no hidden files and no sockets")
	}
	dir, done, err := process.NewFolder("abl-lsp-jail-")
	if err != nil {
		return process.Command{}, nil, err
	}
	if err := writeBundle(dir, p); err != nil {
		done()
		return process.Command{}, nil, err
	}
	return process.Command{Words: []string{
		path, "--root", filepath.Join(dir, "state"), "--rootless", "--network=none", "--platform=" + platform(),
		"--ignore-cgroups", "--oci-seccomp", "run", "--bundle", dir, filepath.Base(dir),
	}}, done, nil
}

// platform returns how gVisor intercepts system calls. This way works everywhere.
func platform() string { return "ptrace" }

func writeBundle(dir string, p Program) error {
	if err := os.Mkdir(filepath.Join(dir, "rootfs"), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, "state"), 0o700); err != nil {
		return err
	}
	config, err := json.Marshal(bundle(p))
	if err != nil {
		return fmt.Errorf("the bundle: %w", err)
	}
	return os.WriteFile(filepath.Join(dir, "config.json"), config, 0o600)
}

// The parts of the runtime specification that a bundle needs here.
type (
	spec struct {
		Version string      `json:"ociVersion"`
		Process specProcess `json:"process"`
		Root    specRoot    `json:"root"`
		Host    string      `json:"hostname"`
		Mounts  []specMount `json:"mounts"`
		Linux   specLinux   `json:"linux"`
	}
	specProcess struct {
		User         specUser `json:"user"`
		Args         []string `json:"args"`
		Env          []string `json:"env"`
		Dir          string   `json:"cwd"`
		Capabilities struct{} `json:"capabilities"`
		NoPrivileges bool     `json:"noNewPrivileges"`
	}
	specUser struct {
		UID int `json:"uid"`
		GID int `json:"gid"`
	}
	specRoot struct {
		Path     string `json:"path"`
		Readonly bool   `json:"readonly"`
	}
	specMount struct {
		Destination string   `json:"destination"`
		Type        string   `json:"type"`
		Source      string   `json:"source"`
		Options     []string `json:"options,omitempty"`
	}
	specLinux struct {
		Namespaces []specNamespace `json:"namespaces"`
		Seccomp    specSeccomp     `json:"seccomp"`
	}
	specNamespace struct {
		Type string `json:"type"`
	}
	specSeccomp struct {
		Default       string     `json:"defaultAction"`
		Architectures []string   `json:"architectures"`
		Calls         []specCall `json:"syscalls"`
	}
	specCall struct {
		Names  []string  `json:"names"`
		Action string    `json:"action"`
		Args   []specArg `json:"args,omitempty"`
	}
	specArg struct {
		Index uint   `json:"index"`
		Value uint64 `json:"value"`
		Two   uint64 `json:"valueTwo"`
		Op    string `json:"op"`
	}
)

func bundle(p Program) spec {
	s := spec{
		Version: "1.0.2",
		Process: specProcess{Args: p.Words, Env: p.Env, Dir: Dir, NoPrivileges: true},
		Root:    specRoot{"rootfs", true},
		Host:    hostName,
		Mounts: []specMount{
			{Destination: "/proc", Type: "proc", Source: "proc"},
			{Destination: Dir, Type: "tmpfs", Source: "tmpfs", Options: []string{"mode=1777"}},
		},
		Linux: specLinux{Seccomp: noProcesses()},
	}
	for _, m := range mounts(p.Roots) {
		source := m.path
		if m.link != "" {
			source, _ = filepath.EvalSymlinks(m.path) // it existed a moment ago
		}
		s.Mounts = append(s.Mounts, specMount{m.path, "bind", source, []string{"ro", "rbind"}})
	}
	for _, name := range []string{"pid", "network", "ipc", "uts", "mount"} {
		s.Linux.Namespaces = append(s.Linux.Namespaces, specNamespace{name})
	}
	if s.Process.Env == nil {
		s.Process.Env = []string{}
	}
	return s
}

// noProcesses returns a filter that refuses new processes and sockets. It does not filter clone3.
// If gVisor offers clone3, the new process stays in the jail and ends with it.
func noProcesses() specSeccomp {
	const thread, refuse = 0x10000, "SCMP_ACT_ERRNO" // CLONE_THREAD
	calls := []string{"fork", "vfork", "socket", "socketpair"}
	if runtime.GOARCH == "arm64" {
		calls = slices.DeleteFunc(calls, func(name string) bool { return strings.HasSuffix(name, "fork") })
	}
	return specSeccomp{
		Default:       "SCMP_ACT_ALLOW",
		Architectures: []string{map[string]string{"amd64": "SCMP_ARCH_X86_64", "arm64": "SCMP_ARCH_AARCH64"}[runtime.GOARCH]},
		Calls: []specCall{
			{Names: calls, Action: refuse},
			{Names: []string{"clone"}, Action: refuse, Args: []specArg{{0, thread, 0, "SCMP_CMP_MASKED_EQ"}}},
		},
	}
}
