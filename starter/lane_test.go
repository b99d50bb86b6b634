package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"postonce/ledger"
	"postonce/publication"
)

// fakeLanes plays the ledger's lanes.
type fakeLanes struct {
	lanes    []ledger.Lane
	asked    string
	length   time.Duration
	by, why  string
	failures error
}

func (f *fakeLanes) Lanes(context.Context) ([]ledger.Lane, error) { return f.lanes, f.failures }

func (f *fakeLanes) PauseLane(_ context.Context, lane string, length time.Duration, by, reason string) error {
	f.asked, f.length, f.by, f.why = lane, length, by, reason
	return f.failures
}

func (f *fakeLanes) ResumeLane(_ context.Context, lane string) (bool, error) {
	f.asked = lane
	return len(f.lanes) > 0 && f.lanes[0].Paused != nil, f.failures
}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func busyLane() ledger.Lane {
	slot := noon.Add(5 * time.Second)
	return ledger.Lane{
		Lane: "casa", At: noon, LastStart: &noon, LastOperation: opOla, Paused: &ledger.LanePause{Since: noon, By: "eva", Reason: "viagem"},
		Queue: []ledger.LanePlace{{Operation: "publish/ana/dois", Attempt: 1, SlotAt: &slot, WaitingFor: "its turn in the lane casa"}},
		Incidents: []ledger.Incident{{Lane: "casa", At: noon, Creates: ledger.CreatesRoot, Operation: "publish/ana/tres", Attempt: 1,
			Affected: []ledger.Affected{{Operation: opOla, RemoteStatus: publication.StatusFirewall}}}},
	}
}

func TestLaneShowsWhoIsNextWhyAndWhatWasHidden(t *testing.T) {
	b := newBench(t, nil)
	b.withRecords(&fakeRecords{fakeLanes: fakeLanes{lanes: []ledger.Lane{busyLane()}}})
	b.mustRun(t, 0, "lane")
	for _, words := range []string{"lane casa", "paused by eva until it is resumed: viagem", "1. publish/ana/dois", "12:00:05Z", "waits for its turn",
		"refused publish/ana/tres", "publish/ana/ola: hidden; only a moderator"} {
		if !strings.Contains(b.out.String(), words) {
			t.Errorf("it lacks %q:\n%s", words, &b.out)
		}
	}
	b.out.Reset()
	b.mustRun(t, 0, "lane", "--json")
	var lanes []ledger.Lane
	if err := json.Unmarshal(b.out.Bytes(), &lanes); err != nil || len(lanes) != 1 || len(lanes[0].Queue) != 1 {
		t.Errorf("%v\n%s", err, &b.out)
	}
}

func TestLanePauseNamesWhoHowLongAndWhy(t *testing.T) {
	for _, c := range []struct {
		args   []string
		lane   string
		length time.Duration
	}{
		{[]string{"--for", "1h"}, "default", time.Hour},
		{[]string{"escritorio", "--for", "until resumed"}, "escritorio", 0},
	} {
		b, r := newBench(t, nil), &fakeRecords{}
		b.withRecords(r)
		b.mustRun(t, 0, append([]string{"lane", "pause", "--reason", "viagem", "--by", "eva"}, c.args...)...)
		if r.asked != c.lane || r.length != c.length || r.by != "eva" || r.why != "viagem" {
			t.Errorf("%q: got %+v", c.args, r.fakeLanes)
		}
	}
	for _, args := range [][]string{{"--for", "1h"}, {"--reason", "x"}, {"--reason", "x", "--for", "amanhã"}, {"--reason", "x", "--for", "-1h"}, {"a", "b", "--for", "1h"}} {
		b, r := newBench(t, nil), &fakeRecords{}
		b.withRecords(r)
		b.mustRun(t, 2, append([]string{"lane", "pause"}, args...)...)
		if r.asked != "" {
			t.Errorf("%q paused something", args)
		}
	}
}

func TestLaneResumeTellsWhetherItWasPaused(t *testing.T) {
	b := newBench(t, nil)
	b.env["POSTONCE_LANE"] = "casa"
	b.withRecords(&fakeRecords{fakeLanes: fakeLanes{lanes: []ledger.Lane{busyLane()}}})
	b.mustRun(t, 0, "lane", "resume")
	b.saysOnStderr(t, "the lane casa goes on")
	b.mustRun(t, 0, "lane", "resume", "outra")
	b = newBench(t, nil)
	b.withRecords(&fakeRecords{fakeLanes: fakeLanes{failures: errors.New("connection refused")}})
	b.mustRun(t, 1, "lane", "resume")
	b = newBench(t, nil)
	b.mustRun(t, 2, "lane", "resume", "casa", "outra")
	b.saysOnStderr(t, "resume: takes one LANE or none")
}

// A closed workflow's result is frozen; that the firewall hid the content since is the ledger's to tell.
func TestStatusTellsThatTheFirewallHidItSince(t *testing.T) {
	hidden := acceptedOla()
	hidden.RemoteStatus = publication.StatusFirewall
	b := newBench(t, &fakeEngine{run: closedRun(), result: &ending{snapshot: acceptedOla()}})
	b.withLedger(hidden)
	b.mustRun(t, 5, "status", "ana/ola", "--json")
	got := b.document(t)
	if got.RemoteStatus != publication.StatusFirewall || got.Identity == nil || !strings.Contains(got.Known, "only a moderator") ||
		!strings.Contains(got.Known, "duplicate") || !strings.Contains(got.NextAction, "do not publish it again") {
		t.Errorf("got %+v", got)
	}
}
