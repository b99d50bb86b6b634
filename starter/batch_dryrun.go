package main

import (
	"fmt"

	"postonce/internal/terminal"
)

// dryRunBatch shows every request body and opens no connection.
func (a *app) dryRunBatch(files []batchFile, accountFlag string) error {
	account, err := a.dryRunAccount(accountFlag)
	if err != nil {
		return err
	}
	type item struct {
		File string `json:"file"`
		dryRunDocument
	}
	items := []item{}
	for _, file := range files {
		view := a.previewOf(file.text, account)
		if !a.json {
			terminal.Print(a.stdout, fmt.Sprintf("\n%s\n", terminal.Faint(terminal.Line(file.name))))
			if err := a.showDryRun(view); err != nil {
				return err
			}
		}
		items = append(items, item{file.name, dryRunOf(view)})
	}
	if !a.json {
		return nil
	}
	return a.printJSON(map[string]any{"items": items})
}
