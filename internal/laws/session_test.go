package laws

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
)

var newTable = regexp.MustCompile(`(?m)^create table (\w+) \(`)

// tables are those of a schema: of companies, or of what is above them.
func tables(t *testing.T, schema db.Schema) (all []string) {
	t.Helper()
	for _, name := range db.Steps(schema) {
		text, err := os.ReadFile(path.Join(root, "internal/foundation/db/schema", string(schema), name))
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range newTable.FindAllStringSubmatch(string(text), -1) {
			if table[1] != "portal_attempt" { // dropped later
				all = append(all, table[1])
			}
		}
	}
	return all
}

// rows are how many rows the first company has, by table, and whether the session of a token is among them.
func (w *world) rows(token string) (rows map[string]int, session bool) {
	w.Helper()
	rows = map[string]int{}
	err := w.open.InCompany(w.Context(), w.first.ID, func(tx *db.Tx) error {
		for _, table := range tables(w.T, db.CellSchema) {
			var n int
			if _, err := tx.One("-- laws.rows\nselect count(*) from "+table+" where company = :company", nil,
				&n); err != nil {
				return err
			}
			rows[table] = n
		}
		var n int
		_, err := tx.One(
			"-- laws.rows session\nselect count(*) from session where company = :company and token_hash = :token",
			db.Args{"token": storefront.Hash(token)}, &n)
		session = n == 1
		return err
	})
	if err != nil || len(rows) < 50 {
		w.Fatalf("%d tables are counted: %v", len(rows), err)
	}
	return rows, session
}

// more names the tables that have other rows than before.
func more(before, after map[string]int) (names []string) {
	for table, n := range after {
		if n != before[table] {
			names = append(names, table)
		}
	}
	slices.Sort(names)
	return names
}

// keeping are requests of a session in which nothing was kept yet that write something, by operation; $item is
// something that is sold.
var keeping = map[string]string{
	"addCartItem":          `{"itemId": "$item", "quantity": "1"}`,
	"updateSession":        `{"isPriceIncludingTax": true}`,
	"addCartItems":         `{"items": [{"itemId": "$item", "quantity": "1"}]}`,
	"updateCart":           `{"reference": "mine"}`,
	"requestCode":          `{"email": "nobody@example.com", "purpose": "OneTimeLogin"}`,
	"register":             `{"email": "new@example.com", "password": "correct horse battery", "firstName": "Nia", "lastName": "New"}`,
	"putCheckoutContact":   `{"email": "guest@example.com", "firstName": "Gus", "lastName": "Guest"}`,
	"putCheckoutAddresses": `{"billing": {"name": "Gus Guest", "street1": "Road 1", "postalCode": "11122", "city": "Stockholm", "countryCode": "SE"}}`,
}

// A session has a row from the first transaction on that keeps anything for its visitor, and not before: whatever a
// visitor only looks at, or is refused, writes nothing at all.
func TestASessionHasItsRowWithWhatItKeeps(t *testing.T) {
	eachWorld(t, func(w *world) {
		w.story()
		w.must("PUT", "/preview/item-channels/I%2F1/WEB", `{"isPublished": true, "isPurchasable": true}`)
		var item catalog.Item
		err := w.open.InCompany(w.Context(), w.first.ID, func(tx *db.Tx) (err error) {
			item, err = catalog.Find(tx, "I/1")
			return err
		})
		if err != nil {
			w.Fatal(err)
		}
		w.watchShop()
		kept := map[string]bool{}
		eachShopOperation(func(o served) {
			scope := scopeOf(o.group, o.Op)
			if o.Traits.Open && o.ID != "openSession" && o.ID != "logout" || scope == rest.ScopeCustomer {
				return // nobody's, or of somebody who signed in, which is kept
			}
			headers := w.visitor(w.first.ID, "WEB", nil, party.Customer{})
			token := strings.TrimPrefix(headers[2], "Authorization: Bearer ")
			body := o.body()
			if said, ok := keeping[o.ID]; ok {
				body = strings.ReplaceAll(said, "$item", item.ID)
			}
			before, had := w.rows(token)
			if had {
				w.Fatal("a session that was opened has a row")
			}
			path := shopPath(o.Op) + "?path=/x&number=x&q=x&itemIds=00000000-0000-7000-8000-00000000dead"
			a := w.send("", o.Method, path, body, append(headers, o.media()...)...)
			after, has := w.rows(token)
			written := more(before, after)
			switch {
			case !o.Writes() && (len(written) > 0 || has):
				w.Errorf("%s only looks, and writes rows of %v", o.ID, written)
			case has != (len(written) > 0), has && len(written) == 1 && o.ID != "updateSession" && o.ID != "logout":
				w.Errorf("%s (%d) writes rows of %v, and the session has a row: %t", o.ID, a.Code, written, has)
			case o.ID == "logout" && !has:
				w.Error("logging out of a session that kept nothing leaves its token standing")
			}
			if has {
				kept[o.ID] = true
			}
			if keeping[o.ID] != "" && (a.Code > 299 || !has) {
				w.Errorf("%s is to keep something: %d %s", o.ID, a.Code, a.Body)
			}
		})
		if len(kept) < len(keeping) {
			w.Errorf("only %v kept anything: the law no longer looks where sessions begin", kept)
		}
		w.Logf("kept by %v", kept)
	})
}
