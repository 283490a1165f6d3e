//go:build !windows

package executor

import "syscall"

// systemConnectionEnds are those that the system reports.
var systemConnectionEnds = []error{syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED}
