package devstack

import (
	"strings"
	"testing"

	"postonce/tabnews/tabnewstest"
)

func TestTheAccountOfAServerIsWhoeverLogsIn(t *testing.T) {
	server := tabnewstest.New()
	if err := server.Start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for name, c := range map[string]struct {
		environ       []string
		account, fail string
	}{
		"credentials":    {[]string{"TABNEWS_EMAIL=leitor@example.com", "TABNEWS_PASSWORD=senha-leitor-123"}, "leitor", ""},
		"named":          {[]string{"POSTONCE_ACCOUNT=ana", "TABNEWS_SESSION=x"}, "ana", ""},
		"wrong password": {[]string{"TABNEWS_EMAIL=leitor@example.com", "TABNEWS_PASSWORD=senha-errada-9"}, "", "TABNEWS_PASSWORD"},
	} {
		s := &Stack{opts: Options{TabNewsURL: server.URL(), Environ: c.environ}}
		err := s.findAccount(t.Context())
		if s.account != c.account || (err == nil) != (c.fail == "") {
			t.Errorf("%s: %q, %v", name, s.account, err)
		}
		if err != nil && (!strings.Contains(err.Error(), c.fail) || strings.Contains(err.Error(), "senha-errada-9")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
