package jail

import (
	"os"
	"strconv"
	"strings"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// bubblewrap gives a program namespaces of its own, and a filter of system calls.
func bubblewrap(path string, p Program) (process.Command, func(), error) {
	filter, err := filterFile()
	if err != nil {
		return process.Command{}, nil, err
	}
	words := []string{
		path, "--unshare-all", "--unshare-user", "--uid", nobody, "--gid", nobody, "--cap-drop", "ALL",
		"--die-with-parent", "--new-session", "--clearenv", "--seccomp", strconv.Itoa(firstExtra),
		"--proc", "/proc", "--dev", "/dev", "--tmpfs", Dir, "--chdir", Dir,
	}
	for _, m := range mounts(p.Roots) {
		if m.link != "" {
			words = append(words, "--symlink", m.link, m.path)
		} else {
			words = append(words, "--ro-bind", m.path, m.path)
		}
	}
	for _, v := range p.Env {
		name, value, _ := strings.Cut(v, "=")
		words = append(words, "--setenv", name, value)
	}
	words = append(append(words, "--"), p.Words...)
	return process.Command{Words: words, ExtraFile: []*os.File{filter}}, func() { _ = filter.Close() }, nil
}

// nobody is a user who owns nothing.
const nobody = "65534"

// firstExtra is the descriptor of the first extra file of a process.
const firstExtra = 3
