package lambda

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/abl-lsp/abl-lsp/executor"
	"github.com/abl-lsp/abl-lsp/executor/rest"
)

// api serves the Runtime API of AWS Lambda, which functions ask for their calls. Only the started
// process knows the address, and an answer must name the id of its call, which no one else knows.
// A request that comes from a web page names its site, and is refused. Node's own fetch names only
// a mode, so it is allowed.
func (i *instance) api(address string) http.Handler {
	const root = "/2018-06-01/runtime/"
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+root+"invocation/next", i.next)
	mux.HandleFunc("POST "+root+"invocation/{id}/response", i.response)
	mux.HandleFunc("POST "+root+"invocation/{id}/error", i.failure)
	mux.HandleFunc("POST "+root+"init/error", i.initFailure)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != address || r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != "" {
			writeError(w, http.StatusForbidden, "Forbidden", "this is a function's own")
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// next responds with the next call. It waits until there is one.
func (i *instance) next(w http.ResponseWriter, r *http.Request) {
	select {
	case v := <-i.queue:
		v.delivered.Store(true)
		i.mu.Lock()
		i.current = v
		i.mu.Unlock()
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Lambda-Runtime-Aws-Request-Id", v.id)
		h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(v.deadline.UnixMilli(), 10))
		h.Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:local:000000000000:function:"+i.name)
		_, _ = w.Write(v.payload) // the end of the process is noticed elsewhere
	case <-r.Context().Done():
	}
}

// takeInvocation returns the invocation that an answer is for, and marks it as
// answered. It writes an error and returns nil if there is none.
func (i *instance) takeInvocation(w http.ResponseWriter, r *http.Request) *invocation {
	i.mu.Lock()
	v := i.current
	if v != nil && r.PathValue("id") == v.id {
		i.current = nil
		i.mu.Unlock()
		return v
	}
	i.mu.Unlock()
	writeError(w, http.StatusBadRequest, "InvalidRequestID", "no call has this id, or it was answered")
	return nil
}

func (i *instance) response(w http.ResponseWriter, r *http.Request) {
	v := i.takeInvocation(w, r)
	if v == nil {
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, v.max))
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		v.answer <- answer{err: executor.Errorf(executor.KindLimit, "response-size", "the answer of %s is larger than %s", i.name, rest.Size(tooLarge.Limit))}
		writeError(w, http.StatusRequestEntityTooLarge, "Function.ResponseSizeTooLarge", "the answer is too large")
		return
	}
	switch kind := r.Trailer.Get(errorType); {
	case err != nil:
		v.answer <- answer{err: executor.Errorf(executor.KindRemote, "function-answer", "the answer of %s broke off: %w", i.name, err)}
	case kind != "": // it failed while it answered
		errorBody, _ := base64.StdEncoding.DecodeString(r.Trailer.Get("Lambda-Runtime-Function-Error-Body"))
		v.answer <- answer{failed: true, kind: kind, body: errorBody}
	default:
		v.answer <- answer{body: body}
	}
	w.WriteHeader(http.StatusAccepted)
}

// errorType is the header or trailer that names the type of an error.
const errorType = "Lambda-Runtime-Function-Error-Type"

func (i *instance) failure(w http.ResponseWriter, r *http.Request) {
	if v := i.takeInvocation(w, r); v != nil {
		v.answer <- readAnswer(w, r)
		w.WriteHeader(http.StatusAccepted)
	}
}

// initFailure receives the error of a function that could not begin.
func (i *instance) initFailure(w http.ResponseWriter, r *http.Request) {
	select {
	case i.initFailed <- readAnswer(w, r):
	default: // only the first report counts
	}
	w.WriteHeader(http.StatusAccepted)
}

func readAnswer(w http.ResponseWriter, r *http.Request) answer {
	body, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, maxFailure)) // the beginning is enough
	return answer{failed: true, kind: r.Header.Get(errorType), body: body}
}

func writeError(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"errorType": %q, "errorMessage": %q}`, kind, message)
}

// uuid returns a random id for a call.
func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
