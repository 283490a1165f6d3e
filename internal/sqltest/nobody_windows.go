package sqltest

import "os/exec"

func runAsNobody(cmd *exec.Cmd) *exec.Cmd { return cmd }

func chownToNobody(...string) error { return nil }
