package secrets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/abl-lsp/abl-lsp/executor/process"
)

// Command is a program that prints the value of the secret whose name is its
// last word, and fails where it has none. It has the environment of this
// process, by which such programs find their stores.
type Command struct {
	Words []string
	Dir   string // where it starts
}

// patience is how long a person may take to unlock a store.
const patience = time.Minute

// maxValue is the most bytes that a command may print.
const maxValue = 1 << 20

// Lookup runs the command. A name that it would read as an option is none of
// its.
func (c Command) Lookup(ctx context.Context, name string) (string, bool, error) {
	switch {
	case len(c.Words) == 0:
		return "", false, errors.New("secrets.command is missing in abl.yaml")
	case strings.HasPrefix(name, "-"):
		return "", false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	printed, err := process.Output(ctx, process.Command{Words: append(slices.Clone(c.Words), name), Dir: c.Dir, InheritEnv: true, Max: maxValue})
	if err != nil { // without what the command printed: that may be a secret
		return "", false, fmt.Errorf("the command %s of abl.yaml: %w", c.Words[0], err)
	}
	value := strings.TrimRight(printed, "\r\n")
	return value, value != "", nil
}
