package process

import (
	"os"
	"os/exec"
	"strconv"
	"unsafe"

	"golang.org/x/sys/windows"
)

// baseVariables returns the names of the variables that every process gets. Programs of Windows do
// not start without most of them.
func baseVariables() []string {
	return []string{
		"PATH", "PATHEXT", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "TEMP", "TMP",
		"USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES",
	}
}

// setProcessGroup makes the cancellation of a command also end everything that it started.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		pid := strconv.Itoa(cmd.Process.Pid)
		if exec.Command("taskkill", "/T", "/F", "/PID", pid).Run() == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
}

// tree is a child with everything that it started: a job object. The system ends the job when its
// last handle is closed, which happens when this process ends at the latest.
type tree struct{ job windows.Handle }

// adopt puts a child into a job. If that fails, only cancellation ends what the child started.
func (t *tree) adopt(p *os.Process) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		assign := func(handle uintptr) { err = windows.AssignProcessToJobObject(job, windows.Handle(handle)) }
		if noHandle := p.WithHandle(assign); noHandle != nil {
			err = noHandle
		}
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return
	}
	t.job = job
}

// end ends what is left in the job.
func (t *tree) end(int) {
	if t.job != 0 {
		_ = windows.CloseHandle(t.job)
	}
}
