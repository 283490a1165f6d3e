package sqltest

import "os/exec"

func asNobody(cmd *exec.Cmd) *exec.Cmd { return cmd }

func give(...string) error { return nil }
