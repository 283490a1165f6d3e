package jail

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// forks returns the system calls that can only make processes.
func forks() []uint32 { return []uint32{unix.SYS_FORK, unix.SYS_VFORK} }
