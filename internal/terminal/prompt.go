package terminal

import (
	"context"
	"errors"
	"io"
	"strings"

	"charm.land/huh/v2"
)

// ErrAborted says that the person left a question unanswered (Ctrl-C).
var ErrAborted = errors.New("left unanswered")

// Prompt asks a person at a terminal.
type Prompt struct {
	In  io.Reader
	Out io.Writer
}

// NewPrompt gives a Prompt, or nil when a person could not both see and answer it.
func NewPrompt(in io.Reader, out io.Writer) *Prompt {
	if !IsTerminal(in) || !IsTerminal(out) {
		return nil
	}
	return &Prompt{In: in, Out: out}
}

// Confirm asks a question whose answer is yes, in the words of affirmative, or no. No is preselected: a stray Enter
// decides nothing.
func (p *Prompt) Confirm(ctx context.Context, question, detail, affirmative string) (bool, error) {
	var yes bool
	field := huh.NewConfirm().Title(Line(question)).Description(Plain(detail)).
		Affirmative(affirmative).Negative("No").Value(&yes)
	return yes, p.run(ctx, field)
}

// Ask asks for a line of text, which may not be blank.
func (p *Prompt) Ask(ctx context.Context, question, detail string) (string, error) {
	var answer string
	field := huh.NewInput().Title(Line(question)).Description(Plain(detail)).Value(&answer).Validate(notBlank)
	err := p.run(ctx, field)
	return strings.TrimSpace(answer), err
}

func (p *Prompt) run(ctx context.Context, field huh.Field) error {
	err := huh.NewForm(huh.NewGroup(field)).WithInput(p.In).WithOutput(p.Out).RunWithContext(ctx)
	if errors.Is(err, huh.ErrUserAborted) {
		return ErrAborted
	}
	return err
}

func notBlank(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("write a few words")
	}
	return nil
}
