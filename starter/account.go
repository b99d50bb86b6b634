package main

import (
	"context"
	"fmt"
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

// who gives the person who acts, and the account that is acted for.
func (a *app) who(ctx context.Context, flags approvalFlags) (by, account string, err error) {
	if by, err = a.person(flags.by); err != nil {
		return "", "", err
	}
	account, err = a.accountFor(ctx, flags.account)
	return by, account, err
}

// ownReference reads REF, and is own.
func (a *app) ownReference(ctx context.Context, arg string, flags approvalFlags) (ref publication.Reference, by string, err error) {
	if ref, err = a.reference(arg); err != nil {
		return ref, "", badInput(err)
	}
	return a.own(ctx, ref, flags)
}

// reference reads owner/slug or a page's address, that of the TabNews that TABNEWS_URL names too.
func (a *app) reference(arg string) (publication.Reference, error) {
	return publication.ParseReference(strings.TrimPrefix(arg, a.site()+"/"))
}

// own gives the reference with its owner in the best spelling that is known, and the person who acts. The owner must be
// the account: TabNews lets nobody change what others wrote.
func (a *app) own(ctx context.Context, ref publication.Reference, flags approvalFlags) (publication.Reference, string, error) {
	by, account, err := a.who(ctx, flags)
	if err != nil {
		return ref, "", err
	}
	if !strings.EqualFold(ref.Owner, account) {
		return ref, "", usage(fmt.Sprintf("%s: is another account than %s, and TabNews lets nobody change what others wrote", ref.Owner, account),
			"name content of "+account+", or set POSTONCE_ACCOUNT or --account")
	}
	ref.Owner = account
	return ref, by, nil
}
