package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/abl-lsp/abl-lsp/internal/conformance"
)

// asHelper is the variable that makes the test binary an ordinary program.
const asHelper = "ABL_CLI_HELPER"

// asMode returns the variables that make the test binary a program in a mode.
func asMode(mode string) map[string]string {
	return map[string]string{asHelper: mode, "GORACE": "atexit_sleep_ms=0"} // or it would take a second to end
}

func TestMain(m *testing.M) {
	if mode := os.Getenv(asHelper); mode != "" {
		note()
		os.Exit(helper(mode, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// note adds a line to a file, so that a test can count the runs.
func note() {
	name := os.Getenv("ABL_CLI_NOTES")
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(f, os.Getpid())
	f.Close()
}

func helper(mode string, args []string) int {
	switch mode {
	case "words":
		shortValue(args)
	case "echo":
		echo(args)
	case "environment":
		shortValue(os.Environ())
	case "folder":
		dir, err := os.Getwd()
		if err != nil {
			panic(err)
		}
		fmt.Print(dir)
	case "hang":
		signal.Ignore(os.Interrupt)
		select {}
	case "family":
		family()
	case "flood":
		chunk := strings.Repeat("x", 1<<20)
		for range 1024 {
			if _, err := fmt.Print(chunk); err != nil {
				return 0
			}
		}
	case "refuse":
		fmt.Print(strings.Repeat("o", 3000))
		fmt.Fprint(os.Stderr, strings.Repeat("e", 3000)+"\nno such pod\n")
		return 3
	case "leak", "broken":
		shortValue(map[string]any{"list": conformance.Encodings(), os.Getenv("TOKEN"): true})
		if mode == "broken" {
			fmt.Fprintln(os.Stderr, os.Getenv("TOKEN"))
			return 1
		}
	case "print":
		n, err := strconv.Atoi(args[1])
		if err != nil {
			panic(err)
		}
		fmt.Print(strings.Repeat("ü", n))
	case "rows":
		fmt.Print(`[{"name": "a", "n": 12345678901234567890}, {"name": "b"}]`)
	case "nothing":
	case "bytes":
		os.Stdout.Write([]byte("a\xffb"))
		fmt.Fprint(os.Stderr, "a note")
	}
	return 0
}

// family starts a child that lives long, and writes down its number.
func family() {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), asHelper+"=hang")
	if err := child.Start(); err != nil {
		panic(err)
	}
	os.WriteFile(os.Getenv("ABL_CLI_CHILD"), []byte(strconv.Itoa(child.Process.Pid)), 0o600)
	time.Sleep(time.Hour)
}

// echo prints the options as a JSON object, with numbers unchanged.
func echo(args []string) {
	out := map[string]any{}
	if len(args) == 1 { // of a tool without parameters
		out["input"] = args[0]
	}
	for i := 0; i+1 < len(args); i += 2 {
		var v any = args[i+1]
		if name := args[i]; name == "--n" {
			v = json.RawMessage(args[i+1])
		}
		out[strings.TrimPrefix(args[i], "--")] = v
	}
	shortValue(out)
}

// shortValue returns a value as a message shows it.
func shortValue(v any) {
	w := bufio.NewWriter(os.Stdout)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	w.Flush()
}
