package tool

import (
	"errors"
	"fmt"
)

// Prompt is a text for a model, with arguments that a person gives.
type Prompt struct {
	Name        string
	Description string
	Arguments   []Param
	Messages    []PromptMessage
}

// PromptMessage is one message of a prompt.
type PromptMessage struct {
	Role    string // user or assistant
	Content string // a template of Go, in which `{{.x}}` is an argument
}

// Signature returns the prompt with its arguments, as a tool is shown.
func (p *Prompt) Signature() string {
	t := Tool{Name: p.Name, Params: p.Arguments}
	return t.Signature()
}

// Fault says why the prompt cannot be given to clients; nil if it can.
func (p *Prompt) Fault() error {
	if len(p.Messages) == 0 {
		return errors.New("it has no messages")
	}
	for _, a := range p.Arguments {
		if !a.Shown() || !a.FromCaller() {
			return fmt.Errorf("the value of its argument %s comes from elsewhere, and only tools have such values here", a.Name)
		}
	}
	return nil
}
