package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"postonce/internal/terminal"
	"postonce/ledger"
)

func (a *app) laneCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lane",
		Short: "Show the lanes: who is next and when, pauses, firewall incidents",
		Long: `Show each lane, the name of an egress IP that workers share (POSTONCE_LANE): who waits, for what, and until when;
whether it is paused, by whom and why; the newest refusals of TabNews' firewall and what they may have hidden.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.lanes(cmd.Context()) },
	}
	cmd.AddCommand(a.lanePauseCommand(), a.laneResumeCommand())
	return cmd
}

func (a *app) lanes(ctx context.Context) error {
	r, err := a.tellingLedger(ctx, "lane")
	if err != nil {
		return err
	}
	lanes, err := r.Lanes(ctx)
	if err != nil {
		return failed(err)
	}
	if a.json {
		return a.printJSON(append([]ledger.Lane{}, lanes...))
	}
	if len(lanes) == 0 {
		a.say("no lane was used yet")
		return nil
	}
	for _, l := range lanes {
		terminal.Print(a.stdout, laneText(l))
	}
	return nil
}

func (a *app) lanePauseCommand() *cobra.Command {
	var length, by, reason string
	cmd := &cobra.Command{
		Use:     "pause [LANE]",
		Short:   "Let nothing start in a lane, for a while or until it is resumed",
		Example: "  starter lane pause --for 1h --reason \"TabNews is in trouble\"",
		Args:    atMostOne("LANE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.pauseLane(cmd.Context(), a.laneName(args), length, by, reason)
		},
	}
	cmd.Flags().StringVar(&length, "for", "", "how long, such as 30m or 2h; or: until resumed")
	cmd.Flags().StringVar(&by, "by", "", "who pauses it (default: your login name)")
	cmd.Flags().StringVar(&reason, "reason", "", "why; shown to everybody who waits")
	return cmd
}

func (a *app) pauseLane(ctx context.Context, lane, text, by, reason string) error {
	length, err := pauseLength(text)
	if err != nil {
		return err
	}
	if strings.TrimSpace(reason) == "" {
		return usage("--reason: is empty", "say why the lane is paused: whoever waits will ask")
	}
	if by, err = a.person(by); err != nil {
		return err
	}
	r, err := a.tellingLedger(ctx, "lane pause")
	if err != nil {
		return err
	}
	if err := r.PauseLane(ctx, lane, length, by, reason); err != nil {
		return failed(err)
	}
	a.say("the lane %s is paused; what waits keeps its place; `starter lane resume %s` ends that", lane, lane)
	return a.oneLane(ctx, r, lane)
}

// pauseLength reads --for; 0: until somebody resumes the lane.
func pauseLength(text string) (time.Duration, error) {
	switch text {
	case "":
		return 0, usage("--for: is missing", "say how long, such as --for 1h, or --for \"until resumed\"")
	case "until resumed":
		return 0, nil
	}
	length, err := time.ParseDuration(text)
	if err != nil || length < time.Second {
		return 0, usage(fmt.Sprintf("--for: %q is no time to pause", text), "write at least a second, such as 30m or 2h, or \"until resumed\"")
	}
	return length, nil
}

func (a *app) laneResumeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "resume [LANE]",
		Short: "End a lane's pause; what waits goes on by itself within half a minute",
		Args:  atMostOne("LANE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.resumeLane(cmd.Context(), a.laneName(args))
		},
	}
}

func (a *app) resumeLane(ctx context.Context, lane string) error {
	r, err := a.tellingLedger(ctx, "lane resume")
	if err != nil {
		return err
	}
	paused, err := r.ResumeLane(ctx, lane)
	switch {
	case err != nil:
		return failed(err)
	case paused:
		a.say("the lane %s goes on", lane)
	default:
		a.say("the lane %s was not paused", lane)
	}
	return a.oneLane(ctx, r, lane)
}

// oneLane shows what became of a lane. With --json it is the one document, null for a lane that there is not.
func (a *app) oneLane(ctx context.Context, r records, name string) error {
	lanes, err := r.Lanes(ctx)
	if err != nil {
		return failed(err)
	}
	at := slices.IndexFunc(lanes, func(l ledger.Lane) bool { return l.Lane == name })
	switch {
	case a.json && at < 0:
		return a.printJSON(nil)
	case a.json:
		return a.printJSON(lanes[at])
	case at >= 0:
		terminal.Print(a.stdout, laneText(lanes[at]))
	}
	return nil
}

// laneName is the lane that is meant: the argument, or that of the workers' settings.
func (a *app) laneName(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	if name := strings.TrimSpace(a.getenv("POSTONCE_LANE")); name != "" {
		return name
	}
	return "default"
}
