package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func environment(changes map[string]string) func(string) string {
	env := map[string]string{
		"DATABASE_URL": "postgres://u:p@127.0.0.1/postonce", "TABNEWS_URL": "https://www.tabnews.com.br",
		"TABNEWS_EMAIL": "autora@example.com", "TABNEWS_PASSWORD": "senha-secreta",
	}
	for k, v := range changes {
		env[k] = v
	}
	return func(name string) string { return env[name] }
}

func TestDefaultsAreSafe(t *testing.T) {
	c, err := Load(environment(nil))
	if err != nil {
		t.Fatal(err)
	}
	if c.Settings.SendTimeout != 30*time.Second || c.LaneInterval != 2600*time.Millisecond || c.LaneWindow != 5*time.Second || c.LaneLimit != 2 || c.LanePause != 10*time.Minute || c.Lane != "default" || c.ResendUnsent {
		t.Errorf("got %+v", c)
	}
	if c.Settings.StartToClose <= c.Settings.SendTimeout+c.Settings.RPCTimeout || c.StopTimeout <= c.Settings.StartToClose {
		t.Errorf("send %s, RPC %s, start to close %s, stop %s: each must outlast the ones before", c.Settings.SendTimeout, c.Settings.RPCTimeout, c.Settings.StartToClose, c.StopTimeout)
	}
}

func TestBadSettingsNameTheVariableAndTheWayOut(t *testing.T) {
	const emulator = "http://127.0.0.1:3900"
	for name, c := range map[string]struct {
		env  map[string]string
		want string
	}{
		"no database":             {map[string]string{"DATABASE_URL": ""}, "DATABASE_URL"},
		"no database's form":      {map[string]string{"DATABASE_URL": "nonsense"}, "DATABASE_URL"},
		"no TabNews":              {map[string]string{"TABNEWS_URL": ""}, "TABNEWS_URL"},
		"TabNews in clear":        {map[string]string{"TABNEWS_URL": "http://www.tabnews.com.br"}, "TABNEWS_URL"},
		"no credentials":          {map[string]string{"TABNEWS_EMAIL": "", "TABNEWS_PASSWORD": ""}, "TABNEWS_SESSION"},
		"no password":             {map[string]string{"TABNEWS_PASSWORD": ""}, "TABNEWS_PASSWORD"},
		"no e-mail":               {map[string]string{"TABNEWS_EMAIL": ""}, "TABNEWS_EMAIL"},
		"no unit":                 {map[string]string{"POSTONCE_SEND_TIMEOUT": "30"}, "POSTONCE_SEND_TIMEOUT"},
		"negative":                {map[string]string{"POSTONCE_QUIET_TIME": "-1s"}, "POSTONCE_QUIET_TIME"},
		"no boolean":              {map[string]string{"POSTONCE_RESEND_UNSENT": "maybe"}, "POSTONCE_RESEND_UNSENT"},
		"lane too quick":          {map[string]string{"POSTONCE_LANE_INTERVAL": "1s"}, "POSTONCE_LANE_INTERVAL"},
		"window too short":        {map[string]string{"POSTONCE_LANE_WINDOW": "4.9s"}, "POSTONCE_LANE_WINDOW"},
		"limit too high":          {map[string]string{"POSTONCE_LANE_LIMIT": "3"}, "POSTONCE_LANE_LIMIT"},
		"limit of nothing":        {map[string]string{"POSTONCE_LANE_LIMIT": "0"}, "POSTONCE_LANE_LIMIT"},
		"pause too short":         {map[string]string{"POSTONCE_LANE_PAUSE": "1m"}, "POSTONCE_LANE_PAUSE"},
		"quiet too short":         {map[string]string{"POSTONCE_QUIET_TIME": "1s"}, "POSTONCE_QUIET_TIME"},
		"closes before it ends":   {map[string]string{"POSTONCE_SEND_START_TO_CLOSE": "29s"}, "POSTONCE_SEND_START_TO_CLOSE"},
		"closes before delivery":  {map[string]string{"POSTONCE_SEND_TIMEOUT": "60s", "POSTONCE_SEND_START_TO_CLOSE": "100s"}, "POSTONCE_SEND_START_TO_CLOSE"},
		"stops before it ends":    {map[string]string{"POSTONCE_STOP_TIMEOUT": "10s"}, "POSTONCE_STOP_TIMEOUT"},
		"health without port":     {map[string]string{"POSTONCE_HEALTH_ADDR": "localhost"}, "POSTONCE_HEALTH_ADDR"},
		"steps without unit":      {map[string]string{"POSTONCE_DRIFT_AFTER": "1m,10"}, "POSTONCE_DRIFT_AFTER"},
		"steps out of order":      {map[string]string{"POSTONCE_DRIFT_AFTER": "10m,1m"}, "POSTONCE_DRIFT_AFTER"},
		"steps too quick":         {map[string]string{"POSTONCE_DRIFT_AFTER": "1s,1m"}, "POSTONCE_DRIFT_AFTER"},
		"steps of years":          {map[string]string{"POSTONCE_DRIFT_AFTER": "1m,9000h"}, "POSTONCE_DRIFT_AFTER"},
		"no boolean for a probe":  {map[string]string{"POSTONCE_DRIFT_PROBE": "perhaps"}, "POSTONCE_DRIFT_PROBE"},
		"proxy nobody can read":   {map[string]string{"HTTPS_PROXY": "http://%zz"}, "HTTPS_PROXY"},
		"emulator, stop too soon": {map[string]string{"TABNEWS_URL": emulator, "POSTONCE_STOP_TIMEOUT": "10s"}, "POSTONCE_STOP_TIMEOUT"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load(environment(c.env))
			if err == nil {
				t.Fatal("was taken")
			}
			if !strings.HasPrefix(err.Error(), c.want+":") || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %q, want one line about %s", err, c.want)
			}
			if strings.Contains(err.Error(), "senha-secreta") {
				t.Errorf("the password is in %q", err)
			}
		})
	}
}

