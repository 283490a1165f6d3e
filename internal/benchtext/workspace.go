package benchtext

import (
	"fmt"
	"iter"
	"strings"
)

// groupSize is the number of files of a group: a library, and agents that import it.
const groupSize = 21

// domains are the topics of a workspace's groups; they repeat.
var domains = [...]string{"order", "invoice", "parcel", "booking", "ticket", "claim", "contract", "device", "refund", "voucher"}

// verbs are the first words in the names of a library's tools.
var verbs = [...]string{"find", "read", "create", "update", "cancel", "price", "assign", "archive", "export"}

// Workspace yields the paths and texts of a workspace with the given number of files, 125
// lines each on average: groups of a library and twenty agents. Agents import some tools
// of their library, declare two of their own, call them in a flow, and hand over to
// agents of their group and of the next one. One file in fifty has a mistake. The same
// number gives the same texts.
func Workspace(files int) iter.Seq2[string, string] {
	return func(yield func(path, text string) bool) {
		for i := range files {
			path, text := libraryFile(i / groupSize)
			if i%groupSize > 0 {
				path, text = agentFile(i, files)
			}
			if i%50 == 7 {
				text = mistakes[i/50%len(mistakes)].Replace(text)
			}
			if !yield(path, text) {
				return
			}
		}
	}
}

// Importers yields a library and the given number of agents, which all import it.
func Importers(agents int) iter.Seq2[string, string] {
	return func(yield func(path, text string) bool) {
		path, text := libraryFile(0)
		for i := 0; yield(path, text) && i < agents; i++ {
			path = fmt.Sprintf("order_0/agents/agent_%d.agent.abl", i)
			text = agentText(fmt.Sprintf("Agent_%d", i), "order_0", i, fmt.Sprintf("Agent_%d", (i+1)%agents))
		}
	}
}

// Libraries yields the given number of libraries, ten tools each, a hundred files a folder.
func Libraries(files int) iter.Seq2[string, string] {
	return func(yield func(path, text string) bool) {
		for i := range files {
			text := strings.ReplaceAll(Library(100), "find_item_", fmt.Sprintf("find_%d_", i))
			if !yield(fmt.Sprintf("service_%d/library_%d.tools.abl", i/100, i), text) {
				return
			}
		}
	}
}

// Chain yields an agent and the given number of libraries. Each file imports the next one.
func Chain(imports int) iter.Seq2[string, string] {
	return func(yield func(path, text string) bool) {
		agent := "AGENT: First\nGOAL: \"Find items\"\n\nTOOLS:\n  file: \"./link_0.tools.abl\"\n"
		if !yield("first.agent.abl", agent) {
			return
		}
		for i := range imports {
			text := Library(20)
			if i+1 < imports {
				text = strings.Replace(text, "\n\n", fmt.Sprintf("\n  file: \"./link_%d.tools.abl\"\n\n", i+1), 1)
			}
			text = strings.ReplaceAll(text, "find_item_", fmt.Sprintf("find_%d_", i))
			if !yield(fmt.Sprintf("link_%d.tools.abl", i), text) {
				return
			}
		}
	}
}

// mistakes put mistakes into some of the files.
var mistakes = [...]*strings.Replacer{
	strings.NewReplacer("method: GET", "method: GTE"),
	strings.NewReplacer("    CALL: lookup_", "    CALL: lokup_", "base_url:", "base_ulr:"),
	strings.NewReplacer("    latency: fast", "    latencey: fast", "      latency: medium", "      latencey: medium"),
	strings.NewReplacer("      reference: reference\n", ""),
	strings.NewReplacer("  - TO: ", "  - TO: No_"),
}

func groupName(group int) string {
	return fmt.Sprintf("%s_%d", domains[group%len(domains)], group)
}

func libraryFile(group int) (path, text string) {
	name := groupName(group)
	var b strings.Builder
	fmt.Fprintf(&b, "# Tools of the %s service.\nTOOLS:\n  base_url: \"https://%s.example.com/api/v1\"\n\n", domains[group%len(domains)], domains[group%len(domains)])
	for i, verb := range verbs {
		fmt.Fprintf(&b, libraryTool, verb, name, i+1)
	}
	return name + "/tools/" + name + ".tools.abl", strings.TrimSuffix(b.String(), "\n")
}

