package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// The journal consists of files with rising numbers. Rows are added to the last file. When it is
// full, the next file begins and the oldest one is deleted. Processes need not know of each other:
// two that begin the next file begin the same one.
const (
	fileSize  = 4 << 20
	keptFiles = 4
	ending    = ".jsonl"
)

// The most bytes that the parts of a row may have, and the bytes that are kept of a longer part.
const (
	maxArgs  = 16 << 10
	maxValue = 64 << 10
	maxError = 4 << 10
	kept     = 2000
)

// oneWrite is about how many bytes are written at once.
const oneWrite = 1 << 20

// files writes rows to the files of a folder. It is safe for concurrent use.
type files struct {
	dir  string
	mu   sync.Mutex
	last *os.File // nil: not open
}

// ready opens a file, unless one is open. Whether that has room is left to append.
func (f *files) ready() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last != nil {
		return nil
	}
	return f.open()
}

func (f *files) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last == nil {
		return nil
	}
	err := f.last.Close()
	f.last = nil
	return err
}

func (f *files) write(rows ...Row) error {
	var text bytes.Buffer
	var errs []error
	for i, r := range rows {
		if err := encode(&text, r); err != nil {
			errs = append(errs, err)
		}
		if text.Len() >= oneWrite || i == len(rows)-1 {
			errs = append(errs, f.append(text.Bytes()))
			text.Reset()
		}
	}
	return errors.Join(errs...)
}

// append writes whole lines with one call. The system does not mix them with lines of other
// processes.
func (f *files) append(lines []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.open(); err != nil {
		return err
	}
	_, err := f.last.Write(lines)
	if err != nil { // whoever opens it next ends the line
		_ = f.last.Close()
		f.last = nil
	}
	return err
}

// open opens the last file that has room, and deletes the oldest files. The caller holds the mutex.
func (f *files) open() error {
	if f.last != nil && hasRoom(f.last) {
		return nil
	}
	if f.last != nil {
		_ = f.last.Close()
		f.last = nil
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	numbers, err := fileNumbers(f.dir)
	if err != nil {
		return err
	}
	n := 1
	if len(numbers) > 0 {
		n = numbers[len(numbers)-1]
	}
	for ; ; n++ {
		file, err := openToAppend(nameOf(f.dir, n))
		if errors.Is(err, errNoFile) {
			continue
		}
		if err != nil {
			return err
		}
		if hasRoom(file) {
			f.last = file
			break
		}
		_ = file.Close()
	}
	for _, old := range numbers {
		if old <= n-keptFiles {
			_ = os.Remove(nameOf(f.dir, old)) // the next call of open tries again
		}
	}
	return nil
}

func hasRoom(file *os.File) bool {
	info, err := file.Stat()
	return err != nil || info.Size() < fileSize
}

func nameOf(dir string, n int) string { return filepath.Join(dir, fmt.Sprintf("%06d%s", n, ending)) }

// fileNumbers returns the numbers of the existing files, sorted. It ignores everything that is not
// a regular file.
func fileNumbers(dir string) ([]int, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []int
	for _, e := range entries {
		digits, ok := strings.CutSuffix(e.Name(), ending)
		if n, err := strconv.Atoi(digits); ok && err == nil && n > 0 && e.Type().IsRegular() {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, nil
}

// encode writes a row as a line of bounded length.
func encode(b *bytes.Buffer, r Row) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	return e.Encode(r.Shortened())
}

// Shortened returns the row as it is written: long parts are cut.
func (r Row) Shortened() Row {
	var cut Cut
	r.Args, cut.Args = shortenValue(r.Args, maxArgs)
	r.Value, cut.Value = shortenValue(r.Value, maxValue)
	if r.Error != nil && len(r.Error.Message) > maxError {
		e := *r.Error
		e.Message, cut.Error = shortenText(e.Message), len(e.Message)
		r.Error = &e
	}
	if cut != (Cut{}) {
		r.Cut = &cut
	}
	return r
}

// shortenValue returns raw and 0 if raw has at most most bytes. Otherwise it returns the beginning
// of raw as a JSON string, and the length of raw.
func shortenValue(raw json.RawMessage, most int) (json.RawMessage, int) {
	if len(raw) <= most {
		return raw, 0
	}
	text, err := json.Marshal(shortenText(string(raw[:kept+utf8.UTFMax])))
	if err != nil {
		return nil, len(raw)
	}
	return text, len(raw)
}

func shortenText(text string) string {
	end := min(kept, len(text))
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
