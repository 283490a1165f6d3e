//go:build !linux

package process

import "os/exec"

// endWithParent does nothing on this system. A child notices the end of its input, or is in a job.
func endWithParent(*exec.Cmd) {}
