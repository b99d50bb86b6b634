package publication

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestALocalTimeBecomesOneMoment(t *testing.T) {
	for _, c := range []struct{ at, zone, want, shown string }{
		{"2026-12-24T09:00", "America/Sao_Paulo", "2026-12-24T09:00:00-03:00", "2026-12-24 12:00 UTC, 2026-12-24 09:00 in America/Sao_Paulo (-03:00)"},
		{"2026-07-01T09:00", "America/New_York", "2026-07-01T09:00:00-04:00", "2026-07-01 13:00 UTC, 2026-07-01 09:00 in America/New_York (-04:00)"},
		{"2026-12-01T09:00:30", "Europe/Lisbon", "2026-12-01T09:00:30Z", "2026-12-01 09:00:30 UTC, 2026-12-01 09:00:30 in Europe/Lisbon (+00:00)"},
		{"2026-12-24T09:00", "UTC", "2026-12-24T09:00:00Z", "2026-12-24 09:00 UTC"},
		{"2026-12-24T09:00Z", "", "2026-12-24T09:00:00Z", "2026-12-24 09:00 UTC"},
		{"2026-12-24T09:00-03:00", "", "2026-12-24T09:00:00-03:00", "2026-12-24 12:00 UTC, 2026-12-24 09:00 -03:00"},
		{"2026-12-24T09:00-03:00", "America/Sao_Paulo", "2026-12-24T09:00:00-03:00", "2026-12-24 12:00 UTC, 2026-12-24 09:00 in America/Sao_Paulo (-03:00)"},
		// Both readings of a doubtful time, written as the refusal says.
		{"2026-11-01T01:30-04:00", "America/New_York", "2026-11-01T01:30:00-04:00", "2026-11-01 05:30 UTC, 2026-11-01 01:30 in America/New_York (-04:00)"},
		{"2026-11-01T01:30-05:00", "America/New_York", "2026-11-01T01:30:00-05:00", "2026-11-01 06:30 UTC, 2026-11-01 01:30 in America/New_York (-05:00)"},
		// The edges of a gap and of a fold are no doubt.
		{"2026-03-08T01:59:59", "America/New_York", "2026-03-08T01:59:59-05:00", "2026-03-08 06:59:59 UTC, 2026-03-08 01:59:59 in America/New_York (-05:00)"},
		{"2026-03-08T03:00", "America/New_York", "2026-03-08T03:00:00-04:00", "2026-03-08 07:00 UTC, 2026-03-08 03:00 in America/New_York (-04:00)"},
		{"2026-11-01T00:59:59", "America/New_York", "2026-11-01T00:59:59-04:00", "2026-11-01 04:59:59 UTC, 2026-11-01 00:59:59 in America/New_York (-04:00)"},
		{"2026-11-01T02:00", "America/New_York", "2026-11-01T02:00:00-05:00", "2026-11-01 07:00 UTC, 2026-11-01 02:00 in America/New_York (-05:00)"},
	} {
		s, err := ParseSchedule(c.at, c.zone)
		if err != nil || s.SendAt.Format(time.RFC3339) != c.want || s.String() != c.shown {
			t.Errorf("%s %s: got %s, %q, %v", c.at, c.zone, s.SendAt.Format(time.RFC3339), s.String(), err)
		}
	}
}

