package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func row(i int) Row {
	ok := true
	return Row{Run: fmt.Sprintf("run-%06d", i), Tool: "t", OK: &ok, Value: json.RawMessage(`10.50`)}
}

func read(t *testing.T, dir string, max int) []Row {
	t.Helper()
	rows, unread, err := Read(dir, max)
	if err != nil || unread > 0 {
		t.Fatalf("%v, %d unread", err, unread)
	}
	return rows
}

func TestJournal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "journal")
	if rows := read(t, dir, 0); len(rows) > 0 {
		t.Errorf("%+v", rows)
	}
	j := New(dir)
	begun := row(1)
	begun.OK, begun.Value = nil, nil
	for _, err := range []error{j.Ready(), j.Begin(begun)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if rows := read(t, dir, 0); len(rows) != 1 || rows[0].OK != nil {
		t.Errorf("before the end: %+v", rows)
	}
	for i := range 3 {
		j.End(row(i))
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	rows := read(t, dir, 2)
	if len(rows) != 2 || rows[0].Run != "run-000002" || rows[1].Run != "run-000001" || rows[1].OK == nil || string(rows[1].Value) != "10.50" {
		t.Errorf("%+v", rows)
	}
	if runtime.GOOS == "windows" {
		return // there are no such modes
	}
	for name, want := range map[string]os.FileMode{dir: 0o700, nameOf(dir, 1): 0o600} {
		t.Run(name, func(t *testing.T) {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != want {
				t.Errorf("%s: %v", name, info.Mode())
			}
		})
	}
}

// TestBounded checks that old files are deleted, and long parts are cut.
func TestBounded(t *testing.T) {
	dir := t.TempDir()
	j := New(dir)
	long, err := json.Marshal(strings.Repeat("é", 5<<20))
	if err != nil {
		t.Fatal(err)
	}
	r := row(0)
	r.Args, r.Value, r.Error = long, long, &Error{Message: strings.Repeat("x", 1<<20)}
	if err := j.Begin(r); err != nil {
		t.Fatal(err)
	}
	got := read(t, dir, 0)[0]
	if got.Cut == nil || got.Cut.Value != len(long) || got.Cut.Args != len(long) || got.Cut.Error != 1<<20 {
		t.Errorf("%+v", got.Cut)
	}
	if info, err := os.Stat(nameOf(dir, 1)); err != nil || info.Size() > 20_000 {
		t.Errorf("%v %v", info.Size(), err)
	}
	r.Value, r.Args, r.Error = json.RawMessage(`"`+strings.Repeat("x", 60<<10)+`"`), nil, nil
	for i := range 500 {
		r.Run = row(i).Run
		j.End(r)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	numbers, err := fileNumbers(dir)
	if err != nil || len(numbers) > keptFiles || numbers[0] == 1 {
		t.Errorf("%v %v", numbers, err)
	}
	rows := read(t, dir, 0)
	if rows[0].Run != "run-000499" || len(rows) < 150 {
		t.Errorf("%d rows, the last is %s", len(rows), rows[0].Run)
	}
}

// TestUnreadable checks that a damaged line does not affect other lines.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	j := New(dir)
	if err := j.Begin(row(1)); err != nil {
		t.Fatal(err)
	}
	j.Close()
	f, err := os.OpenFile(nameOf(dir, 1), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "{\"run\":\"torn\",\"val\n\nnull\n")
	f.Close()
	j.End(row(2))
	j.Close()
	rows, unread, err := Read(dir, 0)
	if err != nil || unread != 2 || len(rows) != 2 {
		t.Errorf("%d rows, %d unread, %v", len(rows), unread, err)
	}
}

// TestTornEnd checks that a line that its writer could not end does not affect the next one.
func TestTornEnd(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"torn": `{"run":"torn","val`, "endless": strings.Repeat("x", 3<<20)} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(nameOf(dir, 1), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			j := New(dir)
			if err := errors.Join(j.Begin(row(1)), j.Close()); err != nil {
				t.Fatal(err)
			}
			if rows, unread, err := Read(dir, 0); len(rows) != 1 || unread != 1 || err != nil {
				t.Errorf("%s: %d rows, %d unread, %v", name, len(rows), unread, err)
			}
		})
	}
}

// TestNoPlainFile checks that links are not followed, and that anything else than a file is
// skipped.
func TestNoPlainFile(t *testing.T) {
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(elsewhere, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, nameOf(dir, 1)); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := errors.Join(os.Symlink(elsewhere+"-new", nameOf(dir, 2)), os.Mkdir(nameOf(dir, 3), 0o700)); err != nil {
		t.Fatal(err)
	}
	j := New(dir)
	if err := errors.Join(j.Begin(row(1)), j.Close()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(elsewhere); string(text) != "precious" || err != nil {
		t.Errorf("%q %v", text, err)
	}
	if _, err := os.Stat(elsewhere + "-new"); err == nil {
		t.Error("a link that leads nowhere was followed")
	}
	if rows := read(t, dir, 0); len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
}

func TestNoPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	j := New(filepath.Join(file, "journal"))
	if j.Ready() == nil {
		t.Error("a file is no folder")
	}
	j.End(row(1))
	if j.Close() == nil {
		t.Error("nothing was said of the lost row")
	}
}

const asWriter = "ABL_JOURNAL_TEST_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asWriter); dir != "" {
		writeMany(New(dir), os.Getpid())
		return
	}
	os.Exit(m.Run())
}

const many = 300

func writeMany(j *Journal, who int) {
	r := row(0)
	r.Args = json.RawMessage(`"` + strings.Repeat("x", 3000) + `"`)
	for i := range many {
		r.Run = fmt.Sprintf("%d-%d", who, i)
		j.End(r)
	}
	if err := j.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestProcesses checks that several concurrent processes lose no row, even when a file becomes
// full.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), asWriter+"="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v %s", err, out)
			}
		})
	}
	all.Go(func() {
		var writers sync.WaitGroup
		for i := range 4 {
			writers.Go(func() { writeMany(New(dir), -1-i) })
		}
		writers.Wait()
	})
	all.Wait()
	if rows := read(t, dir, 0); len(rows) != 7*many {
		t.Errorf("%d rows, want %d", len(rows), 7*many)
	}
}

func BenchmarkEnd(b *testing.B) {
	j := New(b.TempDir())
	r := row(1)
	r.Args = json.RawMessage(`{"id":"7"}`)
	for b.Loop() {
		j.End(r)
	}
	j.Close()
}

func BenchmarkBegin(b *testing.B) {
	j := New(b.TempDir())
	for b.Loop() {
		if err := j.Begin(row(1)); err != nil {
			b.Fatal(err)
		}
	}
	j.Close()
}
