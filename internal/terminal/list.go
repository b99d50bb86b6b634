package terminal

import (
	"strings"

	"charm.land/lipgloss/v2"

	"postonce/publication"
)

// List draws one line for each operation: where it stands, its ID, and what holds it up.
func List(snapshots []publication.Snapshot) string {
	rows := [][]string{{Faint("STATE"), Faint("AT TABNEWS"), Faint("VERIFIED"), Faint("OPERATION"), Faint("TITLE")}}
	for _, s := range snapshots {
		rows = append(rows, []string{
			State(s.State), atTabNews(s), orDash(string(s.Verification)),
			Line(string(s.Operation)), publication.Clip(Line(s.Title), 60) + listTime(s),
		})
	}
	return align(rows)
}

// atTabNews adds the word of the drift watch: what is gone has no status that anybody knows.
func atTabNews(s publication.Snapshot) string {
	if s.Drift == nil {
		return orDash(string(s.RemoteStatus))
	}
	return orDash(string(s.RemoteStatus)) + ", " + Line(string(s.Drift.Seen))
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return Line(s)
}

// align pads the columns by what a terminal shows, not by bytes: the cells hold colours and accents.
func align(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	var out strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell + strings.Repeat(" ", widths[i]-lipgloss.Width(cell)+2))
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return out.String()
}
