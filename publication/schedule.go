package publication

import (
	"errors"
	"fmt"
	"time"
)

// DefaultLate is how much later than its time an operation may still be sent by itself.
const DefaultLate = 15 * time.Minute

// Schedule is when an operation is to be sent. It belongs to the operation and not to the payload: moving it changes
// no digest and voids no approval.
type Schedule struct {
	// SendAt is the earliest moment of the send, with the offset that SendZone has then. The moment counts: a zone whose
	// rules change later moves nothing.
	SendAt   time.Time `json:"send_at"`
	SendZone string    `json:"send_zone"` // the IANA name, UTC, or the offset, as a person wrote it
	Late     Lateness  `json:"late"`      // how much later it may still be sent by itself
	Missed   bool      `json:"missed"`    // the time passed without a send, by more than Late: a person decides
}

// Lateness is a length of time whose JSON is text such as "15m0s".
type Lateness time.Duration

// MarshalText writes it as time.Duration prints it.
func (l Lateness) MarshalText() ([]byte, error) { return []byte(time.Duration(l).String()), nil }

// UnmarshalText reads what time.ParseDuration reads.
func (l *Lateness) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	*l = Lateness(d)
	return err
}

// LastMoment is the latest moment at which the operation is still sent by itself.
func (s Schedule) LastMoment() time.Time { return s.SendAt.Add(time.Duration(s.Late)) }

// Overdue reports whether the last moment has passed, or was found to have passed before.
func (s Schedule) Overdue(now time.Time) bool { return s.Missed || now.After(s.LastMoment()) }

// CheckSchedule refuses what is no whole schedule, and any for an operation that has none: a removal is ordered on the
// spot, and track sends nothing. Nil, which means now, is right for every operation.
func CheckSchedule(op OperationID, s *Schedule) error {
	switch kind := op.Kind(); {
	case s == nil:
		return nil
	case kind == KindRemove || kind == KindTrack:
		return fmt.Errorf("schedule: the operation %s has no time; a person orders it when it is to be done", op)
	case s.SendAt.IsZero() || s.SendZone == "":
		return errors.New("schedule: send_at and send_zone are needed")
	case s.Late <= 0:
		return errors.New("schedule: late must be longer than nothing, such as 15m")
	}
	return nil
}

// SameTime reports whether two schedules, nil meaning none, order the same moment in the same zone.
func SameTime(a, b *Schedule) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.SendAt.Equal(b.SendAt) && a.SendZone == b.SendZone
}

// String shows the moment in UTC and as the clocks of the zone show it.
func (s Schedule) String() string {
	utc := clock(s.SendAt.UTC()) + " UTC"
	switch offset := s.SendAt.Format("-07:00"); {
	case s.SendZone == "UTC":
		return utc
	case s.SendZone == offset:
		return utc + ", " + clock(s.SendAt) + " " + offset
	default:
		return utc + ", " + clock(s.SendAt) + " in " + s.SendZone + " (" + offset + ")"
	}
}

// clock leaves out seconds that nobody wrote.
func clock(t time.Time) string {
	if t.Second() == 0 {
		return t.Format("2006-01-02 15:04")
	}
	return t.Format("2006-01-02 15:04:05")
}

// InZone gives t the offset that the zone has then, as a fixed one: who formats it later needs no time zone database.
// A zone that is not known here leaves t in UTC.
func InZone(t time.Time, zone string) time.Time {
	offset := 0
	if fixed, err := time.Parse("-07:00", zone); err == nil {
		_, offset = fixed.Zone()
	} else if loc, err := location(zone); err == nil {
		_, offset = t.In(loc).Zone()
	}
	if offset == 0 {
		return t.UTC()
	}
	return t.In(time.FixedZone("", offset))
}
