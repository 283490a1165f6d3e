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

// entry is a line of the history: one measurement.
type entry struct {
	Date    string             `json:"date"`
	Version string             `json:"version"`
	Machine machine            `json:"machine"`
	Figures figures            `json:"figures"`
	Beside  map[string]figures `json:"beside,omitempty"`
}

// machine is what the figures were measured on.
type machine struct {
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	Cores int    `json:"cores"`
	CPU   string `json:"cpu,omitempty"`
}

// plotFile is where the history is drawn.
const plotFile = "docs/images/performance.svg"

// keep appends what was measured to the history, and draws it anew.
func keep(o options, b *bench) error {
	version := o.version
	if version == "" {
		out, err := exec.Command("git", "describe", "--always", "--dirty").Output()
		if err != nil {
			return fmt.Errorf("git describe: %w", err)
		}
		version = strings.TrimSpace(string(out))
	}
	e := entry{time.Now().UTC().Format(time.DateOnly), version, thisMachine(), b.ours, b.beside}
	if err := appendEntry(o.history, e); err != nil {
		return err
	}
	return draw(o.history, plotFile)
}

// draw draws a history.
func draw(history, plot string) error {
	entries, err := readHistory(history)
	if err != nil {
		return err
	}
	svg, err := plotSVG(entries)
	if err != nil {
		return err
	}
	return os.WriteFile(plot, svg, 0o644)
}

func appendEntry(path string, e entry) error {
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

// readHistory reads a history, oldest first. One that is not there has no entries.
func readHistory(path string) ([]entry, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []entry
	for line := range bytes.Lines(text) {
		var e entry
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

// cpuModel is the name of the processor; "" where the system does not tell.
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
