package archive

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// tables are all tables of the database that tx sees, in the order they were made.
func tables(tx *db.Tx) ([]Table, error) {
	query := `-- archive.tables
select m.name, c.name, c.pk from sqlite_master m join pragma_table_xinfo(m.name) c on c.hidden = 0
where m.type = 'table' and :company = :company order by m.rowid, c.cid`
	if tx.Engine() == "postgres" {
		query = `-- archive.tables
select c.relname::text, a.attname::text, coalesce(array_position(i.indkey::int[], a.attnum::int) + 1, 0)::bigint from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
left join pg_index i on i.indrelid = c.oid and i.indisprimary
where n.nspname = current_schema() and c.relkind in ('r', 'p') and :company = :company order by c.oid, a.attnum`
	}
	var all []Table
	err := db.Each3(tx, query, nil, func(table, column string, key int64) error {
		if len(all) == 0 || all[len(all)-1].Name != table {
			all = append(all, Table{Name: table})
		}
		t := &all[len(all)-1]
		t.Columns = append(t.Columns, column)
		if key > 0 {
			t.key = append(t.key, column)
		}
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

// scanRows hands out the rows of a table that meet a condition, in batches and always in the same order: what did not
// change between two backups is the same bytes then.
func scanRows(tx *db.Tx, t Table, where string, a db.Args, take func(Table, Rows) error) error {
	var rows Rows
	err := tx.Each("-- archive.scanRows\nselect "+strings.Join(t.Columns, ", ")+" from "+t.Name+" where "+where+
		t.order(), a, func(r db.Row) error {
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

// Insert writes rows of a table as they were, whatever rules of today they break. onConflict is empty where none may be
// there already.
func Insert(tx *db.Tx, t Table, rows Rows, onConflict string) error {
	return tx.Unruled(func() error {
		return tx.Upsert(t.Name, strings.Join(t.Columns, ", "), len(rows), func(i int) []any { return rows[i] },
			onConflict)
	})
}

// Renew gives the company's data another generation, so that cursors from before a restore expire, and an epoch
// that it never had (they count up from 1), so that no node takes what it remembers for present. Who waits to be erased
// is seen anew, by the clock of here.
func Renew(tx *db.Tx) error {
	err := tx.Run(`-- archive.Renew
update company_state set generation = :generation, epoch = :now where company = :company`,
		db.Args{"generation": fmt.Sprintf("%x", int64(tx.Now))})
	if err != nil {
		return err
	}
	return record.Unsee(tx)
}

// ofMembers are the connections of a company that people of it hold: of others nobody is restored with it.
const ofMembers = "company_id = :id and user_id in (select user_id from membership where company_id = :id)"

// controlTables are the tables of the control database that a backup carries, parents first, each with the condition
// that its rows meet, and the one that picks a company's; "" = they are the installation's.
var controlTables = [...]struct{ name, always, ofCompany string }{
	{name: "company", ofCompany: "id = :id"},
	{name: "app_user", ofCompany: "id in (select user_id from membership where company_id = :id)"},
	{name: "membership", ofCompany: "company_id = :id"},
	{name: "api_key", ofCompany: "company_id = :id"},
	{name: "domain", ofCompany: "company_id = :id"},
	{name: "user_ticket", always: "purpose = 'invitation'", ofCompany: "company_id = :id"},
	{name: "oauth_client", ofCompany: "id in (select client_id from oauth_grant where " + ofMembers + ")"},
	{name: "oauth_grant", ofCompany: ofMembers},
	{name: "oauth_token", ofCompany: "grant_id in (select id from oauth_grant where " + ofMembers + ")"},
	{name: "control_activity"},
	{name: "setting"},
}

// accessTables are those of a company that come in without the room of people knowing them.
var accessTables = [...]string{"user_ticket", "oauth_client", "oauth_grant", "oauth_token"}

// condition is what the rows of a table meet; none where the company has no part in it.
func condition(always, ofCompany, company string) (where string, a db.Args) {
	all := []string{"1 = 1"}
	if always != "" {
		all = append(all, always)
	}
	if company != "" {
		if ofCompany == "" {
			return "", nil
		}
		all, a = append(all, ofCompany), db.Args{"id": company}
	}
	return strings.Join(all, " and "), a
}

// controlRows hands out the rows of the control database that a backup carries: those of one company, or with "" all of
// them.
func controlRows(tx *db.Tx, company string, names []string, take func(Table, Rows) error) error {
	all, err := tables(tx)
	if err != nil {
		return err
	}
	columns := each.By(all, func(t Table) string { return t.Name })
	for _, c := range controlTables {
		where, a := condition(c.always, c.ofCompany, company)
		if where == "" || names != nil && !slices.Contains(names, c.name) {
			continue
		}
		if c.name == "company" { // also where there is none: the backup of nothing says so
			if err := take(columns[c.name], nil); err != nil {
				return err
			}
		}
		if err := scanRows(tx, columns[c.name], where, a, take); err != nil {
			return err
		}
	}
	return nil
}

// DumpControl writes the rows of the control database below dir: those of one company, or with "" all of them.
func DumpControl(tx *db.Tx, company, dir string) error {
	if err := os.RemoveAll(dir); err != nil { // it may run again
		return err
	}
	w := &writer{dir: dir}
	return errors.Join(controlRows(tx, company, nil, w.rows), w.close())
}

// Access is what lets programs and people into a company besides its members and keys: invitations, and connections of
// programs.
type Access []struct {
	table Table
	rows  Rows
}

// AccessOf gathers what Enter takes.
func AccessOf(tx *db.Tx, company string) (all Access, err error) {
	err = controlRows(tx, company, accessTables[:], func(t Table, rows Rows) error {
		all = append(all, struct {
			table Table
			rows  Rows
		}{t, rows})
		return nil
	})
	return all, err
}

// Enter enters what was gathered elsewhere, where users says who the people there are here. What is here already stays
// as it is.
func (a Access) Enter(tx *db.Tx, users map[string]string) error {
	for _, part := range a {
		at := slices.Index(part.table.Columns, "user_id")
		for _, row := range part.rows {
			if at >= 0 {
				if known, ok := users[fmt.Sprint(row[at])]; ok {
					row[at] = known
				}
			}
		}
		if err := Insert(tx, part.table, part.rows, "on conflict do nothing"); err != nil {
			return err
		}
	}
	return nil
}
