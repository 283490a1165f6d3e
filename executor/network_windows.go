package executor

import "syscall"

// systemConnectionEnds are the connectionEnds that the operating system reports. Windows has
// other numbers for them than syscall.ECONNRESET and the like.
var systemConnectionEnds = []error{syscall.WSAECONNRESET, syscall.WSAECONNABORTED}