func TestADoubtfulTimeIsRefusedWithTheWayOut(t *testing.T) {
	for _, c := range []struct{ at, zone, words string }{
		{"2026-03-08T02:30", "America/New_York", "does not exist in America/New_York, whose clocks skip it: it could mean 2026-03-08T01:30-05:00 or 2026-03-08T03:30-04:00"},
		{"2026-11-01T01:30", "America/New_York", "exists twice in America/New_York: as 2026-11-01T01:30-04:00 and as 2026-11-01T01:30-05:00"},
		{"2026-03-29T01:00", "Europe/Lisbon", "does not exist"},
		{"2026-10-25T01:59:59", "Europe/Lisbon", "as 2026-10-25T01:59:59+01:00 and as 2026-10-25T01:59:59Z"},
		{"2018-11-04T00:30", "America/Sao_Paulo", "does not exist"}, // the last year with daylight saving there
		{"2026-04-05T01:45", "Australia/Lord_Howe", "exists twice"}, // by half an hour
		{"2026-12-24T09:00", "", "no zone"},
		{"2026-12-24", "America/Sao_Paulo", "no date with a time of day"},
		{"tomorrow", "UTC", "no date with a time of day"},
		{"2026-02-30T09:00", "UTC", "no date with a time of day"},
		{"2026-12-24T09:00:00.5", "UTC", "no date with a time of day"},
		{"2026-12-24T09:00", "Local", "zone:"},
		{"2026-12-24T09:00", "BRT", "zone:"},
		{"2026-12-24T09:00", "-03:00", "put the offset behind the time"},
		{"2026-12-24T09:00", "../etc/passwd", "zone:"},
		{"2026-12-24T09:00-05:00", "America/Sao_Paulo", "does not agree with America/Sao_Paulo, whose clocks show 2026-12-24T11:00-03:00"},
		{"2026-12-24T09:00-23:00", "", "an offset that no zone has"},
	} {
		if s, err := ParseSchedule(c.at, c.zone); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s %s: got %v, %v, want %q", c.at, c.zone, s, err, c.words)
		}
	}
}

// Whatever is taken shows again what was written, and whatever is refused as doubtful is taken as its refusal spells it.
func TestEveryLocalTimeConvertsBackToItself(t *testing.T) {
	zones := []string{"America/Sao_Paulo", "America/New_York", "Europe/Lisbon", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Africa/Casablanca", "UTC"}
	rapid.Check(t, func(r *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(r, "zone")
		start := time.Date(2011, 1, 1, 0, 0, 0, 0, time.UTC)
		wall := start.Add(time.Duration(rapid.IntRange(0, 40*366*24*60).Draw(r, "minutes")) * time.Minute)
		at := wall.Format("2006-01-02T15:04")
		s, err := ParseSchedule(at, zone)
		if err == nil {
			loc, _ := time.LoadLocation(zone)
			if back := s.SendAt.In(loc).Format("2006-01-02T15:04"); back != at || s.SendAt.Format("2006-01-02T15:04") != at {
				r.Fatalf("%s %s became %s", at, zone, back)
			}
			return
		}
		for word := range strings.FieldsSeq(strings.NewReplacer(",", " ", ";", " ").Replace(err.Error())) {
			if _, ok := parseForms(offsetForms, word); ok {
				if _, err := ParseSchedule(word, zone); err != nil {
					r.Fatalf("%s %s: the way out %s is refused: %v", at, zone, word, err)
				}
			}
		}
	})
}

func TestAScheduleIsReadAsItWasWritten(t *testing.T) {
	s, err := ParseSchedule("2026-12-24T09:00", "America/Sao_Paulo")
	if err != nil {
		t.Fatal(err)
	}
	s.Late = Lateness(DefaultLate)
	text, err := json.Marshal(s)
	if want := `{"send_at":"2026-12-24T09:00:00-03:00","send_zone":"America/Sao_Paulo","late":"15m0s","missed":false}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v", text, err)
	}
	var back Schedule
	if err := json.Unmarshal(text, &back); err != nil || !SameTime(&s, &back) || back.Late != s.Late || back.String() != s.String() {
		t.Errorf("got %+v, %v", back, err)
	}
	if again := InZone(s.SendAt.UTC(), s.SendZone); again.Format(time.RFC3339) != "2026-12-24T09:00:00-03:00" {
		t.Errorf("from UTC it became %s", again.Format(time.RFC3339))
	}
}

func TestOverdueBeginsAfterTheLastMoment(t *testing.T) {
	at := time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)
	s := Schedule{SendAt: at, SendZone: "UTC", Late: Lateness(15 * time.Minute)}
	if s.Overdue(at) || s.Overdue(at.Add(15*time.Minute)) || !s.Overdue(at.Add(15*time.Minute+1)) {
		t.Error("overdue is not after send_at and late")
	}
	if s.Missed = true; !s.Overdue(at) {
		t.Error("what was missed once is on time again")
	}
}
