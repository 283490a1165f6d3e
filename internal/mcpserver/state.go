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

// sealer lets a client keep what its person has said from one round of a call to the
// next: the server keeps no dialogue. What it brings back is held to the seal, so that
// nothing is confirmed that was not asked.
type sealer struct{ key [32]byte }

var errUnknownState = errors.New("the state of the request is not one that this server has given")

// sealQuestions is the result of a call that waits for answers.
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

// openState is what was said in earlier rounds, with the answers of this one.
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
	asked := all.Open
	all.Open = nil
	for _, q := range asked {
		result, ok := p.InputResponses[q.ID].(*sdk.ElicitResult)
		all.addAnswer(q, ok && result.Action == "accept")
	}
	return all, nil
}

// sealOf seals what was said for the very call that it was said of.
func (s *sealer) sealOf(p *sdk.CallToolParamsRaw, raw []byte) []byte {
	h := hmac.New(sha256.New, s.key[:])
	fmt.Fprintf(h, "%q %q %q", p.Name, p.Arguments, raw)
	return h.Sum(nil)
}
