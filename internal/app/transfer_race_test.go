package app_test

import (
	"fmt"
	"strconv"
	"testing"

	"kontor/internal/business/transfer"
	"kontor/internal/foundation/db"
)

// Goods go back and forth between two warehouses, beside orders that want them: each piece is promised once, leaves
// once and arrives once, whoever asks at the same moment. What stands at the end is recomputed from the ledger.
func TestTransfersBesideOrders(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.item("A-1")
		s.item("A-2")
		s.customer("C-1")
		err := s.kontor.InCompany(t.Context(), s.company.ID,
			func(tx *db.Tx) error { return office["warehouse"](tx, []string{"SHOP", "S-1"}) })
		if err != nil {
			s.Fatal(err)
		}
		for _, item := range []string{"A-1", "A-2"} {
			s.stock(item, "A-01", 60)
			s.must(201, "POST", "/preview/inventory/adjustments",
				`{"warehouseCode": "SHOP", "locationCode": "S-1", "itemNumber": "`+item+`", "quantity": 60}`)
		}
		const transfers = 24
		for i := range transfers { // named in both orders, in both directions
			from, to, first, second := "MAIN", "SHOP", "A-1", "A-2"
			if i%2 == 1 {
				from, to = to, from
			}
			if i%3 == 1 {
				first, second = second, first
			}
			s.must(201, "POST", "/preview/transfers", fmt.Sprintf(`{"orderNumber": "T-%d", "fromWarehouseCode": %q, "toWarehouseCode": %q, "lines": [
				{"itemNumber": %q, "quantity": 4}, {"itemNumber": %q, "quantity": 3}]}`, i, from, to, first, second))
		}
		moved := s.answersOf(2*transfers, func(i int) (answer, error) {
			if i%2 == 1 {
				return s.try("POST", "/preview/orders", fmt.Sprintf(`{"orderNumber": "O-%d", "customerNumber": "C-1", "warehouseCode": %q, "lines": [
					{"itemNumber": "A-2", "quantity": 4}, {"itemNumber": "A-1", "quantity": 2}]}`, i,
					[]string{"MAIN", "SHOP"}[i/2%2]))
			}
			a, err := s.try("POST", fmt.Sprintf("/preview/transfers/T-%d/release", i/2), "")
			if err != nil || a.status != 200 {
				return a, err
			}
			return s.try("POST", fmt.Sprintf("/preview/transfers/T-%d/ship", i/2),
				`{"lines": [{"lineNumber": 1, "quantity": 3}, {"lineNumber": 2, "quantity": 3}]}`)
		})
		left := 0
		for _, a := range moved {
			if a.status == 200 {
				left++
			} else if a.status != 201 && a.code() != "Inventory.InsufficientStock" {
				s.Fatalf("together: %s", outcomes(moved))
			}
		}
		// Each is received by three at once: six pieces by two, and one who is too late; every fifth is given up
		// meanwhile.
		arrived := s.answersOf(3*transfers, func(i int) (answer, error) {
			if i%15 == 0 {
				_ = s.kontor.InCompany(t.Context(), s.company.ID, func(tx *db.Tx) error {
					_, err := transfer.WriteOff(tx, fmt.Sprintf("T-%d", i/3), "fell off")
					return err
				})
			}
			return s.try("POST", fmt.Sprintf("/preview/transfers/T-%d/receive", i/3),
				`{"lines": [{"lineNumber": 1, "quantity": 2}, {"lineNumber": 2, "quantity": 1}]}`)
		})
		for _, a := range arrived {
			if a.status != 201 && a.code() != "TransferLine.QuantityExceedsOutstanding" &&
				a.code() != "Transfer.InvalidStatus" {
				s.Fatalf("arriving: %s", outcomes(arrived))
			}
		}
		last := s.answersOf(transfers, func(i int) (answer, error) {
			return s.try("POST", fmt.Sprintf("/preview/transfers/T-%d/receive", i), "")
		})
		t.Logf("%d of %d left; arriving: %s; the rest: %s", left, transfers, outcomes(arrived), outcomes(last))
		shipped, received, lost := 0, 0, 0
		for _, row := range s.all("/preview/transfers") {
			a := s.must(200, "GET", "/preview/transfers/"+fmt.Sprint(dig(row, "orderNumber")), "")
			for field, sum := range map[string]*int{"shipped": &shipped, "received": &received, "writtenOff": &lost} {
				for _, quantity := range a.at("lines[*]." + field + "Quantity") {
					n, err := strconv.Atoi(quantity)
					if err != nil {
						s.Fatal(err)
					}
					*sum += n
				}
			}
		}
		if shipped != 6*left || received+lost != shipped || received == 0 || lost == 0 {
			s.Errorf("%d left, %d arrived and %d were lost", shipped, received, lost)
		}
		onHand := 0
		for _, item := range []string{"A-1", "A-2"} {
			n, err := strconv.Atoi(s.one(s.must(200, "GET", "/preview/items/"+item+"/availability", ""),
				"totalQuantityOnHand"))
			if err != nil {
				s.Fatal(err)
			}
			onHand += n
		}
		if onHand != 240-lost {
			s.Errorf("%d are on hand of 240, of which %d were lost", onHand, lost)
		}
	})
}
