package process

import (
	"os/exec"
	"syscall"
)

// endWithParent has the kernel end a child when the thread that forked it is gone:
// with this process, since Go keeps its threads.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
