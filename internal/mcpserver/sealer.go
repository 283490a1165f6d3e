package mcpserver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// sealer lets a client keep the person's answers between the rounds of a call, so that the server
// keeps no dialogue. A seal protects them, so that nothing counts as confirmed that was not asked.
type sealer struct{ key [32]byte }

var errUnknownState = errors.New("the state of the request is not one that this server has given")

// sealQuestions returns the result of a call that waits for answers.
func (s *sealer) sealQuestions(p *sdk.CallToolParamsRaw, earlier answers, all []question) (*sdk.CallToolResult, error) {
	earlier.Open = all
	raw, err := json.Marshal(earlier)
	if err != nil {
		return nil, err
	}
	requests := sdk.InputRequestMap{}
	for _, q := range all {
		requests[q.ID] = q.params
	}
	sealed := base64.RawURLEncoding.EncodeToString(raw) + "." + base64.RawURLEncoding.EncodeToString(s.sealOf(p, raw))
	return &sdk.CallToolResult{InputRequests: requests, RequestState: sealed}, nil
}

// openState returns the person's answers of earlier rounds, with those of this round. They
// are empty if p has no state. The error is errUnknownState if the state in p is not one
// that this server has sealed for this call.
func (s *sealer) openState(p *sdk.CallToolParamsRaw) (answers, error) {
	var all answers
	if p.RequestState == "" {
		return all, nil
	}
	body, sum, _ := strings.Cut(p.RequestState, ".")
	raw, err := base64.RawURLEncoding.DecodeString(body)
	seal, also := base64.RawURLEncoding.DecodeString(sum)
	if errors.Join(err, also) != nil || !hmac.Equal(seal, s.sealOf(p, raw)) || json.Unmarshal(raw, &all) != nil {
		return answers{}, errUnknownState
	}
	open := all.Open
	all.Open = nil
	for _, q := range open {
		result, _ := p.InputResponses[q.ID].(*sdk.ElicitResult)
		all.addAnswer(q, result)
	}
	return all, nil
}

// sealOf returns the seal of answers, which is valid only for this very call.
func (s *sealer) sealOf(p *sdk.CallToolParamsRaw, raw []byte) []byte {
	h := hmac.New(sha256.New, s.key[:])
	fmt.Fprintf(h, "%q %q %q", p.Name, p.Arguments, raw)
	return h.Sum(nil)
}
