package main

import (
	"os/user"
	"strings"

	"postonce/publication"
)

// checkAccount refuses what cannot be a TabNews user name, in the words of the domain.
func checkAccount(account string) error {
	if _, err := publication.ParseReference(account + "/slug"); err != nil {
		return usage("account: "+account+" is no TabNews user name, which has 3 to 30 ASCII letters and digits",
			"correct --account or POSTONCE_ACCOUNT")
	}
	return nil
}

// askedAccount is the account that the person named, or empty.
func (a *app) askedAccount(flag string) (string, error) {
	account := strings.TrimSpace(flag)
	if account == "" {
		account = strings.TrimSpace(a.getenv("POSTONCE_ACCOUNT"))
	}
	if account == "" {
		return "", nil
	}
	return account, checkAccount(account)
}

var errNoAccount = usage("account: none is named",
	"set POSTONCE_ACCOUNT or --account, or TABNEWS_URL, TABNEWS_EMAIL and TABNEWS_PASSWORD to log in")

// person is who decides: --by, else the name this machine knows the person by.
func (a *app) person(by string) (string, error) {
	for _, name := range []string{by, a.getenv("LOGNAME"), a.getenv("USER"), systemUser()} {
		if name = strings.Join(strings.Fields(name), " "); name != "" {
			return name, nil
		}
	}
	return "", usage("--by: nobody is named", "say who decides: --by NAME")
}

func systemUser() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}
