package api

import (
	"time"

	"postonce/publication"
)

// Look reads again what the drift watch of the account has due.
const Look = "Look"

// LookHeartbeat is how often a round says that its process lives.
const LookHeartbeat = 5 * time.Second

// SlugProbeTimeout bounds a slug probe, from its turn in the lane to the last byte of the answer.
const SlugProbeTimeout = 5 * time.Second

// LookInput asks for one round of the drift watch.
type LookInput struct {
	Asks []LookAsk `json:"asks,omitempty"` // what people ask for, due or not
}

// LookAsk is a person's wish that one operation's content be read now.
type LookAsk struct {
	ID        string                  `json:"id"`
	By        string                  `json:"by"`
	Operation publication.OperationID `json:"operation"`
}

// Looked is what one round showed.
type Looked struct {
	Changes  []Change     `json:"changes,omitempty"` // the account's newest, oldest first, those of earlier rounds too
	Answers  []LookAnswer `json:"answers,omitempty"`
	Unasked  []LookAsk    `json:"unasked,omitempty"`  // asks that this round had no time for
	Problems []string     `json:"problems,omitempty"` // what could not be read; it is tried again by itself
	// Wait is how long it is until the next content is due; nil: none will be, as far as is known now.
	Wait *time.Duration `json:"wait,omitempty"`
}

// Change is one that was told. A round that was cut off after it noted a change must not lose it for people, so every
// round gives the newest from the ledger.
type Change struct {
	Operation publication.OperationID `json:"operation"` // the publication
	Reference string                  `json:"reference"`
	Before    publication.Seen        `json:"before"`
	publication.Drift
}

// LookAnswer is what became of an ask. Problem says why the content could not be looked at.
type LookAnswer struct {
	LookAsk
	publication.Drift
	Problem string `json:"problem,omitempty"`
}
