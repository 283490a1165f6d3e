//go:build !unix

package state

import "os"

// unlock closes a file, which releases its lock.
func unlock(f *os.File) { _ = f.Close() }
