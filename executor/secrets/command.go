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

// Command is a Provider that runs a program. The program gets the name of the secret as its last
// word and prints the value; it fails if it has none. It gets the environment of this process, by
// which such programs find their stores.
type Command struct {
	Words []string
	Dir   string // the working directory
}

// patience is how long a person may take to unlock a store.
const patience = time.Minute

// maxValue is the most bytes that the program may print.
const maxValue = 1 << 20

// Lookup runs the program and returns what it prints, without the line breaks at the end. It
// returns false if the program prints nothing. It does not run the program for a name that the
// program would read as an option, and returns false. A program that fails is an error.
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
