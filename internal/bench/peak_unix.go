//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the most memory that a process that has ended ever used, in bytes. The
// kernel counts from what the process that started it used, so this program stays small.
func peakMemory(state *os.ProcessState) int64 {
	used, ok := state.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return used.Maxrss
	}
	return used.Maxrss * 1024
}
