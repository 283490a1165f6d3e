package process

import (
	"os"
	"strconv"
	"strings"
)

// OwnMemory is how many bytes of memory a process has for itself: without its program,
// which processes share. It is 0 where that is not known.
func OwnMemory(pid int) int64 { return memoryIn(pid, "status", "RssAnon:") }

// ProportionalMemory is the memory of a process in bytes, with its share of what others use
// too.
func ProportionalMemory(pid int) int64 { return memoryIn(pid, "smaps_rollup", "Pss:") }

// memoryIn reads a number of kB from a file that the system has of a process.
func memoryIn(pid int, file, name string) int64 {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/" + file) // none where it is gone
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kb << 10
		}
	}
	return 0
}
