package e2e

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// A promise without its test is a wish: every test that docs/guarantees.md and docs/backup.md name exists.
func TestEveryGuaranteeNamesTestsThatExist(t *testing.T) {
	var page []byte
	for _, name := range []string{"guarantees.md", "backup.md"} {
		text, err := os.ReadFile("../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		page = append(page, text...)
	}
	grep := exec.Command("grep", "-rhoE", "--include=*_test.go", "^func (Test|Fuzz)[A-Za-z0-9_]+", "..")
	out, err := grep.Output()
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllStringSubmatch(string(page), -1)
	if len(names) < 15 {
		t.Errorf("only %d tests are named", len(names))
	}
	for _, name := range names {
		if !strings.Contains(string(out), "func "+name[1]+"\n") {
			t.Errorf("docs/guarantees.md or docs/backup.md names %s, which does not exist", name[1])
		}
	}
}
