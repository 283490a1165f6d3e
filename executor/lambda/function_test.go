package lambda_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	aws "github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

// TestMain also runs every function of these tests: a program made with AWS's own library, started
// in a role.
func TestMain(m *testing.M) {
	if role, ok := roles[os.Getenv("ROLE")]; ok && os.Getenv("AWS_LAMBDA_RUNTIME_API") != "" {
		if role.begin != nil {
			role.begin()
		}
		aws.Start(func(ctx context.Context, payload json.RawMessage) (any, error) {
			tell("called")
			return role.handle(ctx, payload)
		})
	}
	os.Exit(m.Run())
}

type handler func(ctx context.Context, payload json.RawMessage) (any, error)

type role struct {
	begin  func()
	handle handler
}

var calls = 0 // of this process

var roles = map[string]role{
	"echo":   {handle: func(_ context.Context, payload json.RawMessage) (any, error) { return payload, nil }},
	"hang":   {handle: func(context.Context, json.RawMessage) (any, error) { tell("hanging"); select {} }},
	"flood":  {handle: func(context.Context, json.RawMessage) (any, error) { return &body{io.LimitReader(zeros{}, 1<<30)}, nil }},
	"refuse": {handle: func(context.Context, json.RawMessage) (any, error) { return nil, errors.New("no such page") }},
	"leak": {handle: func(context.Context, json.RawMessage) (any, error) {
		fmt.Println(os.Getenv("TOKEN"))
		return map[string]any{"list": conformance.Encodings(), os.Getenv("TOKEN"): true}, nil
	}},
	"broken": {handle: func(context.Context, json.RawMessage) (any, error) {
		return nil, errors.New(strings.Join(conformance.Encodings(), " "))
	}},
	"panic": {handle: func(context.Context, json.RawMessage) (any, error) { panic("out of paper") }},
	"text":  {handle: func(context.Context, json.RawMessage) (any, error) { return strings.NewReader("no JSON"), nil }},
	"empty": {handle: func(context.Context, json.RawMessage) (any, error) { return strings.NewReader(""), nil }},
	"context": {handle: func(ctx context.Context, _ json.RawMessage) (any, error) {
		lc, _ := lambdacontext.FromContext(ctx)
		deadline, _ := ctx.Deadline()
		return map[string]any{
			"id": lc.AwsRequestID, "arn": lc.InvokedFunctionArn, "left": time.Until(deadline).Seconds(),
			"name": lambdacontext.FunctionName, "env": os.Environ(), "dir": dir(),
		}, nil
	}},
	"count": {handle: func(context.Context, json.RawMessage) (any, error) {
		calls++
		fmt.Println("call", calls)
		fmt.Fprintln(os.Stderr, "of", os.Getpid())
		return map[string]any{"calls": calls, "pid": os.Getpid()}, nil
	}},
	"stream": {handle: func(context.Context, json.RawMessage) (any, error) {
		return io.MultiReader(strings.NewReader(`{"half":`), broken{}), nil
	}},
	"crash": {handle: func(context.Context, json.RawMessage) (any, error) {
		fmt.Println("about to")
		os.Exit(7)
		return nil, nil
	}},
	"bad":    {begin: func() { fmt.Println("no configuration"); os.Exit(3) }},
	"mute":   {begin: func() { tell("hanging"); select {} }},
	"unfit":  {begin: unfit},
	"prints": {handle: prints},
	"forks": {handle: func(context.Context, json.RawMessage) (any, error) {
		cmd := exec.Command("sleep", "600")
		cmd.Stdout = os.Stdout
		err := cmd.Start()
		return cmd.Process.Pid, err
	}},
	"twice":  {begin: twice},
	"forger": {begin: forger},
	"oneshot": {begin: func() { // ends with its first answer
		id, _ := api("GET", "invocation/next", "")
		fmt.Println("once")
		api("POST", "invocation/"+id+"/response", `"once"`)
		os.Exit(0)
	}},
	"chatty": {begin: func() { // goes on printing after its answer
		id, _ := api("GET", "invocation/next", "")
		api("POST", "invocation/"+id+"/response", `"done"`)
		for {
			os.Stdout.Write(bytes.Repeat([]byte("x"), 1<<16))
		}
	}},
	"late": {begin: func() { // answers when its time is over
		id, _ := api("GET", "invocation/next", "")
		time.Sleep(time.Hour)
		api("POST", "invocation/"+id+"/response", `"late"`)
	}},
}

