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

var errState = errors.New("the state of the request is not one that this server has given")

// ask is the result of a call that waits for answers.
func (s *sealer) ask(p *sdk.CallToolParamsRaw, earlier said, all []question) (*sdk.CallToolResult, error) {
	earlier.Asked = all
	raw, err := json.Marshal(earlier)
	if err != nil {
		return nil, err
	}
	requests := sdk.InputRequestMap{}
	for _, q := range all {
		requests[q.ID] = q.params
	}
	sealed := base64.RawURLEncoding.EncodeToString(raw) + "." + base64.RawURLEncoding.EncodeToString(s.sum(p, raw))
	return &sdk.CallToolResult{InputRequests: requests, RequestState: sealed}, nil
}

// open is what was said in earlier rounds, with the answers of this one.
func (s *sealer) open(p *sdk.CallToolParamsRaw) (said, error) {
	var all said
	if p.RequestState == "" {
		return all, nil
	}
	body, sum, _ := strings.Cut(p.RequestState, ".")
	raw, err := base64.RawURLEncoding.DecodeString(body)
	seal, also := base64.RawURLEncoding.DecodeString(sum)
	if errors.Join(err, also) != nil || !hmac.Equal(seal, s.sum(p, raw)) || json.Unmarshal(raw, &all) != nil {
		return said{}, errState
	}
	asked := all.Asked
	all.Asked = nil
	for _, q := range asked {
		result, ok := p.InputResponses[q.ID].(*sdk.ElicitResult)
		all.take(q, ok && result.Action == "accept")
	}
	return all, nil
}

// sum seals what was said for the very call that it was said of.
func (s *sealer) sum(p *sdk.CallToolParamsRaw, raw []byte) []byte {
	h := hmac.New(sha256.New, s.key[:])
	fmt.Fprintf(h, "%q %q %q", p.Name, p.Arguments, raw)
	return h.Sum(nil)
}
