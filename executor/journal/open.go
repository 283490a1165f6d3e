package journal

import (
	"errors"
	"io/fs"
	"os"
)

// errNoFile is the error for a link, a pipe or a folder. A link may lead to files that are not of
// the journal.
var errNoFile = errors.New("it is no plain file")

// openToAppend opens a file for appending whole lines, and creates it if it does not exist.
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

// endLine ends the last line of a file if its writer could not, so that the next line is not lost.
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
