package lambda

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/rest"
)

// awsProvider runs functions of AWS Lambda.
type awsProvider struct {
	dialer    *dial.Dialer
	userAgent string
}

// awsFunction is the address of a function of AWS.
type awsFunction struct{ name, region, endpoint string }

func (c functionCall) awsFunction() (awsFunction, error) {
	var p awsFunction
	if c.function.Name == "" {
		return p, executor.DefinitionError("function", "%s is missing: give the function's name or ARN", c.property("name"))
	}
	for _, f := range []struct {
		to             *string
		property, text string
	}{{&p.name, "name", c.function.Name}, {&p.region, "region", c.function.Region}, {&p.endpoint, "endpoint", c.function.Endpoint}} {
		var err error
		if *f.to, err = c.fill(f.property, f.text); err != nil {
			return p, err
		}
	}
	if arn := strings.Split(p.name, ":"); p.region == "" && arn[0] == "arn" && len(arn) > 3 {
		p.region = arn[3]
	}
	if p.endpoint == "" {
		return p, nil
	}
	u, err := dial.ParseURL(p.endpoint)
	if err != nil {
		if _, refused := errors.AsType[*dial.RefusedError](err); !refused {
			err = executor.DefinitionError("function", "%s: %w", c.property("endpoint"), err)
		}
		return p, err
	}
	if u.Scheme+u.Port() == "http80" || u.Scheme+u.Port() == "https443" { // as it is signed
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	p.endpoint = u.String()
	return p, nil
}

func (awsProvider) preview(c functionCall) (callPreview, error) {
	p, err := c.awsFunction()
	return callPreview{Name: p.name, Region: p.region, Endpoint: p.endpoint}, err
}

// reach returns the host of the region. If only the person's own AWS files name the region, the
// project's permissions are checked when the request is sent.
func (awsProvider) reach(c functionCall) (executor.Reach, error) {
	p, err := c.awsFunction()
	if err != nil {
		return executor.Reach{}, err
	}
	u := &url.URL{Scheme: "https", Host: "lambda.amazonaws.com"}
	if region := cmp.Or(p.region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")); region != "" {
		u.Host = "lambda." + region + ".amazonaws.com"
	}
	if p.endpoint != "" {
		if u, err = dial.ParseURL(p.endpoint); err != nil {
			return executor.Reach{}, err
		}
	}
	return executor.Reach{Accesses: executor.WebAccesses(http.MethodPost, u), Receiver: u.Hostname(), Host: u.Host}, nil
}

func (awsProvider) secrets(c functionCall) ([]string, error) {
	return secretNames(c.function.Name, c.function.Region, c.function.Endpoint), nil
}

// run calls the function once.
func (a awsProvider) run(ctx context.Context, c functionCall) (executor.Result, error) {
	p, err := c.awsFunction()
	if err != nil {
		return executor.Result{}, err
	}
	payload, err := c.payload()
	if err != nil {
		return executor.Result{}, err
	}
	who, err := c.account(ctx)
	if err != nil {
		return executor.Result{}, err
	}
	if p.region == "" && who.region == "" {
		return executor.Result{}, executor.DefinitionError("function", "%s is missing: say where the function is, or set AWS_REGION", c.property("region"))
	}
	t := &transport{base: a.dialer.Transport(c.Guard), call: c}
	ctx = executor.TraceRequest(ctx, func() { t.sent.Store(true) })
	out, err := invoke(ctx, t, a.userAgent, who, p, payload)
	if err != nil {
		return executor.Result{Status: out.status}, t.fault(err)
	}
	result := executor.Result{Status: out.status}
	if tail, err := base64.StdEncoding.DecodeString(out.header.Get("X-Amz-Log-Result")); err == nil {
		result.Console = strings.ToValidUTF8(string(tail), "\ufffd")
	}
	if out.functionError != "" {
		return result, c.failure(out.functionError, out.body)
	}
	c.setAnswer(&result, out.body)
	return result, nil
}

// transport sends requests to AWS through the guard. It checks the project's permissions and limits
// the size of answers.
type transport struct {
	base http.RoundTripper
	call functionCall
	sent atomic.Bool // the other side may have begun
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := t.call.Permit(executor.WebAccesses(r.Method, r.URL)...); err != nil {
		return nil, err
	}
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	resp.Body = &cappedBody{ReadCloser: resp.Body, left: t.call.max(), call: t.call}
	return resp, nil
}

// cappedBody is a body whose Read fails when it is too large.
type cappedBody struct {
	io.ReadCloser
	left int64
	call functionCall
}

func (b *cappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, executor.Errorf(executor.KindLimit, "response-size", "the answer of %s is larger than %s", b.call.name, rest.Size(b.call.max()))
	}
	return n, err
}

// fault returns the error of a call as an error with a kind.
func (t *transport) fault(err error) error {
	if known := executor.FindClassified(err); known != nil {
		return known
	}
	if api, ok := errors.AsType[*apiError](err); ok {
		e := executor.Errorf(executor.KindRemote, "aws-"+api.code, "AWS did not call %s: %s", t.call.name, cmp.Or(t.call.Redact(api.message), api.code))
		e.Status, e.RetryAfter = api.status, api.retryAfter
		e.Details = map[string]any{"status": e.Status, "errorType": api.code}
		return e
	}
	return executor.NetworkError(t.call.name, err, t.sent.Load())
}
