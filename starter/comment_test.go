package main

import (
	"regexp"
	"strings"
	"testing"

	"postonce/publication"
	"postonce/workflows"
)

// started gives what a comment would start; the world has rui/ola as its parent.
func startedComment(t *testing.T, args ...string) (workflows.PublishInput, *bench) {
	t.Helper()
	parent := olaPage()
	parent.OwnerUsername, parent.ID = "rui", "ABCDEF11-1111-4111-8111-111111111111"
	e := &fakeEngine{}
	b := newBench(t, e)
	b.withPages(parent)
	b.mustRun(t, 6, append([]string{"comment", "--on", "rui/ola", "--yes", "--no-wait"}, args...)...)
	return e.started[0], b
}

func TestACommentAnswersItsParent(t *testing.T) {
	in, b := startedComment(t, writeFile(t, "Concordo.\n"))
	p := in.Payload
	if p.ParentID != "abcdef11-1111-4111-8111-111111111111" || p.Title != "" || p.Body != "Concordo." || p.Status != publication.StatusPublished {
		t.Errorf("started %+v", p)
	}
	if !regexp.MustCompile(`^comentario-[0-9a-f]{16}$`).MatchString(p.Slug) || in.Operation != publication.PublishID("ana", p.Slug) || in.Base != nil {
		t.Errorf("started %s", in.Operation)
	}
	b.saysOnStderr(t, `"Olá" by rui (rui/ola), id abcdef11`, "Concordo.", p.Slug, "POST ")
}

func TestTheSameCommentIsTheSameOperation(t *testing.T) {
	first, _ := startedComment(t, writeFile(t, "Concordo.\n"))
	again, _ := startedComment(t, writeFile(t, "\nConcordo."))
	if first.Operation != again.Operation || first.Digest != again.Digest {
		t.Errorf("%s and %s", first.Operation, again.Operation)
	}
	named, _ := startedComment(t, writeFile(t, "Concordo."), "--operation", "segunda")
	if named.Payload.Slug != first.Payload.Slug+"-segunda" {
		t.Errorf("got %s", named.Payload.Slug)
	}
	given, _ := startedComment(t, writeFile(t, "---\ntitle: Sim\nslug: meu-slug\n---\nConcordo."))
	if given.Operation != "publish/ana/meu-slug" || given.Payload.Title != "Sim" {
		t.Errorf("got %+v", given)
	}
}

func TestCommentSlugsDependOnEveryPartOfTheIntent(t *testing.T) {
	p := publication.Payload{ParentID: "p", Title: "a", Body: "b"}
	want := commentSlug("ana", p, "")
	if got := commentSlug("ANA", p, ""); got != want {
		t.Errorf("the spelling of the account makes another comment: %s", got)
	}
	seen := map[string]bool{want: true}
	for _, other := range []string{
		commentSlug("rui", p, ""), commentSlug("ana", p, "x"),
		commentSlug("ana", publication.Payload{ParentID: "q", Title: "a", Body: "b"}, ""),
		commentSlug("ana", publication.Payload{ParentID: "p", Title: "b", Body: "a"}, ""),
		commentSlug("ana", publication.Payload{ParentID: "p", Title: "ab"}, ""),
		commentSlug("ana", publication.Payload{ParentID: "p", Body: "ab"}, ""),
	} {
		if seen[other] || publication.ValidSlug(other) != nil {
			t.Errorf("%s is not of its own", other)
		}
		seen[other] = true
	}
	// Fixed: another derivation would publish every comment of the past a second time.
	if want != "comentario-058ce5c724009f51" {
		t.Errorf("the derivation changed: %s", want)
	}
}

func TestACommentIsRefusedBeforeAnythingStarts(t *testing.T) {
	text := writeFile(t, "Concordo.")
	for _, c := range []struct {
		args []string
		word string
	}{
		{[]string{"--on", "rui/nada", text}, "comment: rui/nada: TabNews shows nothing there"},
		{[]string{"--on", "nada", text}, `--on: reference "nada"`},
		{[]string{text}, "give --on OWNER/SLUG"},
		{[]string{"--on", "ana/ola", "--operation", "Não", text}, "--operation: "},
		{[]string{"--on", "ana/ola", "--operation", strings.Repeat("a", 61), text}, "--operation: "},
		{[]string{"--on", "ana/ola", "--operation", "b", writeFile(t, "---\nslug: a\n---\nx")}, "texto.md:2: slug: the file names one"},
		{[]string{"--on", "ana/ola", writeFile(t, "![]()")}, "texto.md:1: body: must hold text"},
	} {
		e := &fakeEngine{}
		b := newBench(t, e)
		b.withPages(olaPage())
		b.mustRun(t, 2, append([]string{"comment", "--yes"}, c.args...)...)
		b.saysOnStderr(t, c.word)
		if n := strings.Count(b.err.String(), "\n"); n != 1 || len(e.started) != 0 {
			t.Errorf("%q: %d lines, started %d", c.args, n, len(e.started))
		}
	}
}

func TestADryCommentStartsNothing(t *testing.T) {
	e := &fakeEngine{}
	b := newBench(t, e)
	b.withPages(olaPage())
	b.mustRun(t, 0, "comment", "--on", "ana/ola", "--dry-run", writeFile(t, "Concordo."))
	if !strings.Contains(b.out.String(), `{"body":"Concordo.","parent_id":"11111111-`) || len(e.started) != 0 {
		t.Errorf("got %s", &b.out)
	}
}
