package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// ArchiveTable is a table as it is exported.
type ArchiveTable struct {
	Name    string
	Columns []ArchiveColumn
	key     []string // primary key
	parents []string // tables that its rows refer to
}

// ArchiveColumn is a column with its PostgreSQL type, as format_type words it.
type ArchiveColumn struct {
	Name, Type string
	identity   bool // numbered by PostgreSQL
}

// withoutRecords are the tables that hold no records: what may follow what, which the migrations fill, and their number.
var withoutRecords = []string{"transitions", versionTable}

// kept is what never leaves a ledger. A claim's token is the fence of one running process, and nobody may show it after
// an import: what was being sent can only end as unknown or accepted then.
var kept = map[string]string{"attempts": "token"}

// archiveTables finds what is to be exported in PostgreSQL's own catalog, so that no table and no column that a later
// migration adds can be forgotten. Columns that PostgreSQL derives from others are left to it.
func archiveTables(ctx context.Context, q querier) ([]ArchiveTable, error) {
	rows, err := q.Query(ctx, `
		select c.relname,
			array(select attname from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum)::text[],
			array(select format_type(atttypid, atttypmod) from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum)::text[],
			array(select attidentity <> '' from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum)::bool[],
			array(select a.attname from pg_index i, unnest(i.indkey) with ordinality k(attnum, place) join pg_attribute a on a.attnum = k.attnum
				where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid order by k.place)::text[],
			array(select confrelid::regclass::text from pg_constraint where conrelid = c.oid and contype = 'f' and confrelid <> c.oid)::text[]
		from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace and c.relname <> all($1)
		order by c.relname collate "C"`, withoutRecords)
	if err != nil {
		return nil, err
	}
	tables, err := pgx.CollectRows(rows, scanTable)
	if err != nil {
		return nil, err
	}
	return parentsFirst(tables)
}

func scanTable(row pgx.CollectableRow) (ArchiveTable, error) {
	var t ArchiveTable
	var names, types []string
	var identities []bool
	err := row.Scan(&t.Name, &names, &types, &identities, &t.key, &t.parents)
	for i, name := range names {
		if kept[t.Name] != name {
			t.Columns = append(t.Columns, ArchiveColumn{name, types[i], identities[i]})
		}
	}
	return t, err
}

// parentsFirst orders tables so that each comes after those that its rows refer to.
func parentsFirst(tables []ArchiveTable) ([]ArchiveTable, error) {
	var ordered []ArchiveTable
	for len(tables) > 0 {
		next := slices.IndexFunc(tables, func(t ArchiveTable) bool {
			return !slices.ContainsFunc(tables, func(other ArchiveTable) bool { return slices.Contains(t.parents, other.Name) })
		})
		if next < 0 {
			return nil, fmt.Errorf("the tables from %s on refer to each other in a ring", tables[0].Name)
		}
		if len(tables[next].key) == 0 {
			return nil, fmt.Errorf("the table %s has no primary key, so its rows have no order", tables[next].Name)
		}
		ordered = append(ordered, tables[next])
		tables = slices.Delete(tables, next, next+1)
	}
	return ordered, nil
}

func (t ArchiveTable) column(name string) *ArchiveColumn {
	i := slices.IndexFunc(t.Columns, func(c ArchiveColumn) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &t.Columns[i]
}

// sqlName is the table's name for a statement.
func (t ArchiveTable) sqlName() string { return pgx.Identifier{t.Name}.Sanitize() }

// selectRows gives every row as one JSON document, in an order that does not depend on the database's language.
func (t ArchiveTable) selectRows() string {
	var columns, order []string
	for _, c := range t.Columns {
		columns = append(columns, pgx.Identifier{c.Name}.Sanitize())
	}
	for _, name := range t.key {
		by := pgx.Identifier{name}.Sanitize()
		if t.column(name).Type == "text" {
			by += ` collate "C"`
		}
		order = append(order, by)
	}
	return fmt.Sprintf("select row_to_json(r)::text from (select %s from %s order by %s) r", strings.Join(columns, ", "), t.sqlName(), strings.Join(order, ", "))
}
