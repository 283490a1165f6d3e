package sandbox

import (
	"os"
	"strconv"
	"strings"
)

// ownMemory is how many bytes of memory a process has for itself: without its program,
// which processes share. It is 0 where that is not known.
func ownMemory(pid int) int64 {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status") // none where it is gone
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kb << 10
		}
	}
	return 0
}
