package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"postonce/publication"
	"postonce/starter/frontmatter"
)

// article is a file made ready for approval.
type article struct {
	payload publication.Payload
	changes []publication.Change // what differs from the file
}

// readArticle reads a Markdown file with front matter and prepares what would be sent. Its errors name the file, the
// rule and the way out.
// draft is the flag that overrides the status in the file.
func readArticle(name string, draft bool) (article, error) {
	raw, err := readFile(name)
	if err != nil {
		return article{}, err
	}
	document, err := frontmatter.Parse(name, raw)
	if err != nil {
		return article{}, badInput(err)
	}
	if draft {
		asDraft(&document)
	}
	payload, changes, err := publication.Prepare(document.Payload)
	if err != nil {
		return article{}, badInput(placed(document, err))
	}
	return article{payload: payload, changes: append(document.Changes, changes...)}, nil
}

// readText reads a file that may do without front matter.
func readText(name string) (frontmatter.Document, error) {
	raw, err := readFile(name)
	if err != nil {
		return frontmatter.Document{}, err
	}
	document, err := frontmatter.ParseText(name, raw)
	if err != nil {
		return document, badInput(err)
	}
	return document, nil
}

// asDraft puts --draft in the place of the file's status, and tells it where the file says otherwise.
func asDraft(document *frontmatter.Document) {
	written := strings.TrimSpace(string(document.Payload.Status))
	if written != "" && written != string(publication.StatusDraft) {
		document.Changes = append(document.Changes, publication.Change{
			Field: "status", What: fmt.Sprintf("draft, as --draft says, not %q as the file says", publication.Clip(written, 40)),
		})
	}
	document.Payload.Status = publication.StatusDraft
}

// placed puts before each problem where in the file its field stands.
func placed(document frontmatter.Document, err error) error {
	var problems publication.Problems
	if !errors.As(err, &problems) {
		return err
	}
	lines := make([]string, len(problems))
	for i, problem := range problems {
		lines[i] = document.At(problem.Field) + ": " + problem.Error()
	}
	return errors.New(strings.Join(lines, " | "))
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, usage(name+": is a directory", "name the Markdown file in it")
	}
	raw, err := io.ReadAll(io.LimitReader(f, frontmatter.MaxSize+1))
	if err != nil {
		return nil, unreadable(name, err)
	}
	if len(raw) > frontmatter.MaxSize {
		return nil, usage(fmt.Sprintf("%s: is larger than %d bytes, more than TabNews takes", name, frontmatter.MaxSize), "shorten the text")
	}
	return raw, nil
}

func unreadable(name string, err error) error {
	switch {
	case errors.Is(err, os.ErrNotExist):
		return usage(name+": there is no such file", "check the path")
	case errors.Is(err, os.ErrPermission):
		return usage(name+": may not be read by you", "change the file's permissions")
	}
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return usage(fmt.Sprintf("%s: cannot be read: %s", name, err), "check the path")
}
