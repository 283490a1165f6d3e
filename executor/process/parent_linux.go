package process

import (
	"os/exec"
	"syscall"
)

// endWithParent makes the kernel kill a child when the thread that forked it ends. Go keeps its
// threads, so that is when this process ends.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
