package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// historyEntry is a line of the history: one measurement.
type historyEntry struct {
	Date    string             `json:"date"`
	Version string             `json:"version"`
	Machine machine            `json:"machine"`
	Figures figures            `json:"figures"`
	Others  map[string]figures `json:"beside,omitempty"`
}

// machine describes the machine of a measurement.
type machine struct {
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	Cores int    `json:"cores"`
	CPU   string `json:"cpu,omitempty"`
}

// The files that show the history.
const (
	plotFile        = "docs/images/performance.svg"
	performancePage = "docs/performance.md"
)

// report prints the figures next to those of the first entry of the history. If all were
// measured, they become the last entry, and the files that show the history are rewritten.
func (b *bench) report(o options, all bool) error {
	version, err := b.versionName(o)
	if err != nil {
		return err
	}
	now := historyEntry{time.Now().UTC().Format(time.DateOnly), version, thisMachine(), b.ownFigures, b.others}
	entries, err := readHistory(o.history)
	if err != nil {
		return err
	}
	entries = append(entries, now)
	fmt.Print(historyTable(entries))
	if !all || o.only != "" || o.calls != allCalls || o.history == "" {
		return nil
	}
	return errors.Join(appendEntry(o.history, now), showHistory(entries))
}

// versionName returns the program's version for the history.
func (*bench) versionName(o options) (string, error) {
	if o.version != "" {
		return o.version, nil
	}
	out, err := exec.Command("git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return "", fmt.Errorf("git describe: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// showFile shows the history of a file.
func showFile(history string) error {
	entries, err := readHistory(history)
	if err == nil && len(entries) == 0 {
		err = fmt.Errorf("%s has no entry", history)
	}
	if err != nil {
		return err
	}
	return showHistory(entries)
}

// showHistory draws a history, and writes its table into the page about performance.
func showHistory(entries []historyEntry) error {
	svg, err := plotSVG(entries)
	if err != nil {
		return err
	}
	if err := os.WriteFile(plotFile, svg, 0o644); err != nil {
		return err
	}
	text, err := os.ReadFile(performancePage)
	if err != nil {
		return err
	}
	filled, err := replaceTable(string(text), historyTable(entries))
	if err != nil {
		return err
	}
	return os.WriteFile(performancePage, []byte(filled), 0o644)
}

// replaceTable replaces the generated table of a page.
func replaceTable(page, table string) (string, error) {
	const begin, end = "<!-- What follows is written by make bench. -->\n", "<!-- What is above is written by make bench. -->\n"
	before, rest, ok := strings.Cut(page, begin)
	_, after, ends := strings.Cut(rest, end)
	if !ok || !ends {
		return "", fmt.Errorf("the page has no place for the table: %q", begin)
	}
	return before + begin + "\n" + table + "\n" + end + after, nil
}

func appendEntry(path string, e historyEntry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Close())
}

// readHistory reads a history, oldest first. A missing file has no entries.
func readHistory(path string) ([]historyEntry, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []historyEntry
	for line := range bytes.Lines(text) {
		var e historyEntry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, len(all)+1, err)
		}
		all = append(all, e)
	}
	return all, nil
}

func thisMachine() machine {
	return machine{runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpuModel()}
}

// cpuModel returns the name of the processor; "" if the system does not say it.
func cpuModel() string {
	if out, err := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); err == nil {
		return strings.TrimSpace(string(out))
	}
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
