package main

import (
	"context"

	"postonce/workflows"
)

// fakeWatch plays the drift watch: it answers what it is asked with the one thing that it sees.
type fakeWatch struct {
	asked []workflows.LookRequest
	sees  lookAnswer
}

func (f *fakeEngine) Look(_ context.Context, account string, request workflows.LookRequest) error {
	if account != request.Operation.Account() {
		panic("another account's watch")
	}
	f.watch.asked = append(f.watch.asked, request)
	return nil
}

func (f *fakeEngine) Watched(context.Context, string) (workflows.WatchStatus, error) {
	var s workflows.WatchStatus
	for _, request := range f.watch.asked {
		answer := f.watch.sees
		answer.ID = request.ID
		s.Answers = append(s.Answers, answer)
	}
	return s, nil
}
