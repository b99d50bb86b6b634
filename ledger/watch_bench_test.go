package ledger

import (
	"context"
	"testing"
	"time"
)

// BenchmarkWatchNeeded is what every worker asks every five seconds, with three hundred publications of the last week.
func BenchmarkWatchNeeded(b *testing.B) {
	f := newFixture(b)
	f.published("matched")
	_, err := f.pool.Exec(context.Background(), `
		with made as (
			insert into operations (operation, account, lane, state, payload, digest, proposed_by, remote_status, verification, local_record, identity)
			select 'publish/autora/ola-' || n, account, lane, state, payload, digest, proposed_by, remote_status, verification, local_record,
				json_build_object('id', 'id-' || n, 'owner_username', 'autora', 'slug', 'ola-' || n, 'status', 'published')
			from operations, generate_series(1, 300) n returning operation)
		insert into journal (operation, event, to_state) select operation, 'answered', 'accepted' from made`)
	f.must(err)
	after := []time.Duration{time.Minute, time.Hour}
	for b.Loop() {
		if _, _, err := f.WatchNeeded(context.Background(), "autora", after); err != nil {
			b.Fatal(err)
		}
	}
}
