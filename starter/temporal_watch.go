package main

import (
	"context"
	"fmt"

	"postonce/activities/api"
	"postonce/internal/watchclient"
	"postonce/workflows"
)

// lookAnswer is what the drift watch says of one request.
type lookAnswer = api.LookAnswer

// Look starts the watch as a worker does, where none runs.
func (t *temporalEngine) Look(ctx context.Context, account string, request workflows.LookRequest) error {
	return temporalError(watchclient.Look(ctx, t.client, account, request))
}

func (t *temporalEngine) Watched(ctx context.Context, account string) (workflows.WatchStatus, error) {
	var s workflows.WatchStatus
	asking, cancel := context.WithTimeout(ctx, t.patience)
	defer cancel()
	value, err := t.client.QueryWorkflow(asking, workflows.WatchID(account), "", workflows.QueryStatus)
	if err != nil {
		return s, queryError(ctx, err)
	}
	if err := value.Get(&s); err != nil {
		return s, &unansweredError{fmt.Errorf("the answer cannot be read: %w", err)}
	}
	return s, nil
}
