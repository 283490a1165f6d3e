package tool

import "slices"

// PlatformTool is a tool that the platform itself runs. An agent that calls one
// declares it by its signature, without a `type`.
type PlatformTool struct {
	Name     string
	Params   string // as they stand in the signature
	Returns  string
	Doc      string
	Failures []string
}

// Signature is how an agent declares the tool.
func (t PlatformTool) Signature() string { return t.Name + "(" + t.Params + ") -> " + t.Returns }

// PlatformTools are the platform's own tools. The slice is shared: do not change it.
func PlatformTools() []PlatformTool { return platformTools }

// LookupPlatformTool finds the platform's tool of a name.
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
	attachmentFailures = []string{"MISSING_PARAMETER", "ATTACHMENT_NOT_FOUND", "DESTINATION_ERROR"}
)

var platformTools = []PlatformTool{
	{"call_transfer", "callTransferType: string, message?: string, language?: string, headers?: object, sipTransferId?: string", "object",
		"Transfers a voice call to a SIP or PSTN destination.", transferFailures},
	{"transfer_to_agent", "provider: string, skills?: string[], queueId?: string, priority?: number, subType?: string, namedAgents?: string[], namedAgentOptions?: object, agentMatchingConditions?: object, metadata?: object, postAgentAction?: string, providerConfig?: object", "object",
		"Hands the conversation to a person in a contact centre.", []string{"INVALID_INPUT", "TRANSFER_DISPATCH_FAILED"}},
	{"check_hours", "agentId: string, hoursId: string", "boolean",
		"Tells whether a contact centre is open.", []string{"INVALID_INPUT", "MISSING_PARAMETER"}},
	{"check_availability", "agentId: string, contactId: string, tenantId: string, projectId: string, skills?: string[], queue?: string, language?: string", "boolean",
		"Tells whether a person in a contact centre is free.", []string{"INVALID_INPUT", "MISSING_PARAMETER"}},
	{"set_queue", "agentId: string, queueId: string", "boolean",
		"Chooses the queue of a later transfer.", []string{"INVALID_INPUT", "MISSING_PARAMETER"}},
	{"ivr_menu", "prompt: string, dtmfMappings: object[], noInputConfig: object, noMatchConfig: object, bargeIn?: boolean, language?: string", "{digit: string, matched: boolean, mappedIntent: string, branch: string}",
		"Asks the caller to press a key.", []string{"INVALID_INPUT", "VOICE_DTMF_…"}},
	{"ivr_digit_input", "prompt: string, noInputConfig: object, noMatchConfig: object, maxDigits?: number, minDigits?: number, validation?: object, endingKeyPress?: string, interDigitTimeout?: number, language?: string", "object",
		"Asks the caller for several digits. They come back as a token.", []string{"INVALID_INPUT", "VOICE_DTMF_…"}},
	{"send_dtmf", "digits: string, durationMs?: number, interDigitDelayMs?: number, reason?: string", "object",
		"Sends tones into the call.", []string{"INVALID_INPUT", "VOICE_DTMF_…"}},
	{"deflect_to_chat", "deflectionType: string, message?: string, triggerType?: string, language?: string", "object",
		"Goes on in a chat instead of the call.", []string{"INVALID_INPUT", "TRANSFER_DISPATCH_FAILED"}},
	{"get_attachment_url", "attachment_id: string, expires_in_seconds?: number", "object",
		"Gives an address of an attachment that works for a while.", attachmentFailures},
	{"route_attachment", "attachment_id: string, destination: string, metadata?: object", "object",
		"Sends an attachment to an entry of DESTINATIONS.", attachmentFailures},
}
