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
	return publication.Clip(in.Payload.Title, summaryLimit)
}

// detailsOf is Markdown for the workflow's page: what is fixed from the start.
func detailsOf(in workflows.PublishInput) string {
	var out strings.Builder
	fmt.Fprintf(&out, "**%s** as %s, %d bytes\n\n`%s`\n\n", in.Operation.Reference(), in.Payload.Status, len(in.Payload.CanonicalJSON()), in.Digest)
	fmt.Fprintf(&out, "proposed by %s", in.ProposedBy)
	if in.ApprovedBy != "" {
		fmt.Fprintf(&out, ", approved by %s", in.ApprovedBy)
	}
	out.WriteString("\n\n")
	for line := range strings.Lines(excerpt(in.Payload.Body)) {
		out.WriteString("> " + line)
	}
	return out.String()
}

// excerpt is the body's beginning.
func excerpt(body string) string {
	lines := strings.SplitN(body, "\n", excerptLines+1)
	if len(lines) > excerptLines {
		lines[excerptLines] = "…"
	}
	return publication.Clip(strings.Join(lines, "\n"), excerptLimit)
}
