package archive

import (
	"fmt"
	"strings"

	"kontor/internal/db"
)

// tables are all tables of the database that tx sees, in the order they were made.
func tables(tx *db.Tx) ([]Table, error) {
	query := `-- archive.tables
select m.name, c.name from sqlite_master m join pragma_table_xinfo(m.name) c on c.hidden = 0
where m.type = 'table' and :company = :company order by m.rowid, c.cid`
	if tx.Engine() == "postgres" {
		query = `-- archive.tables
select c.relname::text, a.attname::text from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
where n.nspname = current_schema() and c.relkind in ('r', 'p') and :company = :company order by c.oid, a.attnum`
	}
	var all []Table
	err := tx.Each(query, nil, func(r db.Row) error {
		var table, column string
		if err := r.Scan(&table, &column); err != nil {
			return err
		}
		if len(all) == 0 || all[len(all)-1].Name != table {
			all = append(all, Table{Name: table})
		}
		t := &all[len(all)-1]
		t.Columns = append(t.Columns, column)
		return nil
	})
	return all, err
}

// companyRows hands out every table that holds rows of the transaction's company, parents before children. What the
// cell knows of the company itself is left out: it belongs to the place, not to the books.
func companyRows(tx *db.Tx, take func(Table, Rows) error) error {
	all, err := tables(tx)
	if err != nil {
		return err
	}
	for _, t := range all {
		if t.Name == "company_state" {
			continue
		}
		if t, ok := t.without("company"); ok {
			if err := scanRows(tx, t, "company = :company", nil, take); err != nil {
				return err
			}
		}
	}
	return nil
}

// scanRows hands out the rows of a table that meet a condition, in batches.
func scanRows(tx *db.Tx, t Table, where string, a db.Args, take func(Table, Rows) error) error {
	var rows Rows
	err := tx.Each("-- archive.scanRows\nselect "+strings.Join(t.Columns, ", ")+" from "+t.Name+" where "+where, a, func(r db.Row) error {
		values, dest := make([]any, len(t.Columns)), make([]any, len(t.Columns))
		for i := range values {
			dest[i] = &values[i]
		}
		if err := r.Scan(dest...); err != nil {
			return err
		}
		for i, v := range values {
			switch v.(type) {
			case nil, int64, string, []byte:
			default:
				return fmt.Errorf("archive: %s.%s holds a %T", t.Name, t.Columns[i], v)
			}
		}
		if rows = append(rows, values); len(rows) < batch {
			return nil
		}
		full := rows
		rows = nil
		return take(t, full)
	})
	if err != nil || len(rows) == 0 {
		return err
	}
	return take(t, rows)
}

// Insert writes rows of a table. onConflict is empty where none may be there already.
func Insert(tx *db.Tx, t Table, rows Rows, onConflict string) error {
	return tx.Upsert(t.Name, strings.Join(t.Columns, ", "), len(rows), func(i int) []any { return rows[i] }, onConflict)
}

// Renew gives the company's data another generation, so that cursors from before a restore expire, and an epoch
// that it never had (they count up from 1), so that no node takes what it remembers for present.
func Renew(tx *db.Tx) error {
	_, err := tx.Exec(`-- archive.Renew
update company_state set generation = :generation, epoch = :now where company = :company`,
		db.Args{"generation": fmt.Sprintf("%x", int64(tx.Now))})
	return err
}

// controlTables are the tables of the control database that an archive carries, parents first, each with the
// condition that picks one company's rows; "" = they are the installation's.
var controlTables = [...]struct{ name, ofCompany string }{
	{"company", "id = :id"},
	{"app_user", "id in (select user_id from membership where company_id = :id)"},
	{"membership", "company_id = :id"},
	{"api_key", "company_id = :id"},
	{"domain", "company_id = :id"},
	{"control_activity", ""},
	{"setting", ""},
}

// DumpControl writes the rows of the control database below dir: those of one company, or with "" all of them.
func DumpControl(tx *db.Tx, company, dir string) error {
	all, err := tables(tx)
	if err != nil {
		return err
	}
	columns := map[string]Table{}
	for _, t := range all {
		columns[t.Name] = t
	}
	w := &writer{dir: dir}
	for _, c := range controlTables {
		where, a := "1 = 1", db.Args(nil)
		if company != "" {
			if where, a = c.ofCompany, (db.Args{"id": company}); where == "" {
				continue
			}
		}
		if err := scanRows(tx, columns[c.name], where, a, w.rows); err != nil {
			return err
		}
	}
	return w.close()
}
