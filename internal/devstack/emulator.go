package devstack

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"postonce/tabnews/tabnewstest"
)

// emulator is TabNews for those who do not want the real one; it runs in this process and ends with it.
type emulator struct {
	addr   string
	server *tabnewstest.Server // nil while stopped
}

// start serves with empty state: its two users and no content.
func (e *emulator) start() error {
	server := tabnewstest.New()
	if err := server.Start(e.addr); err != nil {
		return fmt.Errorf("starting the TabNews emulator: %w", err)
	}
	e.server = server
	return nil
}

func (e *emulator) stop() {
	if e.server != nil {
		e.server.Close()
	}
	e.server = nil
}

func (e *emulator) url() string { return "http://" + e.addr }

// InjectFault makes the next request of a kind ("create", "read", …) meet a fault of the emulator, by its name.
func (s *Stack) InjectFault(ctx context.Context, on, fault string) error {
	body, err := json.Marshal(map[string]any{"on": on, "fault": fault, "times": 1})
	if err != nil {
		return err
	}
	return s.control(ctx, http.MethodPost, "faults", body, nil)
}

// Emulated asks the emulator for what it saw ("arrivals") or holds ("contents"), into a pointer to a slice.
func (s *Stack) Emulated(ctx context.Context, what string, into any) error {
	return s.control(ctx, http.MethodGet, what, nil, into)
}

// control speaks the emulator's own API, which other processes use too.
func (s *Stack) control(ctx context.Context, method, path string, body []byte, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, s.TabNewsURL()+"/_emulator/"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode/100 != 2 {
		err = fmt.Errorf("the emulator answered %s %s with %s: %s", method, path, resp.Status, answer)
	}
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(answer, into)
}