// body is an answer that is not a JSON value. The library sends what it reads from it.
type body struct{ r io.Reader }

func (b *body) Read(p []byte) (int, error) { return b.r.Read(p) }

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

func dir() string { d, _ := os.Getwd(); return d }

func prints(context.Context, json.RawMessage) (any, error) {
	for range 1 << 14 {
		os.Stdout.Write(bytes.Repeat([]byte("x"), 1<<16))
	}
	return "done", nil
}

// api is a client of the Runtime API, for functions that do not use the library.
func api(method, path, body string) (id string, status int) {
	return apiAs("Sec-Fetch-Mode", "cors", method, path, body) // Node's own fetch says so
}

func apiAs(header, says, method, path, body string) (id string, status int) {
	req, err := http.NewRequest(method, "http://"+os.Getenv("AWS_LAMBDA_RUNTIME_API")+"/2018-06-01/runtime/"+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set(header, says)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		os.Exit(9)
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	return resp.Header.Get("Lambda-Runtime-Aws-Request-Id"), resp.StatusCode
}

func unfit() {
	api("POST", "init/error", `{"errorType": "Config", "errorMessage": "TABLE is not set"}`)
	os.Exit(1)
}

// twice answers each call two times.
func twice() {
	for {
		id, _ := api("GET", "invocation/next", "")
		_, first := api("POST", "invocation/"+id+"/response", `"first"`)
		_, second := api("POST", "invocation/"+id+"/response", `"second"`)
		fmt.Println(first, second)
		tell("called")
	}
}

// forger first answers calls that are not its own, and as a page in a browser would.
func forger() {
	for last := "none"; ; {
		id, _ := api("GET", "invocation/next", "")
		_, other := api("POST", "invocation/"+last+"/response", `"forged"`)
		_, wrong := api("POST", "invocation/00000000-0000-4000-8000-000000000000/error", `{}`)
		_, early := api("POST", "invocation/next/response", `"forged"`)
		_, page := apiAs("Sec-Fetch-Site", "cross-site", "POST", "invocation/"+id+"/response", `"forged"`)
		_, old := apiAs("Origin", "null", "POST", "invocation/"+id+"/response", `"forged"`)
		fmt.Println(other, wrong, early, page, old)
		api("POST", "invocation/"+id+"/response", `"own"`)
		last = id
	}
}

// callListener is a server that receives what functions report.
type callListener struct {
	url     string
	server  *httptest.Server
	calls   atomic.Int64
	hanging chan struct{}
}

func newCallListener(t *testing.T) *callListener {
	e := &callListener{hanging: make(chan struct{}, 64)}
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/called":
			e.calls.Add(1)
		case "/hanging":
			e.hanging <- struct{}{}
		}
	}))
	t.Cleanup(s.Close)
	e.url, e.server = s.URL, s
	return e
}

func tell(what string) {
	if url := os.Getenv("EAR"); url != "" {
		if resp, err := http.Get(url + "/" + what); err == nil {
			resp.Body.Close()
		}
	}
}

// function returns an entry of abl.yaml for a function in a role.
func (e *callListener) function(role string) tool.Function {
	return tool.Function{
		Provider: "local",
		Command:  []string{os.Args[0]},
		Env:      map[string]string{"ROLE": role, "EAR": e.url},
	}
}

func (e *callListener) functions() map[string]tool.Function {
	all := map[string]tool.Function{}
	for name := range roles {
		all[name] = e.function(name)
	}
	for _, name := range []string{"leak", "broken"} {
		all[name].Env["TOKEN"] = "{{secrets." + conformance.Secret + "}}"
	}
	return all
}
