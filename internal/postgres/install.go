package postgres

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Install installs PostgreSQL with apt-get, when the program is root and apt-get is there; else it gives
// ErrNotInstalled, which says what a person has to do. What apt-get says goes to log.
func Install(ctx context.Context, log io.Writer) error {
	apt, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 {
		return ErrNotInstalled
	}
	if err := refuseMainCluster(); err != nil {
		return err
	}
	for _, args := range [][]string{{"update"}, {"install", "--yes", "--no-install-recommends", "postgresql"}} {
		fmt.Fprintf(log, "apt-get %v\n", args)
		cmd := exec.CommandContext(ctx, apt, args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = log, log
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("install PostgreSQL: apt-get %s: %w; install it by hand with `apt-get install postgresql`", args[0], err)
		}
	}
	_, err = Find()
	return err
}

// refuseMainCluster keeps Debian's package from making a cluster of its own and starting it on port 5432: only the
// binaries are wanted (pg_createcluster(1), create_main_cluster). A machine that has the file keeps it.
func refuseMainCluster() error {
	const dir = "/etc/postgresql-common/createcluster.d"
	path := filepath.Join(dir, "postonce.conf")
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("install PostgreSQL: %w", err)
	}
	text := "# Written by postonce, which starts private clusters from the binaries.\ncreate_main_cluster = false\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return fmt.Errorf("install PostgreSQL: %w", err)
	}
	return nil
}
