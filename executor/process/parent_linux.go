package process

import "syscall"

// endWithParent has the kernel end a child when the thread that forked it is gone:
// with this process, since Go keeps its threads.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
