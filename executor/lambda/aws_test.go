package lambda_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/lambda"
	"github.com/abl-lsp/abl-lsp/internal/conformance"
	"github.com/abl-lsp/abl-lsp/tool"
)

const (
	keyID      = "AKIDEXAMPLE"
	secretKey  = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
	sessionKey = "FwoGZXIvYXdzEXAMPLETOKEN//////////"
)

// credentials sets the AWS credentials of a person, and removes all other AWS settings.
func credentials(t *testing.T) {
	for _, name := range []string{
		"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_LAMBDA",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN",
	} {
		t.Setenv(name, "")
		os.Unsetenv(name)
	}
	none := filepath.Join(t.TempDir(), "none")
	t.Setenv("AWS_CONFIG_FILE", none)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", none)
	t.Setenv("AWS_ACCESS_KEY_ID", keyID)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secretKey)
}

// emulator answers the Invoke requests of AWS Lambda with functions of this machine.
type emulator struct {
	*httptest.Server
	calls atomic.Int64
	last  atomic.Pointer[http.Request]
}

func newEmulator(t *testing.T) (*emulator, *fixture) {
	local := newFixture(t, lambda.Options{})
	e := &emulator{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /2015-03-31/functions/{name}/invocations", func(w http.ResponseWriter, r *http.Request) {
		e.calls.Add(1)
		e.last.Store(r)
		if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential="+keyID+"/") {
			refuseCall(w, 403, "UnrecognizedClientException", "The security token included in the request is invalid.")
			return
		}
		name := r.PathValue("name")
		name = name[strings.LastIndexByte(name, ':')+1:]
		if _, ok := local.functions[name]; !ok {
			refuseCall(w, 404, "ResourceNotFoundException", "Function not found: "+name)
			return
		}
		if name == "throttled" {
			w.Header().Set("Retry-After", "3")
			refuseCall(w, 429, "TooManyRequestsException", "Rate Exceeded.")
			return
		}
		local.answer(w, r, name)
	})
	e.Server = httptest.NewServer(mux)
	t.Cleanup(e.Close)
	return e, local
}

func refuseCall(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("X-Amzn-ErrorType", kind)
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"Type": "User", "Message": message})
}

// answer runs a function. The HTTP status is a success even if the function fails.
func (r *fixture) answer(w http.ResponseWriter, req *http.Request, name string) {
	if name == "flood" {
		io.Copy(w, io.LimitReader(zeros{}, 1<<30))
		return
	}
	payload, _ := io.ReadAll(req.Body)
	tl := call(name)
	tl.Params = nil
	for _, p := range append(conformance.Params(), tool.Param{Name: "input"}, tool.Param{Name: "user.id", Type: &tool.Type{Name: "any"}}) {
		p.Optional = true // what comes has been checked
		tl.Params = append(tl.Params, p)
	}
	run := r.request(tl)
	run.Args = payload
	run.Secrets = map[string]string{conformance.Secret: "x"}
	e := r.Run(req.Context(), run)
	if strings.EqualFold(req.Header.Get("X-Amz-Log-Type"), "Tail") {
		w.Header().Set("X-Amz-Log-Result", base64.StdEncoding.EncodeToString([]byte(e.Console[max(0, len(e.Console)-4096):])))
	}
	w.Header().Set("X-Amz-Executed-Version", "$LATEST")
	if e.OK {
		w.Write(e.Value)
		return
	}
	w.Header().Set("X-Amz-Function-Error", "Unhandled")
	json.NewEncoder(w).Encode(e.Error.Details)
}

func (e *emulator) host() string { return e.Listener.Addr().String() }

// over returns a rig that calls the same functions through AWS.
func (e *emulator) over(r *fixture) *fixture {
	functions := map[string]tool.Function{}
	for name := range r.functions {
		functions[name] = tool.Function{Provider: "aws", Name: name, Region: "eu-west-1", Endpoint: e.URL}
	}
	return &fixture{Executor: r.Executor, functions: functions, listener: r.listener}
}

func (r *fixture) call(t *testing.T, e *emulator, function string) executor.Envelope {
	t.Helper()
	req := r.request(call(function))
	req.AllowHosts = []string{e.host()}
	return r.Run(t.Context(), req)
}

