//go:build unix

package mcpserver

import (
	"os"

	"golang.org/x/sys/unix"
)

// isHungUp reports whether the other end of a pipe is closed.
func isHungUp(file *os.File) bool {
	raw, err := file.SyscallConn()
	if err != nil {
		return false
	}
	var end []unix.PollFd
	err = raw.Control(func(fd uintptr) {
		end = []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
		_, _ = unix.Poll(end, 0) // what fails says nothing of the other end
	})
	return err == nil && end[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}
