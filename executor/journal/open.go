package journal

import (
	"errors"
	"io/fs"
	"os"
)

// errNoFile is that of a link, which leads to what is not ours, a pipe or a folder.
var errNoFile = errors.New("it is no plain file")

// openToAppend opens a file for whole lines, and makes it if it is not there.
func openToAppend(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_APPEND|os.O_RDWR, 0o600)
	if !errors.Is(err, fs.ErrExist) {
		return file, err
	}
	there, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !there.Mode().IsRegular() {
		return nil, errNoFile
	}
	if file, err = os.OpenFile(name, os.O_APPEND|os.O_RDWR, 0); err != nil {
		return nil, err
	}
	opened, err := file.Stat()
	if err == nil && !os.SameFile(there, opened) { // it was replaced meanwhile
		err = errNoFile
	}
	if err == nil {
		err = endLine(file, opened.Size())
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// endLine ends a line that whoever wrote it could not end, so that it costs no other.
func endLine(file *os.File, size int64) error {
	last := []byte{'\n'}
	if size > 0 {
		if _, err := file.ReadAt(last, size-1); err != nil {
			return err
		}
	}
	if last[0] == '\n' {
		return nil
	}
	_, err := file.Write([]byte{'\n'})
	return err
}