func TestConformanceOfAWS(t *testing.T) {
	credentials(t)
	emulator, local := newEmulator(t)
	r := emulator.over(local)
	conformance.Run(t, conformance.Kind{
		Runner: newRunner(t, lambda.Options{}),
		Request: executor.Request{
			AllowHosts:  []string{emulator.host()},
			Environment: executor.Environment{Functions: r.functions},
		},
		Echo:        call("echo"),
		Write:       mutating("echo"),
		Hang:        call("hang"),
		Flood:       call("flood"),
		Refuse:      call("refuse"),
		Calls:       func() int { return int(emulator.calls.Load()) },
		HangArrived: r.listener.hanging,
		SkipReasons: map[string]string{
			"Preview": "nothing of the project goes to AWS but the payload; TestPreview shows it",
			"Secrets": "those of AWS are tested in TestAWSSecrets",
		},
	})
}

// TestAWSFunctionError checks that a failure that a function reports is an error although the
// status is 200, and that the end of its log is the console.
func TestAWSFunctionError(t *testing.T) {
	credentials(t)
	emulator, local := newEmulator(t)
	r := emulator.over(local)
	e := r.call(t, emulator, "panic")
	wants(t, e, executor.KindRemote, "function-error", "panic failed: out of paper")
	if e.Error.Details["errorType"] != "string" || e.Error.Details["stackTrace"] == nil || e.Attempts[0].Status != 200 {
		t.Errorf("%v, attempts %v", e.Error.Details, e.Attempts)
	}
	if !strings.Contains(e.Console, "out of paper") {
		t.Errorf("console %q", e.Console)
	}
	e = r.call(t, emulator, "count")
	if !e.OK || !strings.HasPrefix(e.Console, "call 1\nof ") || e.ContentType != "application/json" {
		t.Errorf("%+v, console %q", e.Error, e.Console)
	}
}

func TestAWSRefusals(t *testing.T) {
	credentials(t)
	emulator, local := newEmulator(t)
	local.functions["throttled"] = tool.Function{}
	r := emulator.over(local)
	r.functions["gone"] = tool.Function{Provider: "aws", Name: "gone", Region: "eu-west-1", Endpoint: emulator.URL}
	r.functions["arn"] = tool.Function{Provider: "aws", Name: "arn:aws:lambda:eu-central-1:123456789012:function:echo", Endpoint: emulator.URL}
	e := r.call(t, emulator, "gone")
	wants(t, e, executor.KindRemote, "aws-ResourceNotFoundException", "AWS did not call gone: Function not found: gone")
	if e.Attempts[0].Status != 404 {
		t.Errorf("%v", e.Attempts)
	}
	before := emulator.calls.Load()
	e = r.call(t, emulator, "throttled")
	wants(t, e, executor.KindRemote, "aws-TooManyRequestsException", "Rate Exceeded")
	if got := emulator.calls.Load() - before; got != 1 {
		t.Errorf("%d calls: it was tried again", got)
	}
	if e := r.call(t, emulator, "arn"); !e.OK || !strings.Contains(emulator.last.Load().Header.Get("Authorization"), "/eu-central-1/lambda/") {
		t.Errorf("%+v, %s", e.Error, emulator.last.Load().Header)
	}
	if got := emulator.last.Load().UserAgent(); got != "abl-lsp" {
		t.Errorf("it calls itself %q", got)
	}
	if got, want := emulator.last.Load().RequestURI, "/2015-03-31/functions/arn%3Aaws%3Alambda%3Aeu-central-1%3A123456789012%3Afunction%3Aecho/invocations"; got != want {
		t.Errorf("asked for %s, want %s", got, want)
	}
	emulator.Close()
	if e := r.call(t, emulator, "echo"); e.OK || e.Error.Kind != executor.KindNetwork || !strings.HasPrefix(e.Error.Message, "echo: ") {
		t.Errorf("%+v", e.Error) // lost or not connected, by whether a connection was still there
	}
}

// TestAWSSharedFiles checks that the region and the credentials may be in the person's own files.
func TestAWSSharedFiles(t *testing.T) {
	credentials(t)
	emulator, local := newEmulator(t)
	r := emulator.over(local)
	r.functions["echo"] = tool.Function{Provider: "aws", Name: "echo", Endpoint: emulator.URL}
	wants(t, r.call(t, emulator, "echo"), executor.KindDefinition, "function", "functions.echo.region is missing")
	os.Unsetenv("AWS_ACCESS_KEY_ID")
	os.Unsetenv("AWS_SECRET_ACCESS_KEY")
	file := filepath.Join(t.TempDir(), "config")
	text := fmt.Sprintf("[profile work]\nregion = us-west-2\naws_access_key_id = %s\naws_secret_access_key = %s\n", keyID, secretKey)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_CONFIG_FILE", file)
	t.Setenv("AWS_PROFILE", "work")
	if e := r.call(t, emulator, "echo"); !e.OK || !strings.Contains(emulator.last.Load().Header.Get("Authorization"), "/us-west-2/lambda/") {
		t.Errorf("%+v", e.Error)
	}
	t.Setenv("AWS_PROFILE", "none")
	wants(t, r.call(t, emulator, "echo"), executor.KindDefinition, "aws-config", "none")
}

