package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Read returns the last max runs in the folder dir, the newest first; 0 means all. A folder that
// does not exist has no runs. unread is the number of lines that are not valid rows.
func Read(dir string, max int) (rows []Row, unread int, err error) {
	numbers, err := fileNumbers(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	runs := map[string]Row{}
	for _, n := range numbers {
		bad, err := readFile(nameOf(dir, n), runs)
		if err != nil {
			return nil, 0, err
		}
		unread += bad
	}
	for _, r := range runs {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b Row) int { return strings.Compare(b.Run, a.Run) })
	if max > 0 && len(rows) > max {
		rows = rows[:max]
	}
	return rows, unread, nil
}

// readFile sets runs[id] to the last row of each run in the file called name. A row without
// arguments takes those of the row that it replaces, so the oldest file must be read first. A file
// that does not exist has no rows. unread is the number of lines that are not valid rows. If
// reading fails, runs has the rows before the failure.
func readFile(name string, runs map[string]Row) (unread int, err error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil // it was deleted as the oldest
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, maxLine)
	for {
		line, err := readLine(in)
		if len(line) > 1 {
			var r Row
			if json.Unmarshal(line, &r) != nil || r.Run == "" {
				unread++
			} else {
				earlier, again := runs[r.Run]
				if len(r.Args) == 0 {
					r.Args = earlier.Args
				}
				if r.Position = earlier.Position; !again {
					r.Position = len(runs)
				}
				runs[r.Run] = r
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return unread, nil
		case err != nil:
			return unread, err
		}
	}
}

// maxLine is more bytes than a row can have.
const maxLine = 1 << 20

// readLine returns the next line. Of a line that is too long for a row it returns the first two
// bytes.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	line = bytes.Clone(line[:2])
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = in.ReadSlice('\n')
	}
	return line, err
}
