package ledger

import (
	"bytes"
	"context"
	"io"
	"testing"
)

// large is a ledger with many proposed operations and their journals.
func large(t testing.TB, operations int) fixture {
	f := newFixture(t)
	f.planned()
	ctx := context.Background()
	_, err := f.pool.Exec(ctx, `insert into operations (operation, account, lane, state, payload, digest, proposed_by)
		select 'publish/autora/n-' || n, account, lane, 'proposed', payload, digest, proposed_by from operations, generate_series(1, $1) n`, operations)
	f.must(err)
	_, err = f.pool.Exec(ctx, `insert into journal (operation, event, to_state, detail) select operation, 'proposed', 'proposed', '{"run_id":"run"}' from operations where operation like 'publish/autora/n-%'`)
	f.must(err)
	return f
}

// An export of 5,000 operations, with one entry of the journal each.
func BenchmarkExport(b *testing.B) {
	f := large(b, 5000)
	for b.Loop() {
		f.must(f.Export(context.Background(), NewJSONLines(io.Discard)))
	}
}

// The import of the same, with every check, into an empty ledger.
func BenchmarkImport(b *testing.B) {
	var file bytes.Buffer
	f := large(b, 5000)
	f.must(f.Export(context.Background(), NewJSONLines(&file)))
	for b.Loop() {
		if _, err := empty(b).Import(context.Background(), bytes.NewReader(file.Bytes()), "ana"); err != nil {
			b.Fatal(err)
		}
	}
}
