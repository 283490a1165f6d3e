package mcpserver

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestSeal checks that a state is valid for one caller, tool and set of arguments, for ten minutes,
// and for all servers with one key.
func TestSeal(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	server := func(key string) *sealer {
		s := newSealer(key)
		s.now = func() time.Time { return now }
		return s
	}
	token := func(claims string) string {
		return "Bearer e30." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".x"
	}
	call := func(name, arguments, login string) *sdk.CallToolRequest {
		r := &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: name, Arguments: json.RawMessage(arguments)}}
		r.Extra = &sdk.RequestExtra{Header: http.Header{}}
		if login != "" {
			r.Extra.Header.Set("desk_token", login)
		}
		return r
	}
	ana, newerAna, bob := token(`{"iss":"i","sub":"ana","exp":1}`), token(`{"iss":"i","sub":"ana","exp":2}`), token(`{"iss":"i","sub":"bob"}`)
	first := call("order", `{"what": "tea 🛫", "n": 10.50}`, ana)
	sealed, err := server("k").sealQuestions(first, answers{}, []question{{ID: "confirm", Digest: "d"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		server *sealer
		again  *sdk.CallToolRequest
		after  time.Duration
		want   bool
	}{
		"the same call":               {server("k"), call("order", `{"what": "tea 🛫", "n": 10.50}`, ana), 0, true},
		"with a newer token":          {server("k"), call("order", `{"what": "tea 🛫", "n": 10.50}`, newerAna), 0, true},
		"written in another way":      {server("k"), call("order", `{"n":10.50,"what":"tea \ud83d\udeeb"}`, ana), 0, true},
		"nine minutes later":          {server("k"), call("order", `{"what": "tea 🛫", "n": 10.50}`, ana), 9 * time.Minute, true},
		"eleven minutes later":        {server("k"), call("order", `{"what": "tea 🛫", "n": 10.50}`, ana), 11 * time.Minute, false},
		"another key":                 {server("l"), call("order", `{"what": "tea 🛫", "n": 10.50}`, ana), 0, false},
		"a key made at the start":     {server(""), call("order", `{"what": "tea 🛫", "n": 10.50}`, ana), 0, false},
		"another tool":                {server("k"), call("drop", `{"what": "tea 🛫", "n": 10.50}`, ana), 0, false},
		"other arguments":             {server("k"), call("order", `{"what": "tea 🛫", "n": 10.51}`, ana), 0, false},
		"another caller":              {server("k"), call("order", `{"what": "tea 🛫", "n": 10.50}`, bob), 0, false},
		"nobody":                      {server("k"), call("order", `{"what": "tea 🛫", "n": 10.50}`, ""), 0, false},
		"the token without its claim": {server("k"), call("order", `{"what": "tea 🛫", "n": 10.50}`, "opaque"), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			start := now
			defer func() { now = start }()
			now = now.Add(tt.after)
			tt.again.Params.RequestState = sealed.RequestState
			tt.again.Params.InputResponses = sdk.InputResponseMap{"confirm": &sdk.ElicitResult{Action: "accept"}}
			given, err := tt.server.openState(tt.again)
			if tt.want != (err == nil) || tt.want != (given.Confirm == "d") {
				t.Errorf("%+v, %v", given, err)
			}
		})
	}
	t.Run("left open", func(t *testing.T) {
		first.Params.RequestState = sealed.RequestState
		if given, err := server("k").openState(first); err != nil || given.Confirm != "" || given.declined {
			t.Errorf("%+v, %v", given, err)
		}
	})
}
