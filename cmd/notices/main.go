// Command notices writes the licences of all that is inside of what is released:
//
//	notices [FOLDER...]    of the program, and of these packages of npm
//
// These are Go, the modules that cmd/abl-lsp links on this platform, and the packages
// that the sandbox is made of, where it is there. It writes nothing where one has no
// licence, or one that is not known to be permissive.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folders []string, out io.Writer) error {
	parts, err := inside(ctx, ".")
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
	return write(out, parts)
}

func write(out io.Writer, parts []part) error {
	w := bufio.NewWriter(out)
	fmt.Fprint(w, "What abl-lsp carries of others, and under which licences.\n")
	for _, one := range parts {
		for _, text := range one.texts {
			fmt.Fprintf(w, "\n%s\n%s, %s\n\n%s\n", line, one.name, text.name, text.content)
		}
	}
	return w.Flush()
}

const line = "--------------------------------------------------------------------------------"
