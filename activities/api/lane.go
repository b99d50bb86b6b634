package api

import "postonce/publication"

// FindHiddenInput asks to read again what an incident may have hidden.
type FindHiddenInput struct {
	Operation publication.OperationID `json:"operation"` // the one that the firewall refused
	Attempt   int                     `json:"attempt"`   // 0: a slug probe about the operation's content was refused
}

// FoundHidden is what reading again showed of the lane's creations in the ten minutes before an incident.
type FoundHidden struct {
	Hidden  []publication.OperationID `json:"hidden,omitempty"`  // gone, and marked
	Gone    []publication.OperationID `json:"gone,omitempty"`    // not readable, and not seen to be readable before the incident
	Visible []publication.OperationID `json:"visible,omitempty"` // still to be read
	Unread  []publication.OperationID `json:"unread,omitempty"`  // could not be read now
	Drafts  []publication.OperationID `json:"drafts,omitempty"`  // which no public route shows, hidden or not
}
