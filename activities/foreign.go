package activities

import (
	"postonce/publication"
	"postonce/tabnews"
)

// tellForeign keeps what somebody else changed between our last reading and a removal, which TabNews' answer shows: no
// reading can show it afterwards. Whatever it finds, the removal was made.
func (s *sending) tellForeign(stored *tabnews.Content) {
	if stored == nil || s.in.Base == nil || s.in.Payload.Status != publication.StatusDeleted {
		return
	}
	asSeen := *stored
	asSeen.Status = s.in.Base.Payload.Status
	if same, theirs := compare(s.in.Base.Payload, s.Account, asSeen); !same {
		s.attempt.Evidence.Foreign = theirs
	}
}
