package jail

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// deniedCalls are the system calls that fail with EPERM: those with which a program
// could leave its jail, start a process, or keep memory that no process has mapped.
func deniedCalls() []uint32 {
	return append(forks(),
		unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
		unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET, unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET,
		unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS,
		unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_FSOPEN, unix.SYS_FSMOUNT, unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT,
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP,
		unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT,
		unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_QUOTACTL, unix.SYS_ACCT,
	)
}

// The offsets in struct seccomp_data, on a little-endian machine, of the values that the filter
// reads.
const (
	callOffset     = 0
	archOffset     = 4
	firstArgOffset = 16
)

// filter returns the program that decides about each system call. A clone that makes no thread
// makes a process, so it is refused. A filter cannot see the flags of clone3, so it fails as if
// the kernel did not have it; programs then use clone. A program that may open Unix sockets cannot
// open others.
func filter(unixSockets bool) []bpf.Instruction {
	answer := func(errno uint32) bpf.Instruction { return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | errno} }
	f := []bpf.Instruction{
		bpf.LoadAbsolute{Off: archOffset, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS}, // the calls of another architecture have other numbers
		bpf.LoadAbsolute{Off: callOffset, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpGreaterOrEqual, Val: foreignCalls, SkipFalse: 1},
		answer(uint32(unix.ENOSYS)),
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SYS_CLONE3, SkipFalse: 1},
		answer(uint32(unix.ENOSYS)),
	}
	if unixSockets {
		f = append(f,
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SYS_SOCKET, SkipFalse: 4},
			bpf.LoadAbsolute{Off: firstArgOffset, Size: 4},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_UNIX, SkipFalse: 1},
			bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW},
			answer(uint32(unix.EPERM)),
		)
	}
	for _, call := range deniedCalls() {
		f = append(f, bpf.JumpIf{Cond: bpf.JumpEqual, Val: call, SkipFalse: 1}, answer(uint32(unix.EPERM)))
	}
	return append(f,
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SYS_CLONE, SkipFalse: 3},
		bpf.LoadAbsolute{Off: firstArgOffset, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.CLONE_THREAD, SkipTrue: 1},
		answer(uint32(unix.EPERM)),
		bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW},
	)
}

// foreignCalls is the lowest number of the system calls of the x32 ABI. Other architectures have
// no call with such a high number.
const foreignCalls = 0x40000000

// filterFile returns an open file with the filter, encoded as the kernel reads it. The caller
// closes the file.
func filterFile(unixSockets bool) (*os.File, error) {
	code, err := bpf.Assemble(filter(unixSockets))
	if err != nil {
		return nil, fmt.Errorf("the filter of system calls: %w", err)
	}
	var text bytes.Buffer
	for _, c := range code {
		if err := binary.Write(&text, binary.NativeEndian, c); err != nil {
			return nil, fmt.Errorf("the filter of system calls: %w", err)
		}
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	_, err = write.Write(text.Bytes()) // far less than a pipe holds
	_ = write.Close()
	if err != nil {
		_ = read.Close()
		return nil, err
	}
	return read, nil
}
