package tabnewstest

import "time"

// Option changes an emulator that New makes.
type Option func(*options)

type options struct {
	now        func() time.Time
	ratingRule bool
	cache      bool
	pause      func(Pause)
}

// WithClock makes the emulator take its times from now: created_at, the firewall's five seconds and ten minutes, the
// expiry of sessions, the age in the cache. A fault's delay stays real time, for the client's own deadlines are.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }

// WithoutRatingRule switches off the refusal of badly rated authors (TabNews API, section 3, Rating rule).
func WithoutRatingRule() Option { return func(o *options) { o.ratingRule = false } }

// WithCache puts a shared cache before the public reads, as a CDN does (TabNews API, section 1, Cache-Control).
func WithCache() Option { return func(o *options) { o.cache = true } }

// Pause is a moment inside a write at which a hook can hold it, so that races are seen without waiting for luck.
type Pause string

const (
	// PauseBegin is before a creation is checked by the firewall and begins its transaction.
	PauseBegin Pause = "begin"
	// PauseCommit is inside a creation's transaction: its time is taken, its slug held, nothing is to be seen yet.
	PauseCommit Pause = "commit"
	// PauseWrite is in an update, between reading the row and writing all its columns.
	PauseWrite Pause = "write"
)

// WithPause calls hold at each Pause of each write, outside all locks.
func WithPause(hold func(Pause)) Option { return func(o *options) { o.pause = hold } }
