package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"postonce/publication"
	"postonce/workflows"
)

// rescheduleFlags are the choices of `starter reschedule`.
type rescheduleFlags struct {
	timeFlags
	now, yes, wait bool
	by, reason     string
}

func (a *app) rescheduleCommand() *cobra.Command {
	var flags rescheduleFlags
	cmd := &cobra.Command{
		Use:   "reschedule OP (--at TIME [--tz ZONE] | --now)",
		Short: "Give what was not sent yet another time, or send it now",
		Long: `Move the time of what was not sent yet, and also of what missed its time. The payload and its approval stay as they
are. --now takes the time away: it is sent as soon as it is approved and it is its turn. Where nobody can be asked, the
command itself is the decision.`,
		Example: "  starter reschedule publish/ana/ola --at 2026-12-24T09:00 --tz America/Sao_Paulo\n  starter reschedule publish/ana/ola --now",
		Args:    oneArgument("OP"),
		RunE: func(cmd *cobra.Command, args []string) error {
			op, err := a.operation(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.reschedule(cmd.Context(), op, flags)
		},
	}
	f := cmd.Flags()
	flags.register(f)
	f.BoolVar(&flags.now, "now", false, "send it now")
	f.StringVar(&flags.by, "by", "", "who decides (default: your login name)")
	f.StringVar(&flags.reason, "reason", "", "why, in your words; kept with the decision")
	f.BoolVar(&flags.yes, "yes", false, "with --now: do not ask at a terminal")
	f.BoolVar(&flags.wait, "wait", false, "follow on until it settles, waits for its time or for a person")
	return cmd
}

func (a *app) reschedule(ctx context.Context, op publication.OperationID, flags rescheduleFlags) error {
	input, err := a.rescheduleInput(flags)
	if err != nil {
		return err
	}
	e, s, err := a.open(ctx, op)
	if err != nil {
		return err
	}
	defer e.Close()
	if flags.now && !flags.yes && a.prompt != nil && s.State == publication.StatePlanned {
		if err := a.confirm(ctx, "Send "+s.Reference+" now?", "decided by "+input.By+", "+string(s.Digest), "Yes, send it once"); err != nil {
			return err
		}
	}
	return a.decide(ctx, e, decision{op, workflows.SignalReschedule, input.ID, input}, flags.wait)
}

// rescheduleInput reads the time here too, so that a bad one is refused before anything is sent. The signal has it with
// its offset: it means the same wherever it is read.
func (a *app) rescheduleInput(flags rescheduleFlags) (workflows.RescheduleInput, error) {
	by, err := a.person(flags.by)
	in := workflows.RescheduleInput{By: by, At: "now", Reason: flags.reason, ID: newDecisionID()}
	switch {
	case err != nil:
		return in, err
	case flags.now == (flags.at != ""):
		return in, usage("reschedule: needs either a time or --now", "give --at 2026-12-24T09:00 --tz America/Sao_Paulo, or --now")
	case flags.now && flags.tz != "":
		return in, usage("--tz: belongs to --at", "leave it out")
	case flags.yes && !flags.now:
		return in, usage("--yes: belongs to --now", "leave it out; nothing is asked")
	case flags.now:
		return in, nil
	}
	s, err := flags.schedule()
	in.At, in.Zone = s.SendAt.Format(time.RFC3339), flags.tz
	return in, err
}
