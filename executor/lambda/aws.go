package lambda

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	sdk "github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"
	"github.com/aws/smithy-go"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/dial"
	"github.com/abl-lsp/abl-lsp/executor/rest"
)

// cloud runs functions of AWS Lambda.
type cloud struct{ dialer *dial.Dialer }

// place is where a function of AWS is.
type place struct{ name, region, endpoint string }

func (c functionCall) place() (place, error) {
	var p place
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
		if _, refused := errors.AsType[*dial.Refused](err); !refused {
			err = executor.DefinitionError("function", "%s: %w", c.property("endpoint"), err)
		}
		return p, err
	}
	if u.Scheme+u.Port() == "http80" || u.Scheme+u.Port() == "https443" { // the SDK cuts it off wrongly
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	p.endpoint = u.String()
	return p, nil
}

func (cloud) preview(c functionCall) (shown, error) {
	p, err := c.place()
	return shown{Name: p.name, Region: p.region, Endpoint: p.endpoint}, err
}

// reach is the host of the region. Where only the person's own files name that, it
// is held to the project's permissions when it is asked.
func (cloud) reach(c functionCall) (executor.Reach, error) {
	p, err := c.place()
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
	return executor.Reach{Accesses: executor.WebAccesses(http.MethodPost, u), Receiver: u.Hostname()}, nil
}

func (cloud) secrets(c functionCall) ([]string, error) {
	return written(c.function.Name, c.function.Region, c.function.Endpoint), nil
}

// run calls the function once.
func (a cloud) run(ctx context.Context, c functionCall) (executor.Result, error) {
	p, err := c.place()
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
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { t.sent.Store(true) },
	})
	out, err := t.client(who, p).Invoke(ctx, &sdk.InvokeInput{FunctionName: &p.name, Payload: payload, LogType: types.LogTypeTail})
	if err != nil {
		return executor.Result{Status: status(err)}, t.fault(err)
	}
	result := executor.Result{Status: int(out.StatusCode)}
	if tail, err := base64.StdEncoding.DecodeString(aws.ToString(out.LogResult)); err == nil {
		result.Console = strings.ToValidUTF8(string(tail), "\ufffd")
	}
	if out.FunctionError != nil {
		return result, c.failure(*out.FunctionError, out.Payload)
	}
	c.take(&result, out.Payload)
	return result, nil
}

// transport is the SDK's way out: guarded, held to the project's permissions, and
// capped.
type transport struct {
	base http.RoundTripper
	call functionCall
	sent atomic.Bool // the other side may have begun
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := t.call.Permit(executor.WebAccesses(r.Method, r.URL)...); err != nil {
		return nil, err
	}
	r, err := ownBody(r)
	if err != nil {
		return nil, err
	}
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	resp.Body = &capped{ReadCloser: resp.Body, left: t.call.max(), call: t.call}
	return resp, nil
}

// ownBody is a request with a body that only the connection reads. The SDK closes its
// own as soon as there is an answer, and where that comes before the connection has
// seen the end of the body, the connection breaks with the answer in it.
func ownBody(r *http.Request) (*http.Request, error) {
	if r.Body == nil {
		return r, nil
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r, nil
}

// capped is a body that fails when it is too large.
type capped struct {
	io.ReadCloser
	left int64
	call functionCall
}

func (b *capped) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, executor.Errorf(executor.KindLimit, "response-size", "the answer of %s is larger than %s", b.call.name, rest.Size(b.call.max()))
	}
	return n, err
}

// client calls as the person. It follows no redirects and tries nothing again.
func (t *transport) client(a account, p place) *sdk.Client {
	o := sdk.Options{
		Region:      cmp.Or(p.region, a.region),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return a.keys, nil }),
		HTTPClient:  &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		Retryer:     aws.NopRetryer{},
	}
	if p.endpoint != "" {
		o.BaseEndpoint = &p.endpoint
	}
	return sdk.New(o)
}

// fault gives an error of the SDK its kind.
func (t *transport) fault(err error) error {
	if known := executor.Known(err); known != nil {
		return known
	}
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		e := executor.Errorf(executor.KindRemote, "aws-"+api.ErrorCode(), "AWS did not call %s: %s", t.call.name, cmp.Or(t.call.Redact(api.ErrorMessage()), api.ErrorCode()))
		e.Status, e.RetryAfter = status(err), retryAfter(err)
		e.Details = map[string]any{"status": e.Status, "errorType": api.ErrorCode()}
		return e
	}
	return executor.NetworkError(t.call.name, err, t.sent.Load())
}

func status(err error) int {
	if r, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		return r.HTTPStatusCode()
	}
	return 0
}

// retryAfter is how long AWS asks to wait where there are too many calls.
func retryAfter(err error) time.Duration {
	busy, ok := errors.AsType[*types.TooManyRequestsException](err)
	if !ok {
		return 0
	}
	seconds, err := strconv.ParseUint(aws.ToString(busy.RetryAfterSeconds), 10, 16)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
