package main

import (
	"context"

	"github.com/spf13/cobra"

	"postonce/internal/terminal"
	"postonce/publication"
	"postonce/workflows"
)

// approveFlags are the choices of `starter approve`.
type approveFlags struct {
	by, digest string
	yes, wait  bool
}

func (a *app) approveCommand() *cobra.Command {
	var flags approveFlags
	cmd := &cobra.Command{
		Use:   "approve OP",
		Short: "Allow a proposed payload to be sent once",
		Long: `Show the proposed payload, ask, and approve exactly that: the approval names its digest, and is refused if
another payload was proposed meanwhile. Where nobody can be asked, the command itself is the approval.`,
		Args: oneArgument("OP"),
		RunE: func(cmd *cobra.Command, args []string) error {
			op, err := a.operation(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.approve(cmd.Context(), op, flags)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.by, "by", "", "who approves (default: your login name)")
	f.StringVar(&flags.digest, "digest", "", "the digest that you saw; any other payload is refused")
	f.BoolVar(&flags.yes, "yes", false, "do not ask at a terminal")
	f.BoolVar(&flags.wait, "wait", false, "follow on until it settles or waits for a person")
	return cmd
}

func (a *app) approve(ctx context.Context, op publication.OperationID, flags approveFlags) error {
	by, err := a.person(flags.by)
	if err != nil {
		return err
	}
	seen, err := seenDigest(flags.digest)
	if err != nil {
		return err
	}
	e, s, err := a.open(ctx, op)
	if err != nil {
		return err
	}
	defer e.Close()
	a.previewProposal(ctx, e, s)
	if seen == "" {
		seen = s.Digest
	}
	if err := a.askAnother(ctx, flags, s, by); err != nil {
		return err
	}
	id := newDecisionID()
	input := workflows.ApproveInput{By: by, Digest: seen, ID: id}
	return a.decide(ctx, e, decision{op, workflows.SignalApprove, id, input}, flags.wait)
}

// askAnother asks at a terminal. Elsewhere the command itself is the approval, of the digest that it tells.
func (a *app) askAnother(ctx context.Context, flags approveFlags, s publication.Snapshot, by string) error {
	if a.prompt == nil || flags.yes || flags.digest != "" || s.State != publication.StateProposed {
		return nil
	}
	return a.confirm(ctx, approvalOf(s), "approved by "+by+", "+string(s.Digest), "Yes, send it once")
}

// approvalOf names what the approval would let happen.
func approvalOf(s publication.Snapshot) string {
	switch s.Operation.Kind() {
	case publication.KindRevise:
		return "Approve the change of " + s.Reference + "?"
	case publication.KindRemove:
		return "Approve the deletion of " + s.Reference + "?"
	}
	return "Approve " + s.Reference + "?"
}

func seenDigest(flag string) (publication.Digest, error) {
	if flag == "" {
		return "", nil
	}
	digest, err := publication.ParseDigest(flag)
	if err != nil {
		return "", badInput(err)
	}
	return digest, nil
}

// previewProposal shows the payload behind the digest that would be approved, if it is known.
func (a *app) previewProposal(ctx context.Context, e engine, s publication.Snapshot) {
	in, err := a.startedWith(ctx, e, s)
	if err != nil || publication.DigestOf(in.Payload, in.Base) != s.Digest {
		a.sayTime(s)
		a.say("the payload of %s cannot be shown here; approve it only if you know what %s holds", s.Operation, s.Digest)
		return
	}
	a.preview(a.drawInput(in))
	a.sayTime(s)
}

// drawInput draws what an operation would send in the way in which it was drawn where it was proposed.
func (a *app) drawInput(in workflows.PublishInput) drawn {
	account := in.Operation.Account()
	switch {
	case in.Operation.Kind() == publication.KindRemove && in.Base != nil:
		view := terminal.Removal{Base: *in.Base, Account: account, Site: a.site(), Unread: true}
		return drawn{view.Heading(), view.Text()}
	case in.Base != nil && in.Base.Readable():
		view := terminal.Change{Base: *in.Base, Payload: in.Payload, Account: account, Site: a.site()}
		return drawn{view.Heading(), view.Text(a.sideBySideWidth(false))}
	}
	return a.drawPreview(terminal.Preview{Payload: in.Payload, Base: in.Base, Account: account, Site: a.site()})
}
