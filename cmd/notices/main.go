// Command notices writes the licences of all parts of a release:
//
//	notices [FOLDER...]    of the program, and of these packages of npm
//
// The parts are Go, the modules that cmd/abl-lsp links on this platform, and the packages
// that the sandbox is made of, if it is included. Nothing is written if a part has no
// licence, or one that is not known to be permissive.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folders []string, out io.Writer) error {
	parts, err := allParts(ctx, ".")
	if err != nil {
		return err
	}
	for _, folder := range folders {
		one, err := npmPart(folder)
		if err != nil {
			return err
		}
		parts = append(parts, one)
	}
	for _, one := range parts {
		if err := one.check(); err != nil {
			return err
		}
	}
	return writeNotices(out, parts)
}

// writeNotices writes each text once, below the names of all parts that have exactly this
// text.
func writeNotices(out io.Writer, parts []part) error {
	owners := map[string][]string{}
	var contents []string
	for _, one := range parts {
		for _, text := range one.texts {
			if owners[text.content] == nil {
				contents = append(contents, text.content)
			}
			owners[text.content] = append(owners[text.content], one.name+", "+text.name)
		}
	}
	w := bufio.NewWriter(out)
	fmt.Fprint(w, "What abl-lsp carries of others, and under which licences: each text holds for all that are named above it.\n")
	for _, content := range contents {
		fmt.Fprintf(w, "\n%s\n%s\n\n%s\n", line, strings.Join(owners[content], "\n"), content)
	}
	return w.Flush()
}

const line = "--------------------------------------------------------------------------------"
