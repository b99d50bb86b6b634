package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A promise without its test is a wish: every test that a page of docs names exists.
func TestEveryGuaranteeNamesTestsThatExist(t *testing.T) {
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatalf("pages %q, %v", pages, err)
	}
	grep := exec.Command("grep", "-rhoE", "--include=*_test.go", "^func (Test|Fuzz)[A-Za-z0-9_]+", "..")
	out, err := grep.Output()
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`")
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range named.FindAllStringSubmatch(string(text), -1) {
			if found++; !strings.Contains(string(out), "func "+name[1]+"\n") {
				t.Errorf("%s names %s, which does not exist", page, name[1])
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d tests are named", found)
	}
}
