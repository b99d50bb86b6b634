package e2e

import (
	"context"
	"time"
)

// poll asks until it is so, every so often. The condition is an event of the system under test; asking is how it is
// seen. Seen is what was seen last, for the words of a failure.
func (s *story) poll(ctx context.Context, every time.Duration, what string, so func() (done bool, seen any)) {
	s.t.Helper()
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		done, seen := so()
		if done {
			return
		}
		select {
		case <-ctx.Done():
			s.t.Fatalf("%s never came; last seen: %+v", what, seen)
		case <-ticker.C:
		}
	}
}

// tick waits for what is asked within this process.
func (s *story) tick(what string, so func() bool) {
	s.t.Helper()
	s.poll(s.context(), 20*time.Millisecond, what, func() (bool, any) { return so(), nil })
}

// eventually waits for what a program has to be asked, such as Temporal's list, which lags behind.
func (s *story) eventually(what string, so func() (done bool, seen any)) {
	s.t.Helper()
	s.poll(s.context(), 250*time.Millisecond, what, so)
}

// claims are the moments at which the ledger's attempts were claimed, in order.
func (s *story) claims() (times []time.Time) {
	s.t.Helper()
	conn := s.connect("postonce")
	defer conn.Close(context.Background())
	err := conn.QueryRow(s.context(), `select array_agg(claimed_at order by claimed_at) from attempts where claimed_at is not null`).Scan(&times)
	if err != nil {
		s.t.Fatal(err)
	}
	return times
}

// claim is the moment at which an operation's first attempt was claimed.
func (s *story) claim(operation string) (at time.Time) {
	s.t.Helper()
	conn := s.connect("postonce")
	defer conn.Close(context.Background())
	if err := conn.QueryRow(s.context(), `select claimed_at from attempts where operation = $1 and number = 1`, operation).Scan(&at); err != nil {
		s.t.Fatal(err)
	}
	return at
}

// wantApart holds that no claim came sooner after the one before than the lane's interval.
func (s *story) wantApart(claims []time.Time, interval time.Duration) {
	s.t.Helper()
	for i := 1; i < len(claims); i++ {
		if gap := claims[i].Sub(claims[i-1]); gap < interval {
			s.t.Errorf("claim %d came %s after the one before, sooner than %s", i+1, gap, interval)
		}
	}
}