func TestAnEmulatorMayBeQuick(t *testing.T) {
	_, err := Load(environment(map[string]string{"TABNEWS_URL": "http://127.0.0.1:3900", "POSTONCE_LANE_INTERVAL": "10ms", "POSTONCE_LANE_WINDOW": "20ms", "POSTONCE_LANE_LIMIT": "50", "POSTONCE_LANE_PAUSE": "1s", "POSTONCE_QUIET_TIME": "0s"}))
	if err != nil {
		t.Error(err)
	}
}

func TestAProxyIsTaken(t *testing.T) {
	for _, proxy := range []string{"http://proxy.example:3128", "proxy.example:3128", "socks5://127.0.0.1:1080"} {
		if _, err := Load(environment(map[string]string{"HTTPS_PROXY": proxy})); err != nil {
			t.Errorf("%s: %v", proxy, err)
		}
	}
}

func TestAllThatIsWrongComesAtOnce(t *testing.T) {
	_, err := Load(environment(map[string]string{"DATABASE_URL": "", "TABNEWS_URL": "", "POSTONCE_SEND_TIMEOUT": "x"}))
	if lines := strings.Count(err.Error(), "\n") + 1; lines != 3 {
		t.Errorf("%d problems in %q, want 3", lines, err)
	}
}

func TestSecretsMayComeFromFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("from-a-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(environment(map[string]string{"TABNEWS_PASSWORD": "", "TABNEWS_PASSWORD_FILE": file}))
	if err != nil || c.Password != "from-a-file" {
		t.Errorf("got %q, %v", c.Password, err)
	}
	for name, env := range map[string]map[string]string{
		"both":    {"TABNEWS_PASSWORD_FILE": file},
		"missing": {"TABNEWS_PASSWORD": "", "TABNEWS_PASSWORD_FILE": file + "x"},
	} {
		if _, err := Load(environment(env)); err == nil || !strings.Contains(err.Error(), "TABNEWS_PASSWORD_FILE") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
