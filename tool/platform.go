package tool

import (
	"slices"
	"strings"
)

// PlatformTool is a tool that the platform itself runs. An agent declares it by its signature,
// without a `type`.
type PlatformTool struct {
	Name     string
	Params   []PlatformParam
	Returns  string // a type
	Doc      string
	Failures []string
}

// PlatformParam is a parameter of a platform's tool.
type PlatformParam struct {
	Name     string
	Type     string
	Optional bool
	Bounds   string   // what the platform takes, in Markdown; "" for any value of the type
	Values   []string // the only ones that it takes; nil for any
}

// String returns the parameter as it is written in a signature.
func (p PlatformParam) String() string {
	if p.Optional {
		return p.Name + "?: " + p.Type
	}
	return p.Name + ": " + p.Type
}

// Limits describes the values that the platform accepts for the parameter, in Markdown; "" for any
// value of its type.
func (p PlatformParam) Limits() string {
	if p.Values == nil {
		return p.Bounds
	}
	return "`" + strings.Join(p.Values, "` or `") + "`"
}

// Signature returns the signature by which an agent declares the tool.
func (t PlatformTool) Signature() string {
	params := make([]string, len(t.Params))
	for i, p := range t.Params {
		params[i] = p.String()
	}
	return t.Name + "(" + strings.Join(params, ", ") + ") -> " + t.Returns
}

// Param finds the parameter with that name. The second result is false if there is none.
func (t PlatformTool) Param(name string) (PlatformParam, bool) {
	i := slices.IndexFunc(t.Params, func(p PlatformParam) bool { return p.Name == name })
	if i < 0 {
		return PlatformParam{}, false
	}
	return t.Params[i], true
}

// PlatformTools returns the platform's own tools. The slice is shared: do not change it.
func PlatformTools() []PlatformTool { return platformTools }

// LookupPlatformTool finds the tool of the platform with that name. The second result is false if
// there is none.
func LookupPlatformTool(name string) (PlatformTool, bool) {
	i := slices.IndexFunc(platformTools, func(t PlatformTool) bool { return t.Name == name })
	if i < 0 {
		return PlatformTool{}, false
	}
	return platformTools[i], true
}

var (
	transferFailures = []string{"INVALID_INPUT", "MISSING_PHONE_NUMBER", "MISSING_SIP_TARGET", "INVALID_SIP_URI", "SIP_ROUTING_FAILED",
		"SIP_TRANSFER_ID_INVALID", "VOICE_TRANSFER_UNSUPPORTED", "TRANSFER_DISPATCH_FAILED"}
	contactFailures    = []string{"INVALID_INPUT", "MISSING_PARAMETER"}
	keyFailures        = []string{"INVALID_INPUT", "VOICE_DTMF_…"}
	attachmentFailures = []string{"MISSING_PARAMETER", "ATTACHMENT_NOT_FOUND", "DESTINATION_ERROR"}
)

func requiredParam(name, of, bounds string) PlatformParam {
	return PlatformParam{Name: name, Type: of, Bounds: bounds}
}

func optionalParam(name, of, bounds string) PlatformParam {
	return PlatformParam{Name: name, Type: of, Bounds: bounds, Optional: true}
}

// wordParam returns a text parameter that accepts only the given words.
func wordParam(name string, isOptional bool, values ...string) PlatformParam {
	return PlatformParam{Name: name, Type: "string", Values: values, Optional: isOptional}
}

var (
	noInputConfig = requiredParam("noInputConfig", "object", "`timeout` (1 to 120 s), `maxRetries` (0 to 10), `message`")
	noMatchConfig = requiredParam("noMatchConfig", "object", "`maxRetries`, `message`")
	digitNoMatch  = requiredParam("noMatchConfig", "object", "`maxRetries` (above 0 it wants `minDigits` or `allowedLengths`), `message`")
	languageParam = optionalParam("language", "string", "")
)

