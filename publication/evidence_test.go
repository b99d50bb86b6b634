package publication

import "testing"

func TestClipCutsBetweenCharactersAndMarksTheCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"olá", 4, "olá"}, {"olá", 3, "ol…"}, {"olá!", 4, "olá…"}, {"", 0, ""}, {"😀😀", 5, "😀…"}, {"a", 0, "…"},
	} {
		if got := Clip(c.text, c.limit); got != c.want {
			t.Errorf("%q within %d: %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

func TestOnlyAlreadyExistsSaysThatTheSlugIsTaken(t *testing.T) {
	for code, want := range map[string]bool{
		"MODEL:CONTENT:CHECK_FOR_CONTENT_UNIQUENESS:ALREADY_EXISTS": true,
		"MODEL:VALIDATOR:FINAL_SCHEMA":                              false,
		"ALREADY_EXISTS_NOT":                                        false,
		"":                                                          false,
	} {
		if got := (&APIError{ErrorLocationCode: code, Key: "slug"}).SlugTaken(); got != want {
			t.Errorf("%s: %v", code, got)
		}
	}
	if (*APIError)(nil).SlugTaken() {
		t.Error("no error says that the slug is taken")
	}
}

func TestAnAPIErrorSaysWhatTabNewsSaid(t *testing.T) {
	e := APIError{StatusCode: 400, Name: "ValidationError", Message: "O conteúdo enviado parece ser duplicado."}
	if got := e.Error(); got != "TabNews answered 400 ValidationError: O conteúdo enviado parece ser duplicado." {
		t.Error(got)
	}
	e.Action = "Utilize outro."
	if got := e.Error(); got != "TabNews answered 400 ValidationError: O conteúdo enviado parece ser duplicado. Utilize outro." {
		t.Error(got)
	}
}
