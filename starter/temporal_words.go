package main

import (
	"fmt"
	"strings"

	"postonce/publication"
	"postonce/workflows"
)

// Limits of what the Web UI shows with a workflow; Temporal refuses a summary beyond 400 bytes.
const (
	summaryLimit = 380
	excerptLines = 12
	excerptLimit = 1500
)

// summaryOf is the line in the Web UI's list.
func summaryOf(in workflows.PublishInput) string {
	title := in.Payload.Title
	if title == "" { // a comment
		title = strings.Join(strings.Fields(excerpt(in.Payload.Body)), " ")
	}
	return publication.Clip(summaryPrefix[in.Operation.Kind()]+title, summaryLimit)
}

var summaryPrefix = map[publication.Kind]string{
	publication.KindRevise: "edit: ", publication.KindRemove: "remove: ", publication.KindTrack: "track: ",
}

// detailsOf is Markdown for the workflow's page: what is fixed from the start.
func detailsOf(in workflows.PublishInput) string {
	var out strings.Builder
	fmt.Fprintf(&out, "**%s** as %s, %s\n\n`%s`\n\n", in.Operation.Reference(), in.Payload.Status, requestWords(in), in.Digest)
	fmt.Fprintf(&out, "proposed by %s", in.ProposedBy)
	if in.ApprovedBy != "" {
		fmt.Fprintf(&out, ", approved by %s", in.ApprovedBy)
	}
	if in.Schedule != nil {
		fmt.Fprintf(&out, "; to be sent at %s", in.Schedule)
	}
	out.WriteString("\n\n")
	for line := range strings.Lines(excerpt(in.Payload.Body)) {
		out.WriteString("> " + line)
	}
	return out.String()
}

// requestWords name the one request.
func requestWords(in workflows.PublishInput) string {
	switch {
	case in.Operation.Kind() == publication.KindTrack:
		return "nothing is sent"
	case in.Base != nil:
		return fmt.Sprintf("PATCH of the version %s, %d bytes", in.Base.Version(), len(in.Base.PatchTo(in.Payload).CanonicalJSON()))
	}
	return fmt.Sprintf("POST, %d bytes", len(in.Payload.CanonicalJSON()))
}

// excerpt is the body's beginning.
func excerpt(body string) string {
	lines := strings.SplitN(body, "\n", excerptLines+1)
	if len(lines) > excerptLines {
		lines[excerptLines] = "…"
	}
	return publication.Clip(strings.Join(lines, "\n"), excerptLimit)
}
