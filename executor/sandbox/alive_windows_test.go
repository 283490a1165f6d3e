package sandbox_test

import "golang.org/x/sys/windows"

// alive reports whether a process exists.
func alive(pid int) bool {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h)
	ended, err := windows.WaitForSingleObject(h, 0)
	return err == nil && ended != windows.WAIT_OBJECT_0
}
