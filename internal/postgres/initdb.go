package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// superuser is the role that initdb makes and that URL names.
const superuser = "postonce"

// initialize makes the cluster in dir, unless it is there already. It is made beside its place and renamed, so that an
// interrupted initdb leaves nothing that looks like a cluster.
func (c *Cluster) initialize(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(c.dataDir(), "PG_VERSION")); err == nil {
		return nil
	}
	unfinished := c.dataDir() + ".unfinished"
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	args := []string{"--pgdata", unfinished, "--username", superuser, "--pwfile", c.passwordFile(), "--auth", "scram-sha-256",
		"--encoding", "UTF8", "--locale", "C", "--no-instructions"}
	if c.options.Volatile {
		args = append(args, "--no-sync")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(c.bindir, "initdb"), args...)
	cmd.SysProcAttr = processAttributes(c.account)
	cmd.Dir = c.options.Dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	if out, err := cmd.CombinedOutput(); err != nil {
		return errors.Join(fmt.Errorf("make a PostgreSQL cluster in %s: initdb: %w: %s", c.options.Dir, err, lastLines(string(out), 3)), os.RemoveAll(unfinished))
	}
	return os.Rename(unfinished, c.dataDir())
}

// loadPassword reads the cluster's password, or makes one: the port is open to every user of the machine, and a
// superuser of PostgreSQL can run programs as the server's user.
func (c *Cluster) loadPassword() error {
	text, err := os.ReadFile(c.passwordFile())
	if err == nil {
		c.password = strings.TrimSpace(string(text))
		return nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	c.password = rand.Text()
	if err := os.WriteFile(c.passwordFile(), []byte(c.password+"\n"), 0o600); err != nil {
		return err
	}
	return c.account.give(c.passwordFile()) // initdb reads it as that user
}

func (c *Cluster) dataDir() string      { return filepath.Join(c.options.Dir, "data") }
func (c *Cluster) passwordFile() string { return filepath.Join(c.options.Dir, "password") }
