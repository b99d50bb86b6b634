package main

import (
	"postonce/internal/terminal"
	"postonce/publication"
)

// dryRunDocument is what --dry-run --json prints.
type dryRunDocument struct {
	Operation    publication.OperationID `json:"operation"`
	Digest       publication.Digest      `json:"digest"`
	Target       target                  `json:"target"`
	Payload      publication.Payload     `json:"payload"`
	RequestBody  string                  `json:"request_body"` // byte for byte; its SHA-256 is the digest
	RequestBytes int                     `json:"request_bytes"`
	Changes      []string                `json:"changes"` // what differs from the file
	Schedule     *publication.Schedule   `json:"schedule,omitempty"`
}

// target is where the request would go.
type target struct {
	Method    string `json:"method"`
	URL       string `json:"url"`
	Account   string `json:"account"`
	Reference string `json:"reference"`
	Address   string `json:"address"` // of the page, once published
}

// someAccount stands for an account that nobody named: the request body does not depend on it.
const someAccount = "ACCOUNT"

// dryRun shows the exact request body and opens no connection.
func (a *app) dryRun(text article, accountFlag string, schedule *publication.Schedule) error {
	account, err := a.dryRunAccount(accountFlag)
	if err != nil {
		return err
	}
	view := a.previewOf(text, account)
	view.Schedule = schedule
	return a.showDryRun(view)
}

func (a *app) dryRunAccount(flag string) (string, error) {
	account, err := a.askedAccount(flag)
	if err == nil && account == "" {
		a.say("no account is named (POSTONCE_ACCOUNT, --account), and --dry-run logs in nowhere: %s stands for it", someAccount)
		account = someAccount
	}
	return account, err
}

func (a *app) showDryRun(view terminal.Preview) error {
	if a.json {
		return a.printJSON(dryRunOf(view))
	}
	terminal.Print(a.stdout, view.Text(a.stdout)+view.RequestText())
	return nil
}

func dryRunOf(view terminal.Preview) dryRunDocument {
	body := view.Payload.CanonicalJSON()
	changes := []string{}
	for _, change := range view.Changes {
		changes = append(changes, change.String())
	}
	return dryRunDocument{
		Operation: publication.PublishID(view.Account, view.Payload.Slug), Digest: view.Payload.Digest(),
		Target:  target{Method: "POST", URL: view.URL(), Account: view.Account, Reference: view.Reference(), Address: view.Address()},
		Payload: view.Payload, RequestBody: string(body), RequestBytes: len(body), Changes: changes,
		Schedule: view.Schedule,
	}
}
