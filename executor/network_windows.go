package executor

import "syscall"

// systemConnectionEnds are those that the system reports. Its own numbers are not those of
// syscall.ECONNRESET and the like.
var systemConnectionEnds = []error{syscall.WSAECONNRESET, syscall.WSAECONNABORTED}
