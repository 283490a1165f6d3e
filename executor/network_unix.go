//go:build !windows

package executor

import "syscall"

// systemConnectionEnds are the connectionEnds that the operating system reports.
var systemConnectionEnds = []error{syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED}
