package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"postonce/activities"
	"postonce/internal/config"
	"postonce/internal/temporalclient"
	"postonce/ledger"
	"postonce/tabnews"
	"postonce/workflows"
)

// worker is one process: its parts come up one after another, each as soon as what it needs answers.
type worker struct {
	cfg    config.Config
	getenv func(string) string
	log    *slog.Logger
	ready  readiness

	tabnews  *tabnews.Client
	ledger   *ledger.Ledger
	temporal client.Client
}

func newWorker(cfg config.Config, getenv func(string) string, log *slog.Logger) *worker {
	return &worker{cfg: cfg, getenv: getenv, log: log}
}

// serve runs until ctx ends. What is merely away (Temporal, PostgreSQL, TabNews) is waited for; what a person must
// correct (a setting, the credentials) ends it before anything is polled.
func (w *worker) serve(ctx context.Context) error {
	stopHealth, err := w.serveHealth()
	if err != nil {
		return err
	}
	defer stopHealth()
	for _, part := range []struct {
		name string
		open func(context.Context) error
	}{
		{"TabNews", w.openTabNews}, {"PostgreSQL", w.openLedger}, {"Temporal", w.openTemporal},
	} {
		if err := w.untilOpen(ctx, part.name, part.open); err != nil {
			w.close()
			if ctx.Err() != nil {
				return nil // stopped while waiting
			}
			return err
		}
	}
	defer w.close()
	return w.poll(ctx)
}

