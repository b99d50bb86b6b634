package config

import (
	"slices"
	"testing"
	"time"
)

func TestTheWatchHasStepsUnlessItIsSwitchedOff(t *testing.T) {
	usual := []time.Duration{time.Minute, 10 * time.Minute, time.Hour, 24 * time.Hour}
	for text, want := range map[string][]time.Duration{"": usual, "30s, 2m": {30 * time.Second, 2 * time.Minute}, "off": nil} {
		c, err := Load(environment(map[string]string{"POSTONCE_DRIFT_AFTER": text}))
		if err != nil || !slices.Equal(c.DriftAfter, want) || !c.DriftProbe {
			t.Errorf("%q: %v, probe %v, %v; want %v", text, c.DriftAfter, c.DriftProbe, err, want)
		}
	}
	if c, err := Load(environment(map[string]string{"POSTONCE_DRIFT_AFTER": "off", "POSTONCE_DRIFT_PROBE": "false"})); err != nil || len(c.DriftAfter) != 0 || c.DriftProbe {
		t.Errorf("%v, probe %v, %v; want none", c.DriftAfter, c.DriftProbe, err)
	}
}

// Empty is not set, as with every other setting, whatever the process itself was given.
func TestAnEmptySettingIsTheDefault(t *testing.T) {
	t.Setenv("POSTONCE_DRIFT_AFTER", "")
	if c, err := Load(environment(nil)); err != nil || len(c.DriftAfter) != 4 {
		t.Errorf("%v, %v; want the default", c.DriftAfter, err)
	}
}

func TestAnEmulatorMayBeReadOften(t *testing.T) {
	if _, err := Load(environment(map[string]string{"TABNEWS_URL": "http://127.0.0.1:3900", "POSTONCE_DRIFT_AFTER": "1s,2s"})); err != nil {
		t.Error(err)
	}
}
