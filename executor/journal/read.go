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

// Read returns the runs in a folder, the newest first, and at most max of them; 0 means
// all. unread counts lines that are no rows.
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

// readFile reads the rows of a file. The last one of a run counts; where it says
// nothing of arguments, those of an earlier one.
func readFile(name string, runs map[string]Row) (unread int, err error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil // it was the oldest
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

// maxLine is more than a row has.
const maxLine = 1 << 20

// readLine is the next line, or the beginning of one that is longer than a row.
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
