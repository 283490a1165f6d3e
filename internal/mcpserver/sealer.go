package mcpserver

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// sealer lets a client keep the person's answers between the rounds of a call, so that the server
// keeps no dialogue. A seal protects them, so that nothing counts as confirmed that was not asked.
// It is valid for one caller, one tool and one set of arguments, and for stateLifetime. Servers with
// the same key accept each other's seals.
type sealer struct {
	key [sha256.Size]byte
	now func() time.Time // nil: the time of this machine
}

// stateLifetime is how long a person may take to answer.
const stateLifetime = 10 * time.Minute

// newSealer returns a sealer with the key that text gives, or with a random key if text is empty.
func newSealer(text string) *sealer {
	s := new(sealer)
	if text == "" {
		_, _ = rand.Read(s.key[:]) // never fails
		return s
	}
	s.key = sha256.Sum256([]byte("abl-lsp requestState\n" + text))
	return s
}

// stateError returns the error for a state that does not belong to the call.
func stateError(text string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: text}
}

// sealQuestions returns the result of a call that waits for answers.
func (s *sealer) sealQuestions(call *sdk.CallToolRequest, earlier answers, all []question) (*sdk.CallToolResult, error) {
	earlier.Open, earlier.Expires = all, s.time().Add(stateLifetime).Unix()
	raw, err := json.Marshal(earlier)
	if err != nil {
		return nil, err
	}
	requests := sdk.InputRequestMap{}
	for _, q := range all {
		requests[q.ID] = q.params
	}
	sealed := base64.RawURLEncoding.EncodeToString(raw) + "." + base64.RawURLEncoding.EncodeToString(s.sealOf(call, raw))
	return &sdk.CallToolResult{InputRequests: requests, RequestState: sealed}, nil
}

// openState returns the person's answers of earlier rounds, with those of this round. They
// are empty if the call has no state. A question that the client has left out stays open. The error
// says that the state is not one that was sealed for this call, or that it is too old.
func (s *sealer) openState(call *sdk.CallToolRequest) (answers, error) {
	var all answers
	if call.Params.RequestState == "" {
		return all, nil
	}
	body, sum, _ := strings.Cut(call.Params.RequestState, ".")
	raw, err := base64.RawURLEncoding.DecodeString(body)
	seal, also := base64.RawURLEncoding.DecodeString(sum)
	if errors.Join(err, also) != nil || !hmac.Equal(seal, s.sealOf(call, raw)) || json.Unmarshal(raw, &all) != nil {
		return answers{}, stateError("the requestState is not one that this server has given for this call: call again without it")
	}
	if s.time().Unix() > all.Expires {
		return answers{}, stateError("the requestState is older than ten minutes: call again without it")
	}
	open := all.Open
	all.Open = nil
	for _, q := range open {
		switch result := call.Params.InputResponses[q.ID].(type) {
		case nil:
			if q.Input != "" { // the other server waits for all its answers
				all.addAnswer(q, nil)
			}
		case *sdk.ElicitResult:
			all.addAnswer(q, result)
		default:
			return answers{}, stateError(fmt.Sprintf("the response %s is not one to elicitation/create", q.ID))
		}
	}
	return all, nil
}

// sealOf returns the seal of answers, which is valid only for this very call.
func (s *sealer) sealOf(call *sdk.CallToolRequest, raw []byte) []byte {
	h := hmac.New(sha256.New, s.key[:])
	fmt.Fprintf(h, "%q %q %q %q", callerOf(call.Extra), call.Params.Name, canonicalJSON(call.Params.Arguments), raw)
	return h.Sum(nil)
}

func (s *sealer) time() time.Time {
	if s.now != nil {
		return s.now()
	}
	return time.Now()
}

// canonicalJSON returns a JSON text without white space and with sorted keys: a client may write its
// arguments in another way when it calls again. Numbers stay as they were written.
func canonicalJSON(raw json.RawMessage) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return raw
	}
	canonical, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return canonical
}

// callerOf names who sends a request: by the token with which the client signed in to this server, and
// by the identity tokens that it sends along. It is "" for a caller that nothing tells apart.
func callerOf(extra *sdk.RequestExtra) string {
	if extra == nil {
		return ""
	}
	caller := ""
	if t := extra.TokenInfo; t != nil {
		caller = strconv.Quote(t.UserID)
	}
	for _, name := range slices.Sorted(maps.Keys(extra.Header)) {
		if isTokenHeader(name) {
			caller += fmt.Sprintf(" %s=%q", http.CanonicalHeaderKey(name), subjectOf(extra.Header.Get(name)))
		}
	}
	return caller
}

// isTokenHeader reports whether a header may have an identity token.
func isTokenHeader(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), tokenHeader(""))
}

// subjectOf returns whom an identity token names, since a client may send a newer token of the same
// person. It does not check the token: the run does. For a token of another kind it returns the token.
func subjectOf(token string) string {
	token = strings.TrimPrefix(token, "Bearer ")
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return token
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims map[string]any // the names of claims are case-sensitive
	if err != nil || json.Unmarshal(raw, &claims) != nil {
		return token
	}
	issuer, _ := claims["iss"].(string)
	subject, _ := claims["sub"].(string)
	if subject == "" {
		return token
	}
	return cmp.Or(issuer, "-") + " " + subject
}
