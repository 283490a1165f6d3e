package jail

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// memory returns the bytes that a process and its descendants use. Shared memory counts once.
func memory(pid int) int64 {
	total := process.ProportionalMemory(pid)
	for _, child := range children(pid) {
		total += memory(child)
	}
	return total
}

// fileMemory returns the size of the files in a jail's working folder, in bytes, as
// seen by a process of the jail. With gVisor the kernel's own memory includes them.
func fileMemory(pid int) int64 {
	for {
		below := children(pid)
		if len(below) == 0 {
			break
		}
		pid = below[len(below)-1]
	}
	folder := "/proc/" + strconv.Itoa(pid) + "/root" + Dir
	var theirs, ours unix.Stat_t
	var fs unix.Statfs_t
	switch {
	case unix.Stat(folder, &theirs) != nil, unix.Statfs(folder, &fs) != nil, fs.Type != unix.TMPFS_MAGIC:
		return 0
	case unix.Stat(Dir, &ours) == nil && ours.Dev == theirs.Dev: // it is not in its jail yet
		return 0
	}
	return int64(fs.Blocks-fs.Bfree) * fs.Bsize
}

// children returns the numbers of the processes that a process has started.
func children(pid int) []int {
	var out []int
	dir := "/proc/" + strconv.Itoa(pid) + "/task"
	tasks, _ := os.ReadDir(dir) // empty if the process has ended
	for _, t := range tasks {
		text, _ := os.ReadFile(dir + "/" + t.Name() + "/children")
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				out = append(out, child)
			}
		}
	}
	return out
}
