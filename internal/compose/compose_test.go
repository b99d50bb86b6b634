package compose

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"

	"postonce/internal/config"
)

// load reads the file as `docker compose` does, with the settings that it asks for in .env.
func load(t *testing.T) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../../docker-compose.yml"},
		cli.WithEnv([]string{"TABNEWS_EMAIL=autora@example.com", "POSTONCE_ACCOUNT=autora"}), cli.WithResolvedPaths(true))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return project
}

func TestImagesArePinnedToAVersion(t *testing.T) {
	pinned := regexp.MustCompile(`^[a-z/-]+:[0-9]+\.[0-9]+(\.[0-9]+)?$`)
	for name, s := range load(t).Services {
		if s.Build == nil && !pinned.MatchString(s.Image) {
			t.Errorf("%s: image %q is not pinned", name, s.Image)
		}
	}
}

func TestButtonsThatCouldSendAgainAreOff(t *testing.T) {
	ui := load(t).Services["temporal-ui"].Environment
	for _, button := range []string{"WORKFLOW_RESET", "START_WORKFLOW", "ACTIVITY_COMMANDS", "BATCH_ACTIONS", "WORKFLOW_PAUSE"} {
		if v := ui["TEMPORAL_"+button+"_DISABLED"]; v == nil || *v != "true" {
			t.Errorf("TEMPORAL_%s_DISABLED is not true", button)
		}
	}
	for name, value := range ui {
		if strings.Contains(name, "SIGNAL_DISABLED") || strings.Contains(name, "WRITE_ACTIONS") {
			t.Errorf("%s=%s: people decide by signals", name, *value)
		}
	}
}

func TestNoSecretIsInAnEnvironment(t *testing.T) {
	secret := regexp.MustCompile(`(?i)(PASSWORD|PWD|SESSION|SECRET|TOKEN|API_KEY|DATABASE_URL)`)
	for name, s := range load(t).Services {
		for variable, value := range s.Environment {
			if !secret.MatchString(variable) {
				continue
			}
			file, fromFile := "", strings.HasSuffix(variable, "_FILE")
			if value != nil {
				file = *value
			}
			mounted := slices.ContainsFunc(s.Secrets, func(c types.ServiceSecretConfig) bool { return "/run/secrets/"+c.Source == file })
			if !fromFile || !mounted {
				t.Errorf("%s: %s=%s is no secret file that the service mounts", name, variable, file)
			}
		}
	}
}

func TestSecretsAreFiles(t *testing.T) {
	for name, s := range load(t).Secrets {
		if s.File == "" || s.Content != "" || s.Environment != "" {
			t.Errorf("secret %s does not come from a file", name)
		}
	}
}

func TestEveryPortIsOnLoopback(t *testing.T) {
	published := 0
	for name, s := range load(t).Services {
		for _, port := range s.Ports {
			if published++; port.HostIP != "127.0.0.1" {
				t.Errorf("%s: port %s is open on %q", name, port.Published, port.HostIP)
			}
		}
	}
	if published == 0 {
		t.Error("no port is published: nobody can reach the Web UI")
	}
}

// A service either ends and is waited for, or goes on, is watched, and comes back.
func TestServicesAreWatchedAndComeBack(t *testing.T) {
	project := load(t)
	awaited := map[string]bool{}
	for _, s := range project.Services {
		for name, d := range s.DependsOn {
			awaited[name] = awaited[name] || d.Condition == types.ServiceConditionCompletedSuccessfully
			if d.Condition == types.ServiceConditionStarted {
				t.Errorf("%s only waits for %s to be started", s.Name, name)
			}
		}
	}
	for name, s := range project.Services {
		switch {
		case awaited[name]:
			if !strings.HasPrefix(s.Restart, types.RestartPolicyOnFailure) {
				t.Errorf("%s ends, but has the restart policy %q", name, s.Restart)
			}
		case s.HealthCheck == nil || len(s.HealthCheck.Test) == 0 || s.HealthCheck.Disable:
			t.Errorf("%s has no health check", name)
		case s.Restart != types.RestartPolicyUnlessStopped:
			t.Errorf("%s has the restart policy %q", name, s.Restart)
		}
	}
}

// The worker's own settings come out of its environment, so that a longer send asks for a longer grace here.
func TestWorkerMayEndItsSend(t *testing.T) {
	worker := load(t).Services["worker"]
	getenv := func(name string) string {
		if value := worker.Environment[name]; value != nil {
			return *value
		}
		return map[string]string{"DATABASE_URL": "postgres://postonce:x@postgres/postonce", "TABNEWS_PASSWORD": "x"}[name]
	}
	settings, err := config.Load(func(name string) string {
		if strings.HasSuffix(name, "_FILE") {
			return "" // the secrets are not here
		}
		return getenv(name)
	})
	if err != nil {
		t.Fatal(err)
	}
	if worker.StopGracePeriod == nil {
		t.Fatal("the worker has no stop_grace_period")
	}
	if grace := time.Duration(*worker.StopGracePeriod); grace <= settings.StopTimeout {
		t.Errorf("grace of %s; the worker takes up to %s", grace, settings.StopTimeout)
	}
}

func TestWorkerHasNoPrivileges(t *testing.T) {
	worker := load(t).Services["worker"]
	if !worker.ReadOnly || !slices.Contains(worker.CapDrop, "ALL") {
		t.Errorf("read_only %t, cap_drop %v", worker.ReadOnly, worker.CapDrop)
	}
	if test := worker.HealthCheck.Test; !slices.Equal(test, []string{"CMD", "/worker", "health"}) {
		t.Errorf("health check %v, in an image without a shell", test)
	}
}

func TestNamespaceKeepsHistoriesForWeeks(t *testing.T) {
	namespace := load(t).Services["temporal-namespace"]
	if v := namespace.Environment["DEFAULT_NAMESPACE_RETENTION"]; v == nil || *v != "90d" {
		t.Error("the retention is not 90d: a day of it would eat the evidence")
	}
	if script := namespace.Command[len(namespace.Command)-1]; !strings.Contains(script, "--retention") {
		t.Error("the retention is not set")
	}
}

// The volume is named: `docker compose down` must not take the ledger, which keeps sends from being repeated, with it.
func TestPostgresKeepsItsData(t *testing.T) {
	volumes := load(t).Services["postgres"].Volumes
	if len(volumes) != 1 || volumes[0].Type != types.VolumeTypeVolume || volumes[0].Source == "" {
		t.Errorf("volumes %v", volumes)
	}
}

func TestImageRunsAsNobodyWithoutAShell(t *testing.T) {
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	stages := strings.Split(string(text), "\nFROM ")
	last := stages[len(stages)-1]
	if !strings.HasPrefix(last, "scratch\n") || !regexp.MustCompile(`\nUSER [1-9]\d*:[1-9]\d*\n`).MatchString(last) {
		t.Errorf("the last stage is %q", last)
	}
}
