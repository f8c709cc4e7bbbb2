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
			if i%2 == 0 {
				if _, _, err := s.kontor.Plan(t.Context(), s.company.ID, true); err != nil {
					t.Error(err)
				}
				return
			}
			err := s.kontor.InCompany(t.Context(), s.company.ID, func(tx *db.Tx) error {
				_, _, err := replenishment.Draft(tx, numbers, everything)
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

// Goods come in and go out while plans are made in order to draft: what is there and what is to come are always enough,
// so nothing is proposed, however much of it changes from the one to the other meanwhile.
func TestWhatComesMeanwhileIsNotOrdered(t *testing.T) {
	eachShop(t, func(s *shop) {
		const pieces = 60
		s.must(201, "POST", "/preview/suppliers", `{"supplierNumber": "S-1", "name": "S"}`)
		s.must(201, "POST", "/preview/items", `{"itemNumber": "A-1", "name": "A"}`)
		s.must(200, "PATCH", "/preview/item-warehouses/A-1/MAIN", fmt.Sprintf(`{"safetyStock": %d}`, 2*pieces))
		for i := range pieces {
			n := fmt.Sprint("P-", i)
			s.must(201, "POST", "/preview/purchase-orders", fmt.Sprintf(`{"orderNumber": %q, "supplierNumber": "S-1",
				"lines": [{"itemNumber": "A-1", "quantity": 2, "unitPrice": 3}]}`, n))
		}
		moved := make(chan struct{})
		go func() {
			defer close(moved)
			together(pieces, 2, func(i int) {
				n := fmt.Sprint("/preview/purchase-orders/P-", i)
				s.must(200, "POST", n+"/send", "")
				s.must(201, "POST", n+"/lines/1/receive", `{"quantity": 1}`)
				s.must(201, "POST", n+"/lines/1/receive", `{"quantity": 1}`)
			})
		}()
		for ended := false; !ended; {
			select {
			case <-moved:
				ended = true
			default:
			}
			err := s.kontor.InCompany(t.Context(), s.company.ID, func(tx *db.Tx) error {
				_, _, err := replenishment.Draft(tx, []string{"A-1"}, func(p replenishment.Proposal) bool {
					t.Errorf("%s of %s are proposed", p.Quantity, p.Item)
					return false
				})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}
