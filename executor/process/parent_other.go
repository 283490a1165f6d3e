//go:build !linux

package process

import "os/exec"

// endWithParent can do nothing here: a child sees the end of its input, or is in a job.
func endWithParent(*exec.Cmd) {}
