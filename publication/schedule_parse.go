package publication

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // the zones, also where the machine has none
)

// The forms of a time as people write it. Seconds may be left out.
var (
	offsetForms = []string{"2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z07:00"}
	localForms  = []string{"2006-01-02T15:04", "2006-01-02T15:04:05"}
)

// The way out of a time that cannot be read.
const atExample = "write it like 2026-12-24T09:00 with a zone such as America/Sao_Paulo, or like 2026-12-24T09:00-03:00"

// ParseSchedule reads a time to send: a local time with a named zone of the IANA database, or a time with its offset
// (RFC 3339; seconds may be left out), to which a zone may be added for people to read. A local time that the zone's
// clocks skip, or show twice, is refused with both readings. Late and Missed are left zero.
//
// It reads the time zone database, which is no part of a workflow's deterministic world.
func ParseSchedule(at, zone string) (Schedule, error) {
	at, zone = strings.TrimSpace(at), strings.TrimSpace(zone)
	if t, ok := parseForms(offsetForms, at); ok {
		return withOffset(at, t, zone)
	}
	wall, ok := parseForms(localForms, at)
	switch {
	case !ok:
		return Schedule{}, fmt.Errorf("at: %q is no date with a time of day; %s", Clip(at, 60), atExample)
	case zone == "":
		return Schedule{}, fmt.Errorf("at: %s says no zone, so it names no moment; %s", at, atExample)
	}
	loc, err := location(zone)
	if err != nil {
		return Schedule{}, err
	}
	switch found, skipped := readings(wall, loc); len(found) {
	case 1:
		return scheduleAt(found[0], zone), nil
	case 0:
		return Schedule{}, fmt.Errorf("at: %s does not exist in %s, whose clocks skip it: it could mean %s or %s; write the one that is meant", at, zone, spell(skipped[0]), spell(skipped[1]))
	default:
		return Schedule{}, fmt.Errorf("at: %s exists twice in %s: as %s and as %s; write the one that is meant", at, zone, spell(found[0]), spell(found[1]))
	}
}

// parseForms takes whole seconds only: what is shown later shows no more.
func parseForms(forms []string, at string) (time.Time, bool) {
	for _, form := range forms {
		if t, err := time.Parse(form, at); err == nil && t.Nanosecond() == 0 {
			return t, true
		}
	}
	return time.Time{}, false
}

// mostOffset is the greatest distance of a zone from UTC, and some more.
const mostOffset = 16 * 60 * 60

// withOffset takes a time that says its own offset. A zone beside it must have that offset then.
func withOffset(at string, t time.Time, zone string) (Schedule, error) {
	_, offset := t.Zone()
	if offset > mostOffset || offset < -mostOffset {
		return Schedule{}, fmt.Errorf("at: %s has an offset that no zone has; %s", at, atExample)
	}
	if zone == "" {
		zone = "UTC"
		if offset != 0 {
			zone = t.Format("-07:00")
		}
		return scheduleAt(t, zone), nil
	}
	loc, err := location(zone)
	if err != nil {
		return Schedule{}, err
	}
	if _, has := t.In(loc).Zone(); has != offset {
		return Schedule{}, fmt.Errorf("at: %s does not agree with %s, whose clocks show %s then; correct one of the two", at, zone, spell(t.In(loc)))
	}
	return scheduleAt(t, zone), nil
}

func scheduleAt(t time.Time, zone string) Schedule {
	return Schedule{SendAt: InZone(t, zone), SendZone: zone}
}

// location is a zone of the IANA database. Go's own names for "here" are none: a schedule outlives the machine.
func location(zone string) (*time.Location, error) {
	loc, err := time.LoadLocation(zone)
	if err == nil && (zone == "" || zone == "Local") {
		err = errors.New("not a name")
	}
	if err != nil {
		return nil, fmt.Errorf("zone: %q is no zone of the IANA time zone database; write a name such as America/Sao_Paulo, or put the offset behind the time: 2026-12-24T09:00-03:00", Clip(zone, 60))
	}
	return loc, nil
}

// readings gives the moments at which the zone's clocks show the wall time, earliest first: one, or two where the
// clocks are put back. Where they skip it, skipped has what the offsets before and after would make of it.
func readings(wall time.Time, loc *time.Location) (found, skipped []time.Time) {
	for _, offset := range offsetsAround(wall, loc) {
		t := wall.Add(-time.Duration(offset) * time.Second).In(loc)
		if _, has := t.Zone(); has == offset {
			found = append(found, t)
		} else {
			skipped = append(skipped, t)
		}
	}
	byTime := func(a, b time.Time) int { return a.Compare(b) }
	slices.SortFunc(found, byTime)
	slices.SortFunc(skipped, byTime)
	return found, skipped
}

// offsetsAround are the offsets, in seconds east of UTC, that the zone has within a good day of the wall time: clocks
// are put forward or back by less, and twice in that time by nobody.
func offsetsAround(wall time.Time, loc *time.Location) []int {
	near := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, loc)
	start, end := near.ZoneBounds()
	var offsets []int
	for _, t := range []time.Time{start.Add(-time.Second), near, end} {
		if t.Sub(near).Abs() > 26*time.Hour {
			continue
		}
		if _, offset := t.In(loc).Zone(); !slices.Contains(offsets, offset) {
			offsets = append(offsets, offset)
		}
	}
	return offsets
}

// spell writes a moment in the form that names it without doubt.
func spell(t time.Time) string {
	if t.Second() == 0 {
		return t.Format(offsetForms[0])
	}
	return t.Format(offsetForms[1])
}
