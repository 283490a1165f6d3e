package lambda

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/abl-lsp/abl-lsp/executor/dial"
)

// invokeResponse is the response to Invoke of AWS Lambda.
type invokeResponse struct {
	status        int
	header        http.Header
	body          []byte
	functionError string // "": the function did not fail
}

// apiError is an error of AWS itself. The function was not called.
type apiError struct {
	status     int
	code       string
	message    string
	retryAfter time.Duration // the wait that AWS asks for after too many calls; 0: none
}

func (e *apiError) Error() string { return e.code + ": " + e.message }

// invoke calls a function of AWS by one signed request. It follows no redirects and repeats
// nothing. If AWS refuses, the error is an [*apiError].
func invoke(ctx context.Context, roundTripper http.RoundTripper, userAgent string, a account, p awsFunction, payload []byte) (invokeResponse, error) {
	region := cmp.Or(p.region, a.region)
	u, err := invokeURL(p, region)
	if err != nil {
		return invokeResponse{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(payload))
	if err != nil {
		return invokeResponse{}, err
	}
	r.Header.Set("Content-Type", "application/octet-stream")
	r.Header.Set("X-Amz-Log-Type", "Tail")
	r.Header.Set("User-Agent", userAgent)
	hash := sha256.Sum256(payload)
	if err := v4.NewSigner().SignHTTP(ctx, a.keys, r, hex.EncodeToString(hash[:]), "lambda", region, time.Now()); err != nil {
		return invokeResponse{}, fmt.Errorf("sign the call: %w", err)
	}
	client := &http.Client{Transport: roundTripper, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(r)
	if err != nil {
		return invokeResponse{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return invokeResponse{status: resp.StatusCode}, err
	}
	answer := invokeResponse{resp.StatusCode, resp.Header, body, resp.Header.Get("X-Amz-Function-Error")}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return answer, answer.fault()
	}
	return answer, nil
}

// invokeURL returns the URL that calls a function. The function's name is escaped, colons included,
// as the signature requires.
func invokeURL(p awsFunction, region string) (*url.URL, error) {
	base, err := dial.ParseURL(cmp.Or(p.endpoint, "https://lambda."+region+"."+awsDomain(region)))
	if err != nil {
		return nil, err
	}
	const folder, call = "/2015-03-31/functions/", "/invocations"
	u := *base
	u.Path = strings.TrimSuffix(base.Path, "/") + folder + p.name + call
	u.RawPath = strings.TrimSuffix(base.EscapedPath(), "/") + folder + strings.ReplaceAll(url.PathEscape(p.name), ":", "%3A") + call
	return &u, nil
}

// awsDomain returns the domain of AWS that a region belongs to.
func awsDomain(region string) string {
	for _, d := range domains {
		if strings.HasPrefix(region, d.regions) {
			return d.domain
		}
	}
	return "amazonaws.com"
}

// domains are the domains of regions that AWS runs separately, by the prefix of their names.
var domains = []struct{ regions, domain string }{
	{"cn-", "amazonaws.com.cn"},
	{"eusc-", "amazonaws.eu"},
	{"us-iso-", "c2s.ic.gov"},
	{"us-isob-", "sc2s.sgov.gov"},
	{"us-isof-", "csp.hci.ic.gov"},
	{"eu-isoe-", "cloud.adc-e.uk"},
}

// fault returns the error for a refused call. Its code comes from a header or the body, without the
// text up to `#` and after a colon.
func (a invokeResponse) fault() *apiError {
	var reported struct {
		Code    string `json:"code"`
		Type    string `json:"__type"`
		Message string `json:"message"`
	}
	_ = json.Unmarshal(a.body, &reported) // if it is not JSON, there is no code
	code, _, _ := strings.Cut(cmp.Or(a.header.Get("X-Amzn-Errortype"), reported.Code, reported.Type), ":")
	if _, name, ok := strings.Cut(code, "#"); ok {
		code = name
	}
	e := &apiError{status: a.status, code: cmp.Or(code, "UnknownError"), message: reported.Message}
	if seconds, err := strconv.ParseUint(a.header.Get("Retry-After"), 10, 16); err == nil && e.code == "TooManyRequestsException" {
		e.retryAfter = time.Duration(seconds) * time.Second
	}
	return e
}
