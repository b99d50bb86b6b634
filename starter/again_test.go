package main

import (
	"errors"
	"testing"

	"postonce/publication"
)

func TestPublishAfterRemoval(t *testing.T) {
	for name, c := range map[string]struct {
		records *fakeRecords
		again   bool
		code    int
		started publication.OperationID
		words   []string
	}{
		"removed, without --again":  {&fakeRecords{generation: 1, removed: true}, false, 2, "", []string{"was removed (remove/ana/ola)", "--again", "another content", "votes, comments and history"}},
		"removed, with --again":     {&fakeRecords{generation: 1, removed: true}, true, 6, "publish/ana/ola@2", nil},
		"not removed, with --again": {&fakeRecords{generation: 1}, true, 2, "", []string{"was not removed through postonce", "without --again"}},
		"published again":           {&fakeRecords{generation: 2}, false, 6, "publish/ana/ola@2", nil},
		"removed twice":             {&fakeRecords{generation: 2, removed: true}, true, 6, "publish/ana/ola@3", nil},
		"no ledger, with --again":   {nil, true, 2, "", []string{"only the ledger knows", "DATABASE_URL"}},
		"no ledger":                 {nil, false, 6, opOla, nil},
		"ledger away":               {&fakeRecords{err: errors.New("PostgreSQL: away")}, false, 6, opOla, []string{"could not be asked"}},
		"ledger away, with --again": {&fakeRecords{err: errors.New("PostgreSQL: away")}, true, 1, "", []string{"could not be asked"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := &fakeEngine{}
			b := newBench(t, e)
			if c.records != nil {
				b.withRecords(c.records)
			}
			args := []string{"publish", "--yes", "--no-wait", olaFile(t)}
			if c.again {
				args = append(args, "--again")
			}
			b.mustRun(t, c.code, args...)
			b.saysOnStderr(t, c.words...)
			if len(e.started) > 1 || len(e.started) == 0 && c.started != "" || len(e.started) == 1 && e.started[0].Operation != c.started {
				t.Errorf("started %+v, want %q", e.started, c.started)
			}
		})
	}
}
