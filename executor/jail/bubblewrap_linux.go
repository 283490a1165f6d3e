package jail

import (
	"cmp"
	"os"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// bubblewrap returns a command that runs a program in its own namespaces, with a filter of system
// calls. The caller must call the returned function when the command has ended.
func bubblewrap(path string, p Program) (process.Command, func(), error) {
	g, err := newGate()
	if err != nil {
		return process.Command{}, nil, err
	}
	return startGated(g, path, p)
}

// startGated returns a command whose program waits at the gate g. The returned function closes the
// gate and the filter.
func startGated(g *gate, path string, p Program) (process.Command, func(), error) {
	filter, err := filterFile(p.Unix)
	if err != nil {
		g.close()
		return process.Command{}, nil, err
	}
	words := []string{
		path, "--unshare-all", "--unshare-user", "--uid", nobody, "--gid", nobody, "--cap-drop", "ALL",
		"--die-with-parent", "--new-session", "--clearenv", "--seccomp", strconv.Itoa(firstExtra),
		"--hostname", hostName, "--proc", "/proc", "--dev", "/dev",
	}
	if p.Memory > 0 {
		words = append(words, "--size", strconv.FormatInt(p.Memory, 10))
	}
	words = append(words, "--tmpfs", Dir)
	for _, m := range mounts(p.Roots) {
		if m.link != "" {
			words = append(words, "--symlink", m.link, m.path)
		} else {
			words = append(words, "--ro-bind", m.path, m.path)
		}
	}
	for _, path := range p.Hidden {
		words = append(words, "--ro-bind", os.DevNull, path)
	}
	words = append(words, "--dir", cmp.Or(p.Dir, Dir), "--chdir", cmp.Or(p.Dir, Dir))
	for _, v := range p.Env {
		name, value, _ := strings.Cut(v, "=")
		words = append(words, "--setenv", name, value)
	}
	for _, path := range []string{"/proc", "/dev", "/"} { // programs of root could change kernel settings in /proc/sys
		words = append(words, "--remount-ro", path)
	}
	words = append(append(words, "--"), g.gatedCommand(firstExtra+1, p.Words)...)
	go g.allowStart()
	done := func() {
		_ = filter.Close()
		g.close()
	}
	return process.Command{Words: words, OnlyOwnEnv: true, SelfEnding: true, ExtraFile: append([]*os.File{filter}, g.childFiles()...)}, done, nil
}

// hostName is the name of this machine in a jail.
const hostName = "sandbox"

// nobody is the id of a user who owns nothing.
const nobody = "65534"

// firstExtra is the descriptor of the first extra file of a process.
const firstExtra = 3
