package jail

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// interval is the time between two looks at a program's memory.
const interval = 25 * time.Millisecond

// watch calls full when a process and those below it use more than limit bytes, what is
// in the files of the jail's folder among them. It returns when ctx ends.
func watch(ctx context.Context, pid int, limit int64, full func()) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if memory(pid)+inFiles(pid) > limit {
			full()
			return
		}
	}
}

// memory is what a process and those below it use. What they share counts once.
func memory(pid int) int64 {
	total := proportional(pid)
	for _, child := range children(pid) {
		total += memory(child)
	}
	return total
}

// inFiles is how many bytes are in the files of a jail's folder: those that a process of
// it sees, the last one below pid. On gVisor the kernel's own memory has them.
func inFiles(pid int) int64 {
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

// children are the processes that a process has started.
func children(pid int) []int {
	var out []int
	dir := "/proc/" + strconv.Itoa(pid) + "/task"
	tasks, _ := os.ReadDir(dir) // none where it is gone
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

// proportional is the memory of a process, with its share of what others use too.
func proportional(pid int) int64 {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup") // none where it is gone
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kb << 10
		}
	}
	return 0
}