var platformTools = []PlatformTool{
	{"call_transfer", []PlatformParam{
		wordParam("callTransferType", false, "sip", "pstn"), optionalParam("message", "string", ""), languageParam, optionalParam("headers", "object", ""),
		optionalParam("sipTransferId", "string", "a `sip:` or `sips:` address, given below `parameters:`"),
	}, "object", "Transfers a voice call to a SIP or PSTN destination.", transferFailures},
	{"transfer_to_agent", []PlatformParam{
		requiredParam("provider", "string", ""), optionalParam("skills", "string[]", "at most 50"), optionalParam("queueId", "string", ""),
		optionalParam("priority", "number", "0 to 10"), optionalParam("subType", "string", ""), optionalParam("namedAgents", "string[]", ""),
		optionalParam("namedAgentOptions", "object", "`waitForAgent`, `waitDurationSeconds` (0 to 86400)"),
		optionalParam("agentMatchingConditions", "object", ""), optionalParam("metadata", "object", "at most 16 KB"),
		wordParam("postAgentAction", true, "return", "end"), optionalParam("providerConfig", "object", ""),
	}, "object", "Hands the conversation to a person in a contact centre.", []string{"INVALID_INPUT", "TRANSFER_DISPATCH_FAILED"}},
	{"check_hours", []PlatformParam{
		requiredParam("agentId", "string", ""), requiredParam("hoursId", "string", ""),
	}, "boolean", "Tells whether a contact centre is open.", contactFailures},
	{"check_availability", []PlatformParam{
		requiredParam("agentId", "string", ""), requiredParam("contactId", "string", ""), requiredParam("tenantId", "string", ""), requiredParam("projectId", "string", ""),
		optionalParam("skills", "string[]", ""), optionalParam("queue", "string", ""), languageParam,
	}, "boolean", "Tells whether a person in a contact centre is free.", contactFailures},
	{"set_queue", []PlatformParam{
		requiredParam("agentId", "string", ""), requiredParam("queueId", "string", ""),
	}, "boolean", "Chooses the queue of a later transfer.", contactFailures},
	{"ivr_menu", []PlatformParam{
		requiredParam("prompt", "string", ""), requiredParam("dtmfMappings", "object[]", "1 to 12 of `key`, `nextStep`, optional `intent`"),
		noInputConfig, noMatchConfig, optionalParam("bargeIn", "boolean", ""), languageParam,
	}, "{digit: string, matched: boolean, mappedIntent: string, branch: string}", "Asks the caller to press a key.", keyFailures},
	{"ivr_digit_input", []PlatformParam{
		requiredParam("prompt", "string", ""), noInputConfig, digitNoMatch,
		optionalParam("maxDigits", "number", "1 to 20, else 10"), optionalParam("minDigits", "number", "1 to 20"), optionalParam("validation", "object", "`allowedLengths`"),
		optionalParam("endingKeyPress", "string", ""), optionalParam("interDigitTimeout", "number", "500 to 30000 ms, else 2000"), languageParam,
	}, "object", "Asks the caller for several digits. They come back as a token, `{{PII:explicit_dtmf:…}}`.", keyFailures},
	{"send_dtmf", []PlatformParam{
		requiredParam("digits", "string", "at most 64 of `0-9*#`"), optionalParam("durationMs", "number", "50 to 5000, else 250"),
		optionalParam("interDigitDelayMs", "number", "50 to 5000, else 300"), optionalParam("reason", "string", "at most 256 characters"),
	}, "object", "Sends tones into the call.", keyFailures},
	{"deflect_to_chat", []PlatformParam{
		wordParam("deflectionType", false, "automation", "agentTransfer"), optionalParam("message", "string", ""),
		wordParam("triggerType", true, "userSelection", "automationContext"), languageParam,
	}, "object", "Goes on in a chat instead of the call.", []string{"INVALID_INPUT", "TRANSFER_DISPATCH_FAILED"}},
	{"get_attachment_url", []PlatformParam{
		requiredParam("attachment_id", "string", ""), optionalParam("expires_in_seconds", "number", "at most 86400, else 3600"),
	}, "object", "Gives an address of an attachment that works for a while.", attachmentFailures},
	{"route_attachment", []PlatformParam{
		requiredParam("attachment_id", "string", ""), requiredParam("destination", "string", "a name of DESTINATIONS"), optionalParam("metadata", "object", ""),
	}, "object", "Sends an attachment to an entry of DESTINATIONS, which has 30 s to answer over HTTPS.", attachmentFailures},
}
