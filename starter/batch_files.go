package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// batchFile is one file of a batch, made ready for approval.
type batchFile struct {
	name string
	text article
}

// isFolder reports whether an argument of publish is a folder. What cannot be looked at is left to the reading, which
// says why.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// filesOf puts the Markdown files of each folder in its place, in the order of their names. Folders in it are left
// alone: what lies deeper was put there to be out of the way, and a publication is not taken back.
func filesOf(args []string) (names []string, problems []error) {
	for _, arg := range args {
		if !isFolder(arg) {
			names = append(names, arg)
			continue
		}
		inside, err := markdownIn(arg)
		if err != nil {
			problems = append(problems, err)
		}
		names = append(names, inside...)
	}
	return names, problems
}

func markdownIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, unreadable(folder, err)
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() || strings.HasPrefix(entry.Name(), ".") || !strings.EqualFold(filepath.Ext(entry.Name()), ".md") {
			continue
		}
		names = append(names, filepath.Join(folder, entry.Name()))
	}
	if len(names) == 0 {
		return nil, usage(folder+": holds no .md file, and folders in it are not looked into", "name the files, or the folder that they are in")
	}
	return names, nil
}

// readBatch reads and checks every file, and gives every problem of all of them.
func readBatch(args []string, draft bool) (files []batchFile, problems []error) {
	names, problems := filesOf(args)
	first := map[string]string{} // the file that has a slug already
	for _, name := range names {
		text, err := readArticle(name, draft)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		slug := text.payload.Slug
		switch earlier, taken := first[slug]; {
		case taken && earlier == name:
			problems = append(problems, usage(name+": is named twice", "name it once"))
		case taken:
			problems = append(problems, usage(fmt.Sprintf("%s: slug: %q is that of %s too, and one slug is one publication", name, slug, earlier), "give one of them another slug"))
		default:
			first[slug] = name
		}
		files = append(files, batchFile{name, text})
	}
	return files, problems
}

// refuseBatch tells every problem on its own line; nothing was started.
func (a *app) refuseBatch(problems []error) error {
	switch len(problems) {
	case 0:
		return nil
	case 1:
		return problems[0]
	}
	for _, problem := range problems {
		a.say("%s", problem)
	}
	refusal := usage(fmt.Sprintf("publish: there are %d problems, so nothing was started", len(problems)), "correct what is told above")
	refusal.problems = problems
	return refusal
}
