package process

import "os"

// NewFolder creates a temporary folder whose name begins with name; remove removes the folder.
func NewFolder(name string) (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp("", name)
	return dir, func() { _ = os.RemoveAll(dir) }, err
}