// refusedError is a setting that only a person can correct.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// untilOpen waits for a part with backoff, and says what it waits for.
func (w *worker) untilOpen(ctx context.Context, name string, open func(context.Context) error) error {
	for wait := 250 * time.Millisecond; ; wait = min(wait*2, 5*time.Second) {
		err := open(ctx)
		var refused *refusedError
		if err == nil || errors.As(err, &refused) {
			return err
		}
		w.ready.waitsFor(name + ": " + err.Error())
		w.log.Warn("waiting for "+name, "error", oneLine(err), "again_in", wait)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

func (w *worker) openTabNews(ctx context.Context) error {
	c, err := tabnews.New(tabnews.Config{
		BaseURL: w.cfg.TabNewsURL, Account: w.cfg.Account, Email: w.cfg.Email, Password: w.cfg.Password,
		Session: w.cfg.Session, Version: version, ReadTimeout: w.cfg.Settings.ActivityTimeout / 2,
	})
	if err != nil {
		return &refusedError{err}
	}
	_, err = c.CheckSession(ctx)
	var session *tabnews.SessionError
	if errors.As(err, &session) {
		return &refusedError{err}
	}
	w.tabnews = c
	return err
}

func (w *worker) openLedger(ctx context.Context) error {
	if w.ledger == nil {
		l, err := ledger.Open(ctx, w.cfg.DatabaseURL)
		if err != nil {
			return err
		}
		w.ledger = l
	}
	err := w.ledger.Migrate(ctx)
	if ledger.Refused(err) {
		return &refusedError{fmt.Errorf("DATABASE_URL: PostgreSQL refuses it (%s); correct the user, the password or the database", oneLine(err))}
	}
	return err
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

func (w *worker) openTemporal(ctx context.Context) error {
	if w.temporal == nil {
		c, err := temporalclient.Dial(ctx, w.getenv, w.log, temporalclient.WithRPCTimeout(w.cfg.Settings.RPCTimeout), withMetrics)
		var wrong *temporalclient.ConfigError
		if errors.As(err, &wrong) {
			return &refusedError{err}
		}
		if err != nil {
			return err
		}
		w.temporal = c
	}
	options, err := temporalclient.Options(w.getenv, w.log)
	if err != nil {
		return &refusedError{err}
	}
	err = registerSearchAttributes(ctx, w.temporal, options.Namespace)
	var missing *serviceerror.NamespaceNotFound
	if errors.As(err, &missing) {
		return &refusedError{fmt.Errorf("TEMPORAL_NAMESPACE: Temporal has no namespace %q; create it, or name another", options.Namespace)}
	}
	return err
}

// poll serves the account's task queue until ctx ends, and then lets what is being sent end.
func (w *worker) poll(ctx context.Context) error {
	fatal := make(chan error, 1)
	queue := workflows.TaskQueue(w.tabnews.Account())
	host, _ := os.Hostname()
	sdk := sdkworker.New(w.temporal, queue, sdkworker.Options{
		WorkerStopTimeout: w.cfg.StopTimeout,
		OnFatalError:      func(err error) { fatal <- err },
		Identity:          fmt.Sprintf("postonce-%s@%s:%d", version, host, os.Getpid()),
	})
	w.register(sdk)
	if err := sdk.Start(); err != nil {
		return fmt.Errorf("Temporal: the worker cannot poll %s: %w", queue, err)
	}
	w.ready.polls()
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	go w.watchHealth(watching)
	w.log.Info("worker ready", "account", w.tabnews.Account(), "task_queue", queue, "lane", w.cfg.Lane, "version", version)
	var err error
	select {
	case <-ctx.Done():
	case err = <-fatal:
	}
	w.ready.waitsFor("stopping: what is being sent ends first")
	w.log.Info("worker stopping; what is being sent ends first", "at_most", w.cfg.StopTimeout)
	sdk.Stop()
	w.log.Info("worker stopped")
	return err
}

// watchInterval is how often the parts are asked whether they still answer.
const watchInterval = 5 * time.Second

// watchHealth keeps the readiness true: a worker whose database or engine is away polls in vain.
func (w *worker) watchHealth(ctx context.Context) {
	var drift driftWaker
	w.wakeWatch(ctx, &drift)
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		asked, cancel := context.WithTimeout(ctx, watchInterval)
		_, temporalErr := w.temporal.CheckHealth(asked, &client.CheckHealthRequest{})
		ledgerErr := w.ledger.Ping(asked)
		cancel()
		switch {
		case ctx.Err() != nil:
			return
		case temporalErr != nil:
			w.ready.waitsFor("Temporal: " + oneLine(temporalErr))
		case ledgerErr != nil:
			w.ready.waitsFor("PostgreSQL: " + oneLine(ledgerErr))
		default:
			w.ready.polls()
			w.wakeWatch(ctx, &drift)
		}
	}
}

func (w *worker) register(r sdkworker.Registry) {
	flows := &workflows.Workflows{Settings: w.cfg.Settings}
	r.RegisterWorkflowWithOptions(flows.Publish, workflow.RegisterOptions{Name: workflows.PublishWorkflow})
	r.RegisterWorkflowWithOptions(flows.Publish, workflow.RegisterOptions{Name: workflows.ReviseWorkflow})
	r.RegisterWorkflowWithOptions(flows.Publish, workflow.RegisterOptions{Name: workflows.RemoveWorkflow})
	r.RegisterWorkflowWithOptions(flows.Track, workflow.RegisterOptions{Name: workflows.TrackWorkflow})
	r.RegisterWorkflowWithOptions(flows.RepairRecord, workflow.RegisterOptions{Name: workflows.RepairRecordWorkflow})
	r.RegisterWorkflowWithOptions(flows.Watch, workflow.RegisterOptions{Name: workflows.WatchWorkflow})
	a := &activities.Activities{
		TabNews: w.tabnews, Ledger: w.ledger, Account: w.tabnews.Account(), Lane: w.cfg.Lane,
		Pace: ledger.Pace{
			Interval: w.cfg.LaneInterval, Window: w.cfg.LaneWindow, Limit: w.cfg.LaneLimit, QuietTime: w.cfg.Settings.QuietTime,
		},
		Pause: w.cfg.LanePause, Reach: w.cfg.Settings.SendTimeout + w.cfg.Settings.QuietTime,
		ResendUnsent: w.cfg.ResendUnsent, Drift: w.drift(), Log: w.log,
	}
	a.Register(r)
}

// close ends the session that this process opened, and the connections.
func (w *worker) close() {
	if w.tabnews != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if err := w.tabnews.Logout(ctx); err != nil {
			w.log.Warn("the TabNews session was not ended", "error", err)
		}
	}
	if w.temporal != nil {
		w.temporal.Close()
	}
	if w.ledger != nil {
		w.ledger.Close()
	}
}
