//go:build unix && !linux

package process

import "syscall"

// endWithParent can do nothing here: a child sees the end of its input.
func endWithParent(*syscall.SysProcAttr) {}
