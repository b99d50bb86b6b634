package tabnews

import (
	"fmt"
	"time"
)

// bodyLimit bounds what is read of an answer, in bytes. The largest content, 20,000 UTF-16 units of body escaped to six
// bytes each, is far below.
const bodyLimit = 1 << 20

// headerLimit bounds an answer's headers, in bytes.
const headerLimit = 64 << 10

// limits are the phases' limits with their defaults; zero: no limit of its own, the total is enough.
type limits struct {
	connect, tls, write, firstByte, read time.Duration
}

func (cfg Config) limits() (limits, error) {
	for _, l := range []struct {
		name  string
		value time.Duration
	}{
		{"ConnectTimeout", cfg.ConnectTimeout}, {"TLSTimeout", cfg.TLSTimeout}, {"WriteTimeout", cfg.WriteTimeout},
		{"FirstByteTimeout", cfg.FirstByteTimeout}, {"ReadTimeout", cfg.ReadTimeout},
	} {
		if l.value < 0 {
			return limits{}, fmt.Errorf("%s: must not be negative, is %v; leave it out for the default", l.name, l.value)
		}
	}
	return limits{
		connect: orDefault(cfg.ConnectTimeout, 10*time.Second), tls: orDefault(cfg.TLSTimeout, 10*time.Second),
		write: cfg.WriteTimeout, firstByte: cfg.FirstByteTimeout, read: cfg.ReadTimeout,
	}, nil
}

// forReads gives every phase a limit.
func (l limits) forReads() limits {
	l.write = orDefault(l.write, 10*time.Second)
	l.firstByte = orDefault(l.firstByte, 30*time.Second)
	l.read = orDefault(l.read, 30*time.Second)
	return l
}

// total is the time that all phases may take together.
func (l limits) total() time.Duration { return l.connect + l.tls + l.write + l.firstByte + l.read }

func orDefault(d, standard time.Duration) time.Duration {
	if d == 0 {
		return standard
	}
	return d
}
