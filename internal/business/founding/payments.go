package founding

import (
	"crypto/rand"

	"kontor/internal/business/checkout"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/payment"
)

// waysToPay are those that need no contract with anybody.
func waysToPay(tx *db.Tx, known payment.Providers) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	term, _ := book.PaymentTerm("PREPAID") // an older company may have none
	methods := []checkout.Method{
		{Code: "PREPAYMENT", Name: "Payment in advance", Provider: "Prepayment", PaymentTermCode: term.Code,
			SortOrder: 10, IsActive: true},
		{Code: "INVOICE", Name: "Invoice", Provider: "Invoice", SortOrder: 20, IsActive: true},
	}
	if tx.Info.Environment == "Test" {
		methods = append(methods, checkout.Method{Code: "TEST", Name: "Test payment", Provider: "Test",
			PaymentTermCode: term.Code, SortOrder: 30, IsActive: true,
			Settings: payment.Settings{"secret": rand.Text()}})
	}
	return each.Do(methods, func(m checkout.Method) error {
		_, err := checkout.Save(tx, known, m)
		return err
	})
}

// AddWaysToPay gives a company that was made before there were payment methods those that a new one begins with. One
// that ever had any keeps its own.
func AddWaysToPay(tx *db.Tx, known payment.Providers) error {
	if has, err := checkout.HadMethods(tx); err != nil || has {
		return err
	}
	return waysToPay(tx, known)
}
