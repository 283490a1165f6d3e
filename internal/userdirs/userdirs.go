// Package userdirs returns the folders in which the program keeps files for the user.
//
// They are the system's usual folders, unless the variables ABL_STATE_DIR and
// ABL_CACHE_DIR name others. The package creates no folders.
package userdirs

import (
	"os"
	"path/filepath"
	"runtime"
)

const name = "abl-lsp"

// StateDir returns the folder for files that outlive a session and cannot be recreated, such
// as the journal; "" if the system has none.
func StateDir() string {
	if dir := os.Getenv("ABL_STATE_DIR"); dir != "" {
		return dir
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, name)
	}
	home, err := os.UserHomeDir()
	switch {
	case err != nil:
		return ""
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Application Support", name)
	case runtime.GOOS == "windows":
		return programDir(os.UserCacheDir()) // that is what stays on this machine
	}
	return filepath.Join(home, ".local", "state", name)
}

// CacheDir returns the folder for files that can be recreated; "" if the system has none.
func CacheDir() string {
	if dir := os.Getenv("ABL_CACHE_DIR"); dir != "" {
		return dir
	}
	return programDir(os.UserCacheDir())
}

func programDir(dir string, err error) string {
	if err != nil {
		return ""
	}
	return filepath.Join(dir, name)
}
