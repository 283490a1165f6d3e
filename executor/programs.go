package executor

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
)

// localPrograms returns the paths of the local files that the call and its verification run.
func (r *run) localPrograms() []string {
	all := r.reach.Programs
	if r.verification != nil {
		all = slices.Concat(all, r.verification.reach.Programs)
	}
	return all
}

// uncoveredByConfirmation describes what a confirmation of the call and its verification does
// not cover.
func (r *run) uncoveredByConfirmation() []string {
	all := r.reach.Uncovered
	if r.verification != nil {
		all = slices.Concat(all, r.verification.reach.Uncovered)
	}
	return slices.Compact(slices.Clone(all))
}

// contentHashes returns the hash of each file's content, by path. If a file cannot be read, it
// has the error's text instead; the run will report the error.
func contentHashes(files []string) map[string]string {
	all := make(map[string]string, len(files))
	for _, path := range files {
		sum, err := contentHash(path)
		if err != nil {
			sum = err.Error()
		}
		all[path] = sum
	}
	return all
}

func contentHash(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() { // a pipe would wait for a writer
		return "", fmt.Errorf("%s is no plain file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
