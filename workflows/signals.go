package workflows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"postonce/publication"
)

// Signals arrive as raw payloads and are decoded here, so that a bad one is recorded and answered, never lost and
// never poison for the workflow task.

// examples are shown when a signal cannot be read.
var examples = map[string]string{
	SignalApprove:    `{"by":"NAME","digest":"sha256:…"}`,
	SignalReschedule: `{"by":"NAME","at":"2026-12-24T09:00","zone":"America/Sao_Paulo"}`,
	SignalCancel:     `{"by":"NAME"}`,
	SignalResolve:    `{"by":"NAME","attempt":1,"decision":"adopt","reference":"ACCOUNT/SLUG","reason":"…"}`,
	SignalRecheck:    `{"by":"NAME"}`,
}

// decodeSignal reads a signal's JSON. The decision comes back as far as it could be read, also with an error, which
// names the field, the rule and the way out.
func decodeSignal(name string, raw []byte) (publication.Decision, error) {
	d := publication.Decision{Signal: name}
	var err error
	switch name {
	case SignalApprove:
		var in ApproveInput
		err = strictJSON(raw, &in)
		d.ID, d.By, d.Digest, d.Kind = in.ID, in.By, in.Digest, publication.DecisionApprove
	case SignalResolve:
		var in ResolveInput
		err = strictJSON(raw, &in)
		d.ID, d.By, d.Attempt, d.Kind = in.ID, in.By, in.Attempt, in.Decision
		d.Reference, d.AcceptDivergence, d.Reason = in.Reference, in.AcceptDivergence, in.Reason
	case SignalRecheck:
		var in RecheckInput
		err = strictJSON(raw, &in)
		d.ID, d.By, d.Kind = in.ID, in.By, publication.DecisionRecheck
	case SignalReschedule:
		var in RescheduleInput // its time is read where that can be recorded
		err = strictJSON(raw, &in)
		d.ID, d.By, d.Reason, d.Kind = in.ID, in.By, in.Reason, publication.DecisionReschedule
	case SignalCancel:
		var in CancelInput
		err = strictJSON(raw, &in)
		d.ID, d.By, d.Reason, d.Kind = in.ID, in.By, in.Reason, publication.DecisionCancel
	}
	if err != nil {
		return clipped(d), fmt.Errorf("input: %w; send %s", err, examples[name])
	}
	return clipped(d), complete(d)
}

// strictJSON decodes one JSON object and refuses unknown fields: a mistyped field must not be taken for its absence.
func strictJSON(raw []byte, into any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return fmt.Errorf("is empty, a JSON object is needed")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("is not the JSON object that is needed (%s)", publication.Clip(strings.TrimPrefix(err.Error(), "json: "), 200))
	}
	if dec.More() {
		return fmt.Errorf("holds more than one JSON object")
	}
	return nil
}

// complete checks the fields that a decision needs.
func complete(d publication.Decision) error {
	if strings.TrimSpace(d.By) == "" {
		return fmt.Errorf("by: a person's name is needed; send %s", examples[d.Signal])
	}
	if d.By == "NAME" || d.Reason == "WHY" {
		return fmt.Errorf("by, reason: NAME and WHY are placeholders; write who decides, and why")
	}
	switch d.Signal {
	case SignalApprove:
		if _, err := publication.ParseDigest(string(d.Digest)); err != nil {
			return fmt.Errorf("digest: %w", err)
		}
	case SignalResolve:
		return completeResolve(d)
	}
	return nil
}

func completeResolve(d publication.Decision) error {
	switch d.Kind {
	case publication.DecisionAdopt:
		if _, err := publication.ParseReference(d.Reference); err != nil {
			return fmt.Errorf("reference: adopt needs the content's address: %w", err)
		}
	case publication.DecisionNotCreated, publication.DecisionAbandon, publication.DecisionProbe:
	default:
		return fmt.Errorf("decision: %q is none of adopt, not_created, abandon, probe", publication.Clip(string(d.Kind), 40))
	}
	if d.Attempt < 1 {
		return fmt.Errorf("attempt: a decision names its attempt, a number from 1; `status` shows it")
	}
	if strings.TrimSpace(d.Reason) == "" {
		return fmt.Errorf("reason: why, in a person's words, is needed; it is kept with the decision")
	}
	return nil
}

// clipped bounds what a stranger can put into the history.
func clipped(d publication.Decision) publication.Decision {
	d.ID = publication.Clip(d.ID, 80)
	d.By = publication.Clip(d.By, 120)
	d.Kind = publication.DecisionKind(publication.Clip(string(d.Kind), 40))
	d.Digest = publication.Digest(publication.Clip(string(d.Digest), 80))
	d.Reference = publication.Clip(d.Reference, 300)
	d.Reason = publication.Clip(d.Reason, 1000)
	return d
}
