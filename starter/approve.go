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
another payload was proposed meanwhile.`,
		Args: oneArgument("OP"),
		RunE: func(cmd *cobra.Command, args []string) error {
			op, err := operationOf(args[0])
			if err != nil {
				return err
			}
			return a.approve(cmd.Context(), op, flags)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.by, "by", "", "who approves (default: your login name)")
	f.StringVar(&flags.digest, "digest", "", "the digest that you saw; any other payload is refused")
	f.BoolVar(&flags.yes, "yes", false, "do not ask")
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
	e, err := a.dial(ctx)
	if err != nil {
		return failed(err)
	}
	defer e.Close()
	if err := a.mustBeOpen(ctx, e, op); err != nil {
		return err
	}
	s, err := a.lookup(ctx, e, op)
	if err != nil {
		return err
	}
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
	return a.confirm(ctx, "Approve "+s.Reference+"?", "approved by "+by+", "+string(s.Digest), "Yes, send it once")
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

// previewProposal shows the payload behind the digest that would be approved, if it is the one that the workflow
// started with.
func (a *app) previewProposal(ctx context.Context, e engine, s publication.Snapshot) {
	in, err := e.Input(ctx, s.Operation)
	if err != nil || in.Payload.Digest() != s.Digest {
		a.say("the payload of %s cannot be shown here; approve it only if you know what %s holds", s.Operation, s.Digest)
		return
	}
	view := terminal.Preview{Payload: in.Payload, Account: s.Operation.Account(), Site: a.site()}
	if a.json {
		a.say("%s", view.Heading())
		return
	}
	a.say("%s", view.Text(a.stderr))
}
