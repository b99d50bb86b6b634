package main

import (
	"errors"
	"testing"

	"postonce/publication"
)

type tries = map[publication.OperationID]publication.State

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
		"removed by a second try":   {&fakeRecords{generation: 1, removed: true, gone: "remove/ana/ola/@2"}, false, 2, "", []string{"was removed (remove/ana/ola/@2)"}},
		"deleted elsewhere":         {&fakeRecords{generation: 1, removed: true, gone: opOla}, false, 2, "", []string{"was deleted elsewhere, as publish/ana/ola tells", "--again"}},
		"deleted, with --again":     {&fakeRecords{generation: 1, removed: true, gone: opOla}, true, 6, "publish/ana/ola@2", nil},
		"removal unknown":           {&fakeRecords{generation: 1, tries: tries{"remove/ana/ola": publication.StateUnknown}}, true, 2, "", []string{"not known yet", "starter resolve remove/ana/ola` takes --adopt ana/ola"}},
		"second removal unknown":    {&fakeRecords{generation: 1, tries: tries{"remove/ana/ola": publication.StateAbandoned, "remove/ana/ola/@2": publication.StateUnknown}}, true, 2, "", []string{"not known yet", "remove/ana/ola/@2"}},
		"removal under way":         {&fakeRecords{generation: 1, tries: tries{"remove/ana/ola": publication.StateSending}}, true, 2, "", []string{"not known yet", "wait for it"}},
		"removal abandoned":         {&fakeRecords{generation: 1, tries: tries{"remove/ana/ola": publication.StateAbandoned}}, true, 2, "", []string{"is not known", "was abandoned", "starter remove ana/ola"}},
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
