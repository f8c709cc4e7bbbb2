package pricing

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var lists = record.TableOf(Lists, record.Layout[List]{
	Fixed: "code",
	Changing: "name, description, type, currency, is_active, is_inclusive, priority, is_default, parent_code, " +
		"valid_from, valid_to, parent_id",
	Key:     "code_key",
	KeyOf:   func(l *List) string { return l.Code },
	Derived: func(l *List) db.Args { return db.Args{"search": record.SearchText(l.Code, l.Name, l.Description)} },
	Missing: func(code string) error { return ErrNotFound.Because("there is no price list %q", code) },
	Taken: func(l *List) error {
		return ErrExists.Because("there is a price list %q already: choose another code, or change that list", l.Code)
	},
})

// Find reads a price list by its code, with whom it is for. Refusal: PriceList.NotFound.
func Find(tx *db.Tx, code string) (List, error) { return withTargets(tx, code, lists.Find) }

// lock is Find with the root locked until the commit.
func lock(tx *db.Tx, code string) (List, error) { return withTargets(tx, code, lists.Lock) }

func withTargets(tx *db.Tx, code string, find func(*db.Tx, string) (List, error)) (List, error) {
	l, err := find(tx, code)
	if err != nil {
		return l, err
	}
	found := []List{l}
	err = readTargets(tx, found)
	return found[0], err
}

// readTargets fills in whom lists are for.
func readTargets(tx *db.Tx, lists []List) error {
	if len(lists) == 0 {
		return nil
	}
	at, ids := make(map[string]int, len(lists)), make([]string, len(lists))
	for i := range lists {
		ids[i] = lists[i].ID
		at[ids[i]] = i
	}
	return db.Each3(tx, `-- pricing.readTargets
		select list_id, kind, code from price_list_target
		where company = :company and list_id in (:ids) and kind <> '' order by list_id, kind, code`,
		db.Args{"ids": ids}, func(id, kind, code string) error {
			lists[at[id]].assign(kind, code)
			return nil
		})
}

// Page reads a page of price lists by code, inactive ones included.
func Page(tx *db.Tx, f ListFilter, p record.Page) (record.Found[List], error) {
	q := lists.Query("pricing.Page")
	q.Resources = nil
	q.Sorts = map[string][]string{"code": {"code_key"}, "name": {"lower(name)", "code_key"}}
	q.Search("search", f.Search)
	q.Given("type = :type", f.Type)
	q.Given("currency = :currency", strings.ToUpper(f.CurrencyCode))
	q.Given("is_active = :active", f.IsActive)
	found, err := record.ListOf(tx, q, p, lists.Scan)
	if err != nil {
		return found, err
	}
	return found, readTargets(tx, found.Items)
}

func insertTargets(tx *db.Tx, l List) error {
	targets := l.targets()
	return tx.Insert("price_list_target", "target, list_id, kind, code", len(targets), func(i int) []any {
		return []any{targets[i].name, l.ID, targets[i].kind, targets[i].code}
	})
}

func replaceTargets(tx *db.Tx, l List) error {
	if err := tx.Delete(db.Args{"list_id": l.ID}, "price_list_target"); err != nil {
		return err
	}
	return insertTargets(tx, l)
}

// lockDefault is the company's default list, if it has one.
func lockDefault(tx *db.Tx) (l List, found bool, err error) {
	return lists.One(tx, "pricing.lockDefault", "is_default = 1 for update", nil)
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
func lockListsOf(tx *db.Tx, target string) ([]List, error) {
	return lists.Where(tx, "pricing.lockListsOf",
		`id in (select list_id from price_list_target where company = :company and target = :target)
		order by id for update`, db.Args{"target": target})
}
