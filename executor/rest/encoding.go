package rest

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	nethttp "net/http"
	"strings"

	"github.com/andybalholm/brotli"

	"github.com/abl-lsp/abl-lsp/executor"
)

// encodings are the content encodings that are decoded. Requests ask only for gzip, but some
// servers answer in others.
var encodings = map[string]func(io.Reader) (io.Reader, error){
	"gzip":    func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"deflate": inflate,
	"br":      func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
}

// inflate returns a reader for the encoding "deflate", with the zlib header that the standard
// demands, or without it, as some servers send it.
func inflate(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	head, err := buffered.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(buffered)
	}
	return flate.NewReader(buffered), nil
}

// decoder reads a compressed body.
type decoder struct {
	host string
	wire rawBody
	text io.Reader
}

// body returns a reader of the response's body, decompressed. The caller still closes resp.Body.
func body(resp *nethttp.Response) (io.Reader, error) {
	name := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding")))
	if name == "" || name == "identity" {
		return resp.Body, nil
	}
	host := resp.Request.URL.Host
	decode, ok := encodings[name]
	if !ok {
		return nil, executor.Errorf(executor.KindRemote, "content-encoding", "%s answered in the encoding %q, which nobody asked for", host, name)
	}
	d := &decoder{host: host, wire: rawBody{Reader: resp.Body}}
	var err error
	if d.text, err = decode(&d.wire); err != nil && !d.wire.began {
		return resp.Body, nil
	}
	return d, d.fault(err)
}

func (d *decoder) Read(p []byte) (int, error) {
	n, err := d.text.Read(p)
	return n, d.fault(err)
}

// fault returns the error for a failure to decompress. A failure to read the compressed bytes is
// returned as it is. A body without any bytes is empty in every encoding: the error is io.EOF.
func (d *decoder) fault(err error) error {
	switch {
	case err == nil, errors.Is(err, io.EOF), d.wire.err != nil:
		return err
	case !d.wire.began:
		return io.EOF
	}
	return Miscoded(d.host)
}

// Miscoded returns the error for a host whose answer is not compressed as its header
// says.
func Miscoded(host string) *executor.Error {
	return executor.Errorf(executor.KindRemote, "content-encoding", "%s: the response is not compressed as its header says", host)
}

// rawBody reads the compressed bytes. It remembers whether there were any, and a failure to read
// them.
type rawBody struct {
	io.Reader
	began bool
	err   error
}

func (w *rawBody) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.began = w.began || n > 0
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}
