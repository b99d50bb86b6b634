package terminal

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestConfirmNeedsAYes(t *testing.T) {
	for keys, want := range map[string]bool{"y": true, "n": false, "\r": false} {
		p := Prompt{In: strings.NewReader(keys), Out: io.Discard}
		got, err := p.Confirm(t.Context(), "Publish?", "detail", "Yes")
		if err != nil || got != want {
			t.Errorf("keys %q: %t, %v; want %t", keys, got, err, want)
		}
	}
}

func TestCtrlCLeavesItUnanswered(t *testing.T) {
	p := Prompt{In: strings.NewReader("\x03"), Out: io.Discard}
	if yes, err := p.Confirm(t.Context(), "Publish?", "", "Yes"); yes || !errors.Is(err, ErrAborted) {
		t.Errorf("got %t, %v; want ErrAborted", yes, err)
	}
}

func TestAskGivesTheLineTrimmed(t *testing.T) {
	p := Prompt{In: strings.NewReader(" it is there \r"), Out: io.Discard}
	got, err := p.Ask(t.Context(), "Why?", "")
	if err != nil || got != "it is there" {
		t.Errorf("got %q, %v", got, err)
	}
}
