package process

import (
	"os"
	"strconv"
	"strings"
)

// OwnMemory returns the bytes of memory that belong to a process alone, without its program, which
// processes share. It is 0 if that is not known.
func OwnMemory(pid int) int64 { return memoryIn(pid, "status", "RssAnon:") }

// ProportionalMemory returns the bytes of memory of a process, including its share of the memory
// that it shares with others.
func ProportionalMemory(pid int) int64 { return memoryIn(pid, "smaps_rollup", "Pss:") }

// memoryIn returns the value of name, in bytes, from a file in the /proc folder of a process.
func memoryIn(pid int, file, name string) int64 {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/" + file) // empty if the process has ended
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kb << 10
		}
	}
	return 0
}
