package postgres

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// account is the user that the server runs as; nil: the program's own.
type account struct {
	name     string
	uid, gid uint32
}

// serverAccount picks another user when the program is root, since PostgreSQL refuses root.
func serverAccount() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(found.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(found.Gid, 10, 32)
		if errUID == nil && errGID == nil && uid != 0 {
			return &account{name, uint32(uid), uint32(gid)}, nil
		}
	}
	return nil, errors.New("PostgreSQL refuses to run as root, and neither of the users postgres and nobody exists; run as another user, or set DATABASE_URL to a running server")
}

func (a *account) credential() *syscall.Credential {
	if a == nil {
		return nil
	}
	return &syscall.Credential{Uid: a.uid, Gid: a.gid}
}

// give makes the server's user the owner of path.
func (a *account) give(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, int(a.uid), int(a.gid))
}

// letThrough sees to it that the server's user can reach dir. Temporary directories, which Go makes for their owner
// alone, are opened for passing through; other people's directories are not touched, and the error names the one in
// the way.
func (a *account) letThrough(dir string) error {
	if a == nil {
		return nil
	}
	temporary, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return err
	}
	for ; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		if mode := info.Mode().Perm(); mode&0o001 == 0 && !a.owns(info) {
			if !strings.HasPrefix(dir, temporary+string(filepath.Separator)) {
				return fmt.Errorf("PostgreSQL runs as user %s, who cannot pass through %s; choose another directory, or allow it with `chmod o+x %s`", a.name, dir, dir)
			}
			if err := os.Chmod(dir, mode|0o011); err != nil {
				return err
			}
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

func (a *account) owns(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == a.uid
}
