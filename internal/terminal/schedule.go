package terminal

import (
	"time"

	"postonce/publication"
)

// sendTime is a schedule in UTC and in the zone it was written in, and how late it may be; empty when there is none.
func sendTime(s *publication.Schedule) string {
	if s == nil {
		return ""
	}
	return Line(s.String()) + ", or no later than " + time.Duration(s.Late).String() + " after"
}

// sendTime is told as long as it can still matter.
func (v View) sendTime() string {
	if v.State != publication.StateProposed && v.State != publication.StatePlanned {
		return ""
	}
	if v.Closed && v.Schedule != nil {
		return warnStyle.Render("nothing runs: ") + sendTime(v.Schedule)
	}
	if v.Missed() {
		return warnStyle.Render("missed: ") + sendTime(v.Schedule)
	}
	return sendTime(v.Schedule)
}

// listTime goes behind an operation's title while it waits for its time.
func listTime(s publication.Snapshot) string {
	switch {
	case s.Closed:
		return "  " + warnStyle.Render("nothing runs")
	case s.Missed():
		return "  " + warnStyle.Render("missed "+Line(s.Schedule.String()))
	case s.Schedule != nil && (s.State == publication.StateProposed || s.State == publication.StatePlanned):
		return "  " + Faint("at "+Line(s.Schedule.String()))
	}
	return ""
}