const libraryTool = `  %[1]s_%[2]s(reference: string, limit: number = %[3]d0, tags: string[] = ["open"]) -> {items: {id: string, price?: number, tags: string[]}[], total: number}
    description: "The tool to %[1]s the entries of %[2]s. Use it once the reference is known."
    type: http
    endpoint: "/%[2]s/{reference}/%[1]s"
    method: GET
    auth: bearer
    headers:
      X-Trace: "{{session.trace}}"
    hints:
      cacheable: true
      latency: medium
    timeout: %[3]d000
    retry: 2

`

// agentFile returns the path and text of an agent of a workspace.
func agentFile(i, files int) (path, text string) {
	next := i + 1
	if i%5 == 0 {
		next += groupSize // an agent of the next group
	}
	if next%groupSize == 0 {
		next++
	}
	if next >= files {
		next = 1
	}
	group := groupName(i / groupSize)
	path = fmt.Sprintf("%s/agents/agent_%d.agent.abl", group, i)
	return path, agentText(fmt.Sprintf("Agent_%d", i), group, i, fmt.Sprintf("Agent_%d", next))
}

// agentText returns an agent that imports three tools of a group and hands over to
// another agent, or delegates to it.
func agentText(name, group string, i int, next string) string {
	var b strings.Builder
	first, second, third := verbs[i%len(verbs)], verbs[(i+2)%len(verbs)], verbs[(i+5)%len(verbs)]
	fmt.Fprintf(&b, agentHead, name, group, first, second, third, i)
	other := agentHandoff
	if i%3 == 0 {
		other = agentDelegate
	}
	fmt.Fprintf(&b, other, next)
	b.WriteString("FLOW:\n  entry_point: step_0\n\n")
	calls := [...]string{first + "_" + group, fmt.Sprintf("lookup_%d", i), second + "_" + group, third + "_" + group, fmt.Sprintf("note_%d", i)}
	const steps = 6
	for step := range steps {
		then := fmt.Sprintf("step_%d", step+1)
		if step == steps-1 {
			then = "COMPLETE"
		}
		fmt.Fprintf(&b, agentStep, step, calls[step%len(calls)], then)
	}
	b.WriteString("COMPLETE:\n  - WHEN: done IS SET\n    RESPOND: \"Is there anything else?\"\n")
	return b.String()
}

const agentHead = `AGENT: %[1]s
DESCRIPTION: "Answers questions about %[2]s, number %[6]d"
GOAL: |
  Help with %[2]s until the customer is content.
  Ask for the reference first.

TOOLS:
  file: "../tools/%[2]s.tools.abl" [%[3]s_%[2]s, %[4]s_%[2]s, %[5]s_%[2]s]

  lookup_%[6]d(reference: string) -> {total: number, name: string}
    description: "Looks a customer up by the reference that is on each letter."
    type: http
    endpoint: "https://crm.example.com/customers/{reference}/%[6]d"
    method: GET
    hints:
      latency: fast

  note_%[6]d(reference: string, text: string = "") -> {total: number}
    description: "Leaves a note for the colleagues who go on with this."
    type: http
    endpoint: "https://crm.example.com/customers/{reference}/notes"
    method: POST
    confirmation:
      require: always

MEMORY:
  session:
    - done
      TYPE: boolean

GATHER:
  reference:
    prompt: "What is the reference on your letter?"
    type: string
  amount:
    prompt: "Which amount is it about?"
    type: number
    required: false

`

const agentHandoff = `HANDOFF:
  - TO: %s
    WHEN: amount > 1000
    CONTEXT:
      pass: [reference, amount]
      summary: "A large amount"
    RETURN: false

`

const agentDelegate = `DELEGATE:
  - AGENT: %s
    WHEN: amount > 1000
    PURPOSE: "Check a large amount"
    INPUT: [reference]
    RETURNS: [done]
    USE_RESULT: done

`

const agentStep = `  step_%[1]d:
    REASONING: false
    CALL: %[2]s
      WITH:
        reference: reference
      AS: found_%[1]d
    ON_RESULT:
      - IF: found_%[1]d.total > %[1]d
        SET: done = true
        THEN: CONTINUE
    THEN: %[3]s

`
