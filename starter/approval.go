package main

import (
	"context"

	"github.com/spf13/pflag"

	"postonce/publication"
	"postonce/workflows"
)

// approvalFlags are the choices of every command that may send: who approves, as whom, and whether to wait.
type approvalFlags struct {
	yes, propose, noWait bool
	by, account          string
}

func (f *approvalFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&f.yes, "yes", false, "approve without asking")
	set.BoolVar(&f.propose, "propose", false, "leave the approval to someone else (starter approve)")
	f.registerActor(set, "who approves or proposes (default: your login name)")
}

// registerActor is for the commands whose approval has a form of its own.
func (f *approvalFlags) registerActor(set *pflag.FlagSet, by string) {
	set.StringVar(&f.by, "by", "", by)
	set.BoolVar(&f.noWait, "no-wait", false, "return as soon as it is started")
	set.StringVar(&f.account, "account", "", "TabNews user name (default: POSTONCE_ACCOUNT, else whoever the credentials log in)")
}

// checkApproval makes sure that it is clear who approves.
func (a *app) checkApproval(command string, flags approvalFlags) error {
	switch {
	case flags.yes && flags.propose:
		return usage(command+": --yes approves and --propose does not", "give one of the two")
	case a.prompt == nil && !flags.yes && !flags.propose:
		return usage(command+": nobody can be asked here, for this is no terminal", "approve with --yes, or leave it to someone else with --propose")
	}
	return nil
}

// consent asks a person for what in would do, and puts into it who approved. Its error ends the command, with nothing
// started.
type consent func(ctx context.Context, in *workflows.PublishInput) error

// approval is the consent to send once, unless the payload is only proposed.
func (a *app) approval(flags approvalFlags) consent {
	return func(ctx context.Context, in *workflows.PublishInput) error {
		switch {
		case flags.propose:
			return nil
		case !flags.yes:
			detail := "approved by " + in.ProposedBy + ", " + string(in.Digest)
			if in.Schedule != nil {
				detail += ", to be sent at " + in.Schedule.String()
			}
			if err := a.confirm(ctx, approvalQuestion(in.Operation, in.Payload, in.Base), detail, "Yes, send it once"); err != nil {
				return err
			}
		}
		in.ApprovedBy = in.ProposedBy
		return nil
	}
}

// approvalQuestion names what the one request would do.
func approvalQuestion(op publication.OperationID, p publication.Payload, base *publication.Base) string {
	ref := op.Reference().String()
	switch {
	case p.Status == publication.StatusDeleted:
		return "Delete " + ref + "?"
	case base != nil && base.Payload.Status == publication.StatusDraft:
		return "Publish the draft " + ref + "?"
	case base != nil:
		return "Change " + ref + "?"
	case p.Status == publication.StatusDraft:
		return "Store the draft " + ref + "?"
	case p.IsComment():
		return "Publish the comment " + ref + "?"
	}
	return "Publish " + ref + "?"
}
