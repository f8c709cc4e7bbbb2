package pricing

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const listFields = `code, name, description, type, currency, is_active, is_inclusive, priority, is_default,
	parent_code, valid_from, valid_to`

const listColumns = record.RootColumns + ", " + listFields + ", parent_id"

var listRow = db.Map[List](listFields)

func (l *List) columns() []any { return append(append(l.Root.Scan(), listRow.Of(l)...), &l.parentID) }

func scanList(r db.Row, l *List) error { return r.Scan(l.columns()...) }

// Find reads a price list by its code, with whom it is for. Refusal: PriceList.NotFound.
func Find(tx *db.Tx, code string) (List, error) {
	l, err := findHead(tx, code)
	return withTargets(tx, l, err)
}

// lock is Find with the root locked until the commit.
func lock(tx *db.Tx, code string) (List, error) {
	l, err := lockHead(tx, code)
	return withTargets(tx, l, err)
}

func withTargets(tx *db.Tx, l List, err error) (List, error) {
	if err == nil {
		err = readTargets(tx, map[string]*List{l.ID: &l})
	}
	return l, err
}

// findHead is a price list without whom it is for.
func findHead(tx *db.Tx, code string) (List, error) { return head(tx, code, "") }

// lockHead is findHead with the root locked until the commit.
func lockHead(tx *db.Tx, code string) (List, error) { return head(tx, code, " for update") }

func head(tx *db.Tx, code, locking string) (l List, err error) {
	err = tx.Each(`-- pricing.head
		select `+listColumns+` from price_list where company = :company and code_key = :key`+
		locking, db.Args{"key": record.Fold(code)}, func(r db.Row) error { return scanList(r, &l) })
	if err == nil && l.ID == "" {
		err = ErrNotFound.Because("there is no price list %q", code)
	}
	return l, err
}

// readTargets fills in whom lists are for.
func readTargets(tx *db.Tx, lists map[string]*List) error {
	ids := make([]string, 0, len(lists))
	for id := range lists {
		ids = append(ids, id)
	}
	return tx.Each(`-- pricing.readTargets
		select list_id, kind, code from price_list_target
		where company = :company and list_id in (:ids) and kind <> '' order by list_id, kind, code`,
		db.Args{"ids": ids}, func(r db.Row) error {
			var id, kind, code string
			if err := r.Scan(&id, &kind, &code); err != nil {
				return err
			}
			lists[id].assign(kind, code)
			return nil
		})
}

// Page reads a page of price lists by code, inactive ones included.
func Page(tx *db.Tx, f ListFilter, p record.Page) (record.Found[List], error) {
	q := record.Query{Name: "pricing.Page", Select: listColumns, From: "price_list",
		Key: []string{"code_key"}, Stamp: "changed_at",
		Sorts: map[string][]string{"code": {"code_key"}, "name": {"lower(name)", "code_key"}}}
	q.Search("search", f.Search)
	q.Given("type = :type", f.Type)
	q.Given("currency = :currency", strings.ToUpper(f.CurrencyCode))
	q.Given("is_active = :active", f.IsActive)
	found, err := record.ListOf(tx, q, p, scanList)
	if err != nil || len(found.Items) == 0 {
		return found, err
	}
	lists := make(map[string]*List, len(found.Items))
	for i := range found.Items {
		lists[found.Items[i].ID] = &found.Items[i]
	}
	return found, readTargets(tx, lists)
}

func (l List) search() string { return record.SearchText(l.Code, l.Name, l.Description) }

func insertList(tx *db.Tx, l List) error {
	return tx.Insert("price_list", listColumns+", code_key, search", 1, func(int) []any {
		return append(l.columns(), record.Fold(l.Code), l.search())
	})
}

func updateList(tx *db.Tx, l List) error {
	return tx.Run(`-- pricing.updateList
		update price_list set `+listRow.Set()+`, parent_id = :parent, search = :search where company = :company and id = :id`,
		listRow.Args(&l, db.Args{"id": l.ID, "parent": l.parentID, "search": l.search()}))
}

func insertTargets(tx *db.Tx, l List) error {
	targets := l.targets()
	return tx.Insert("price_list_target", "target, list_id, kind, code", len(targets), func(i int) []any {
		return []any{targets[i].name, l.ID, targets[i].kind, targets[i].code}
	})
}

func replaceTargets(tx *db.Tx, l List) error {
	_, err := tx.Exec(`-- pricing.replaceTargets
		delete from price_list_target where company = :company and list_id = :id`, db.Args{"id": l.ID})
	if err != nil {
		return err
	}
	return insertTargets(tx, l)
}

// lockDefault is the company's default list, if it has one.
func lockDefault(tx *db.Tx) (l List, found bool, err error) {
	err = tx.Each(`-- pricing.lockDefault
		select `+listColumns+
		` from price_list where company = :company and is_default = 1 for update`, nil, func(r db.Row) error {
		found = true
		return scanList(r, &l)
	})
	return l, found, err
}

func clearDefault(tx *db.Tx, id string) error {
	_, err := tx.Exec(`-- pricing.clearDefault
		update price_list set is_default = 0 where company = :company and id = :id`, db.Args{"id": id})
	if err != nil {
		return err
	}
	return tx.Delete(db.Args{"list_id": id, "target": toDefault}, "price_list_target")
}

// lockListsOf are the lists for a target, in the order in which they are locked.
func lockListsOf(tx *db.Tx, target string) (lists []List, err error) {
	err = tx.Each(`-- pricing.lockListsOf
		select `+listColumns+` from price_list where company = :company
			and id in (select list_id from price_list_target where company = :company and target = :target)
		order by id for update`, db.Args{"target": target}, func(r db.Row) error {
		lists = append(lists, List{})
		return scanList(r, &lists[len(lists)-1])
	})
	return lists, err
}

func dropTarget(tx *db.Tx, target string) error {
	return tx.Delete(db.Args{"target": target}, "price_list_target")
}
