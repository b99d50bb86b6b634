package devstack

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"
)

func TestStopLeavesNothing(t *testing.T) {
	s := start(t, Options{Workers: 2})
	pids := []int{s.Temporal().Pid(), s.Postgres().PID()}
	for _, w := range s.Workers() {
		pids = append(pids, w.Pid())
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustBeGone(t, pids...)
	mustBeFree(t, s.temporal.grpc, s.temporal.ui, s.pgPort)
	mustNotExist(t, s.dir)
	if err := s.Stop(t.Context()); err != nil {
		t.Errorf("the second Stop: %v", err)
	}
}

func TestStopKillsAWorkerThatStays(t *testing.T) {
	s := start(t, Options{Workers: 1, Env: []string{"STAND_IN_STAYS=1"}})
	worker := s.Workers()[0]
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := s.Stop(ctx)
	if err == nil || !strings.Contains(err.Error(), "worker-1 did not stop in time and was killed") {
		t.Errorf("Stop says %v", err)
	}
	mustBeGone(t, worker.Pid())
	mustNotExist(t, s.dir)
}

func TestWorkersInheritSettings(t *testing.T) {
	s := start(t, Options{Environ: append(os.Environ(), "POSTONCE_LANE_INTERVAL=3s")})
	inherited, err := s.StartWorker(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	own, err := s.StartWorker(t.Context(), "POSTONCE_LANE_INTERVAL=4s")
	if err != nil {
		t.Fatal(err)
	}
	for worker, want := range map[*Process]string{inherited: "lane interval 3s", own: "lane interval 4s"} {
		if err := worker.WaitLog(t.Context(), want); err != nil {
			t.Error(err)
		}
	}
}

func TestARefusingWorkerIsQuotedAndNothingStays(t *testing.T) {
	tmp := temporaryFolder(t)
	_, err := Start(t.Context(), Options{BinDir: programs(t), Workers: 1, Env: []string{"STAND_IN_REFUSES=TABNEWS_PASSWORD: is empty"}})
	if err == nil || !strings.Contains(err.Error(), "worker: TABNEWS_PASSWORD: is empty") {
		t.Errorf("Start says %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(tmp, "postonce-devstack-*")); len(left) != 0 {
		t.Errorf("%v is still there", left)
	}
}

func TestFallenWorkerIsReportedUnlessWeKilledIt(t *testing.T) {
	s := start(t, Options{Workers: 1})
	ours, err := s.StartWorker(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := ours.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(s.Workers()[0].Pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	fallen := <-s.Fallen()
	if fallen.Name != "worker-1" || !strings.Contains(fallen.How.Error(), "killed") {
		t.Errorf("reported %q: %v", fallen.Name, fallen.How)
	}
}

// Both servers come back with what they knew: after a stop in the middle of a run, and in the next one with Dir.
func TestServersComeBackWithTheirState(t *testing.T) {
	o := Options{Dir: t.TempDir(), BinDir: programs(t)}
	s := start(t, o)
	before := s.Env()
	registerNamespace(t, s, "kept")
	if err := s.StopTemporal(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustBeFree(t, s.temporal.grpc, s.temporal.ui)
	if err := s.StartTemporal(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustKnowNamespace(t, s, "kept")
	execute(t, s, "create table kept ()")
	if err := s.Postgres().Kill(); err != nil {
		t.Fatal(err)
	}
	if err := s.Postgres().Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(before, s.Env()) {
		t.Errorf("addresses changed from %v to %v", before, s.Env())
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := start(t, o)
	mustKnowNamespace(t, again, "kept")
	execute(t, again, "drop table kept")
}

func registerNamespace(t *testing.T, s *Stack, name string) {
	t.Helper()
	err := namespaces(t, s).Register(t.Context(), &workflowservice.RegisterNamespaceRequest{
		Namespace: name, WorkflowExecutionRetentionPeriod: durationpb.New(24 * time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
}

func mustKnowNamespace(t *testing.T, s *Stack, name string) {
	t.Helper()
	if _, err := namespaces(t, s).Describe(t.Context(), name); err != nil {
		t.Error(err)
	}
}

func namespaces(t *testing.T, s *Stack) client.NamespaceClient {
	t.Helper()
	c, err := client.NewNamespaceClient(client.Options{HostPort: s.TemporalAddress(), Logger: silent{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func execute(t *testing.T, s *Stack, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), lookup(s.Env(), "DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Error(err)
	}
}

func TestEmulatorComesBackEmptyAtItsAddress(t *testing.T) {
	s := start(t, Options{})
	if err := s.InjectFault(t.Context(), "create", "drop_after_store"); err != nil {
		t.Fatal(err)
	}
	url := s.TabNewsURL()
	s.StopEmulator()
	var rows []struct{}
	if err := s.Emulated(t.Context(), "contents", &rows); err == nil {
		t.Error("the emulator still answers")
	}
	if err := s.RestartEmulator(); err != nil {
		t.Fatal(err)
	}
	if err := s.Emulated(t.Context(), "contents", &rows); err != nil || len(rows) != 0 || s.TabNewsURL() != url {
		t.Errorf("%v, %d contents, at %s and not %s", err, len(rows), s.TabNewsURL(), url)
	}
	if err := s.InjectFault(t.Context(), "create", "no_such_fault"); err == nil {
		t.Error("a fault that does not exist was taken")
	}
}

// Two sets, started at the same time, do not get into each other's way.
func TestTwoSetsAtOnce(t *testing.T) {
	bin, sets := programs(t), make(chan error, 2)
	for range cap(sets) {
		go func() {
			s, err := Start(t.Context(), Options{BinDir: bin, Workers: 1})
			if err == nil {
				err = s.Stop(t.Context())
			}
			sets <- err
		}()
	}
	for range cap(sets) {
		if err := <-sets; err != nil {
			t.Error(err)
		}
	}
}
