package app_test

import (
	"fmt"
	"testing"
	"time"

	"kontor/internal/business/replenishment"
	"kontor/internal/foundation/db"
)

// Eight people make drafts of the same proposals at once, a part of them of all there are: what is to be bought, moved
// and made is drafted once.
func TestWhoDraftsAtOnceDraftsOnce(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.must(201, "POST", "/preview/suppliers", `{"supplierNumber": "S-1", "name": "S"}`)
		var numbers []string
		for i := range 6 {
			n := fmt.Sprint("A-", i)
			numbers = append(numbers, n)
			s.must(201, "POST", "/preview/items", fmt.Sprintf(`{"itemNumber": %q, "name": "A"}`, n))
			s.must(200, "PATCH", "/preview/suppliers/S-1/items",
				fmt.Sprintf(`{"items": [{"itemNumber": %q, "unitPrice": 3, "isPrimary": true}]}`, n))
			s.must(200, "PATCH", "/preview/item-warehouses/"+n+"/MAIN", `{"safetyStock": 10}`)
		}
		everything := func(replenishment.Proposal) bool {
			time.Sleep(20 * time.Millisecond) // others plan meanwhile, if they may
			return true
		}
		together(8, 8, func(i int) {
			of := numbers
			if i%2 == 0 {
				of = nil
			}
			err := s.kontor.InCompany(t.Context(), s.company.ID, func(tx *db.Tx) error {
				_, _, err := replenishment.Draft(tx, of, everything)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
		a := s.must(200, "GET", "/preview/purchase-orders?supplierNumber=S-1", "")
		if got := fmt.Sprint(a.at("items[*].orderNumber")); len(a.at("items[*].orderNumber")) != 1 {
			t.Errorf("drafted with %s", got)
		}
	})
}