// TestAWSProfiles checks profiles that name a program which prints the credentials, or a sign-in,
// which is not supported.
func TestAWSProfiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script for sh")
	}
	credentials(t)
	os.Unsetenv("AWS_ACCESS_KEY_ID")
	emulator, local := newEmulator(t)
	r := emulator.over(local)
	file := filepath.Join(t.TempDir(), "config")
	t.Setenv("AWS_CONFIG_FILE", file)
	profile := func(text string) {
		if err := os.WriteFile(file, []byte("[default]\n"+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	profile(`credential_process = printf '{"Version": 1, "AccessKeyId": "` + keyID + `", "SecretAccessKey": "` + secretKey + `", "SessionToken": "` + sessionKey + `"}'`)
	if e := r.call(t, emulator, "echo"); !e.OK || emulator.last.Load().Header.Get("X-Amz-Security-Token") != sessionKey {
		t.Errorf("%+v", e.Error)
	}
	profile("credential_process = echo " + secretKey)
	e := r.call(t, emulator, "echo")
	wants(t, e, executor.KindDefinition, "aws-credentials", "prints no credentials")
	if text, err := json.Marshal(e); err != nil || strings.Contains(string(text), secretKey) {
		t.Errorf("%s", text)
	}
	profile("credential_process = exit 3")
	wants(t, r.call(t, emulator, "echo"), executor.KindDefinition, "aws-credentials", "failed: exit status 3")
	profile("sso_start_url = https://example.awsapps.com/start\nsso_region = eu-west-1\nsso_account_id = 123456789012\nsso_role_name = r")
	e = r.call(t, emulator, "echo")
	wants(t, e, executor.KindDefinition, "aws-credentials", "there are no AWS credentials")
	if !strings.Contains(e.Error.Hint, "export-credentials --profile default") {
		t.Errorf("hint %q", e.Error.Hint)
	}
}

// TestAWSWithoutCredentials checks that the metadata of a machine or container is never asked.
func TestAWSWithoutCredentials(t *testing.T) {
	credentials(t)
	os.Unsetenv("AWS_ACCESS_KEY_ID")
	emulator, local := newEmulator(t)
	r := emulator.over(local)
	var asked atomic.Int64
	container := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(container.Close)
	for name, value := range map[string]string{
		"":                                       "",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/credentials/x",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI":     container.URL,
		"AWS_EC2_METADATA_SERVICE_ENDPOINT":      container.URL,
	} {
		t.Run(name, func(t *testing.T) {
			if name != "" {
				t.Setenv(name, value)
			}
			wants(t, r.call(t, emulator, "echo"), executor.KindDefinition, "aws-credentials", "there are no AWS credentials to call echo with")
		})
	}
	if asked.Load() > 0 || emulator.calls.Load() > 0 {
		t.Errorf("asked %d times, called %d times", asked.Load(), emulator.calls.Load())
	}
}

// TestAWSSecrets checks that AWS's secrets are removed if a function returns them.
func TestAWSSecrets(t *testing.T) {
	credentials(t)
	t.Setenv("AWS_SESSION_TOKEN", sessionKey)
	emulator, local := newEmulator(t)
	r := emulator.over(local)
	req := r.request(call("echo"))
	req.AllowHosts = []string{emulator.host()}
	req.Args, _ = json.Marshal(map[string]string{"text": secretKey + " " + sessionKey + " " + keyID})
	e := r.Run(t.Context(), req)
	if want := `{"text":"••••(AWS_SECRET_ACCESS_KEY) ••••(AWS_SESSION_TOKEN) ` + keyID + `"}`; string(e.Value) != want {
		t.Errorf("%s, want %s: %+v", e.Value, want, e.Error)
	}
	if got := emulator.last.Load().Header.Get("X-Amz-Security-Token"); got != sessionKey {
		t.Errorf("token %q", got)
	}
}
