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

// encodings are the ways in which a server may write a body. It is asked for gzip; some
// servers answer in others without being asked.
var encodings = map[string]func(io.Reader) (io.Reader, error){
	"gzip":    func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"deflate": inflate,
	"br":      func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
}

// inflate reads what is called deflate: with the frame of zlib, as it should be,
// and without, as some servers have it.
func inflate(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	head, err := buffered.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(buffered)
	}
	return flate.NewReader(buffered), nil
}

// decoder is a body on its way through a decoding.
type decoder struct {
	host string
	wire rawBody
	text io.Reader
}

// body is the answer's, readable.
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

// fault says of an error that the body, which came as it was sent, is not what
// its header says. One of no bytes is no body, in any encoding.
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

// rawBody keeps what went wrong below a decoding.
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
