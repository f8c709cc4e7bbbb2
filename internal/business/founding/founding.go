// Package founding is what a new company begins with: reference data, a price list, a shop and ways to pay, so that its
// first order can be placed at once. Tests and tutorials rely on the codes; from then on all of it is the company's.
package founding

import (
	"kontor/internal/business/reference"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/payment"
)

// Found writes what a new company begins with, from the facts of it in tx.Info. known are those who can take payments.
func Found(tx *db.Tx, known payment.Providers) error {
	for _, step := range []func(*db.Tx) error{
		currencies, warehouse, orderTypes, terms, taxCodes, groups, defaults, shop,
	} {
		if err := step(tx); err != nil {
			return err
		}
	}
	if err := waysToPay(tx, known); err != nil {
		return err
	}
	// Whoever lays the company out applies its host names at once: nobody has to open it for that afterwards.
	return jobs.Clear(tx)
}

// currencies are the base currency and the six most traded in, with indicative rates of the day.
func currencies(tx *db.Tx) error {
	base := tx.Info.Currency
	rows := []reference.Currency{{Code: base, Name: nameOfCurrency(base), Decimals: reference.MinorDigits(base),
		Rate: dec.Rate{Amount: dec.One, Units: dec.One}, RateDate: tx.Today(), IsBase: true, IsActive: true}}
	for _, code := range []string{"EUR", "USD", "GBP", "SEK", "NOK", "DKK"} {
		if code == base {
			continue
		}
		c := reference.Currency{Code: code, Name: nameOfCurrency(code), Decimals: reference.MinorDigits(code),
			IsActive: true}
		if rate, ok := indicativeRate(code, base); ok {
			c.Rate, c.RateDate = rate, tx.Today()
		}
		rows = append(rows, c)
	}
	return reference.SaveCurrencies(tx, rows...)
}

func warehouse(tx *db.Tx) error {
	err := reference.SaveWarehouses(tx, reference.Warehouse{
		Code: "MAIN", Name: "Main warehouse", IsActive: true, CountryCode: tx.Info.Country, TransportDays: 1})
	if err != nil {
		return err
	}
	return reference.SaveLocations(tx,
		reference.Location{Warehouse: "MAIN", Code: "A-01", Name: "Aisle A, bay 1", Zone: "A", IsPickable: true,
			IsActive: true},
		reference.Location{Warehouse: "MAIN", Code: "A-02", Name: "Aisle A, bay 2", Zone: "A", IsPickable: true,
			IsActive: true},
		reference.Location{Warehouse: "MAIN", Code: "RETURNS", Name: "Returned goods", IsReturns: true, IsActive: true})
}

func orderTypes(tx *db.Tx) error {
	return reference.SaveOrderTypes(tx,
		reference.OrderType{Code: "STANDARD", Name: "Standard order", AutoInvoice: reference.Never, IsActive: true},
		reference.OrderType{Code: "WEB", Name: "Web order", AutoRelease: true, AutoInvoice: reference.OnHandOver,
			IsActive: true},
		reference.OrderType{Code: "AUTO", Name: "Automatic order", AutoRelease: true, AutoShip: true,
			AutoInvoice: reference.OnHandOver, IsActive: true})
}

func terms(tx *db.Tx) error {
	err := reference.SaveShippingMethods(tx,
		// example.com is nobody's (RFC 2606): the merchant writes the carrier's address here.
		reference.ShippingMethod{Code: "PARCEL", Name: "Parcel", Carrier: "Parcel carrier",
			TrackingURLTemplate: "https://tracking.example.com/{trackingNumber}", IsActive: true},
		reference.ShippingMethod{Code: "PICKUP", Name: "Pick up at the warehouse", IsPickup: true, IsActive: true})
	if err != nil {
		return err
	}
	err = reference.SavePaymentTerms(tx,
		reference.PaymentTerm{Code: "NET30", Name: "30 days net", Days: 30, IsActive: true},
		reference.PaymentTerm{Code: "PREPAID", Name: "Payment in advance", IsActive: true})
	if err != nil {
		return err
	}
	return reference.SaveDeliveryTerms(tx,
		reference.DeliveryTerm{Code: "DAP", Name: "Delivered at place", IncotermsCode: "DAP", IsActive: true},
		reference.DeliveryTerm{Code: "EXW", Name: "Ex works", IncotermsCode: "EXW", IsActive: true})
}

func taxCodes(tx *db.Tx) error {
	standard, reduced := vatOf(tx.Info.Country)
	in := func(percent dec.Dec) []reference.TaxRate {
		return []reference.TaxRate{{Country: tx.Info.Country, ValidFrom: day.Date(""), Percent: percent}}
	}
	return reference.SaveTaxCodes(tx,
		reference.TaxCode{Code: "STD", Name: "Standard rate", IsActive: true, Rates: in(standard)},
		reference.TaxCode{Code: "RED", Name: "Reduced rate", IsActive: true, Rates: in(reduced)},
		reference.TaxCode{Code: "ZERO", Name: "Zero rate", IsActive: true, Rates: []reference.TaxRate{{}}})
}

func groups(tx *db.Tx) error {
	// Common codes of UN/ECE Recommendation 20.
	err := reference.SaveUnits(tx,
		reference.Unit{Code: "PCS", Name: "Piece", CommonCode: "H87", IsActive: true},
		reference.Unit{Code: "KG", Name: "Kilogram", CommonCode: "KGM", IsActive: true},
		reference.Unit{Code: "M", Name: "Metre", CommonCode: "MTR", IsActive: true},
		reference.Unit{Code: "H", Name: "Hour", CommonCode: "HUR", IsActive: true})
	if err != nil {
		return err
	}
	err = reference.SaveCustomerGroups(tx,
		reference.CustomerGroup{Code: "RETAIL", Name: "Retail", IsActive: true},
		reference.CustomerGroup{Code: "WHOLESALE", Name: "Wholesale", IsActive: true})
	if err != nil {
		return err
	}
	return reference.SaveTicketQueues(tx,
		reference.TicketQueue{Code: "SUPPORT", Name: "Support", IsActive: true},
		reference.TicketQueue{Code: "SALES", Name: "Sales", IsActive: true},
		reference.TicketQueue{Code: "RETURNS", Name: "Returns", IsActive: true})
}

func defaults(tx *db.Tx) error {
	return reference.SaveDefaults(tx, reference.Defaults{
		Warehouse: "MAIN", OrderType: "STANDARD", ShippingMethod: "PARCEL", PaymentTerm: "NET30", DeliveryTerm: "DAP",
		TaxCode: "STD", Unit: "PCS", TicketQueue: "SUPPORT", AllowSkipPack: true, AllowSkipBook: true,
	})
}
