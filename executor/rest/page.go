package rest

import (
	"context"
	"io"
	nethttp "net/http"
	"net/url"

	"github.com/abl-lsp/abl-lsp/executor"
)

// Page is the response for a URL.
type Page struct {
	URL         *url.URL // after redirects
	Status      int
	ContentType string
	Body        io.Reader // decompressed

	resp     *nethttp.Response
	exchange *exchange
}

// Get requests the page at u with the headers in header and without any credential of the project.
// Redirects may lead from http to https. An answer that is no success is an error. The caller must
// close the page.
func (c *Client) Get(ctx context.Context, call executor.Call, u *url.URL, header nethttp.Header) (*Page, error) {
	t := &exchange{
		client:  nethttp.Client{Transport: c.opts.Dialer.Transport(call.Guard)},
		request: &request{method: nethttp.MethodGet, url: u, header: header.Clone()},
		host:    u.Host,
		permit:  call.Permit,
		upgrade: true,
	}
	resp, err := t.open(ctx) //nolint:bodyclose // by Page.Close
	if err != nil {
		return nil, err
	}
	p := &Page{URL: resp.Request.URL, Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"), resp: resp, exchange: t}
	if !isSuccess(resp) {
		defer p.Close()
		return nil, t.statusError(call, resp, executor.NewResponse(resp))
	}
	if p.Body, err = body(resp); err != nil {
		p.Close()
		return nil, t.fault(err)
	}
	return p, nil
}

// Fault returns an error of reading the body as an error with a kind.
func (p *Page) Fault(err error) error { return p.exchange.fault(err) }

// Close closes the connection's response without reading the rest of it.
func (p *Page) Close() { _ = p.resp.Body.Close() }
