package reference_test

import (
	"testing"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

func book(t *testing.T, s *db.Store) (b *reference.Book) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) (err error) { b, err = reference.Of(tx); return err })
	return b
}

func rate(amount, units string) dec.Rate {
	return dec.Rate{Amount: dec.Must(amount), Units: dec.Must(units)}
}

// fill saves one of everything, each twice over, the way a starter set does.
func fill(tx *db.Tx) error {
	for _, save := range []func() error{
		func() error {
			return reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main", IsActive: true,
				CountryCode: "SE"},
				reference.Warehouse{Code: "Öst", Name: "East", TransportDays: 2})
		},
		func() error {
			return reference.SaveLocations(tx, reference.Location{Warehouse: "main", Code: "A-02", IsPickable: true,
				IsActive: true, Name: "A2"},
				reference.Location{Warehouse: "MAIN", Code: "A-01", IsPickable: true, IsActive: true, Name: "A1"},
				reference.Location{Warehouse: "öst", Code: "A-01", Name: "East A1"})
		},
		func() error {
			return reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Swedish krona", IsActive: true},
				reference.Currency{Code: "JPY", Name: "Yen", IsActive: true},
				reference.Currency{Code: "DKK", Name: "Danish krone", IsActive: true, Rate: rate("150", "100"),
					RateDate: "2026-01-10"})
		},
		func() error {
			return reference.SavePaymentTerms(tx, reference.PaymentTerm{Code: "NET30", Name: "30 days", Days: 30,
				IsActive: true})
		},
		func() error {
			return reference.SaveDeliveryTerms(tx, reference.DeliveryTerm{Code: "DAP", Name: "Delivered",
				IncotermsCode: "DAP", IsActive: true})
		},
		func() error {
			return reference.SaveOrderTypes(tx, reference.OrderType{Code: "AUTO", Name: "Automatic", AutoRelease: true,
				AutoShip: true, AutoInvoice: reference.OnHandOver, IsActive: true},
				reference.OrderType{Code: "STANDARD", Name: "Standard", IsActive: true})
		},
		func() error {
			return reference.SaveShippingMethods(tx, reference.ShippingMethod{Code: "PARCEL", Name: "Parcel",
				IsActive:            true,
				TrackingURLTemplate: "https://t.example/{trackingNumber}"},
				reference.ShippingMethod{Code: "PICKUP", Name: "Pick-up", IsPickup: true})
		},
		func() error {
			return reference.SaveTicketQueues(tx, reference.TicketQueue{Code: "SUPPORT", Name: "Support",
				IsActive: true})
		},
		func() error {
			return reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Piece", CommonCode: "H87",
				IsActive: true})
		},
		func() error {
			return reference.SaveCustomerGroups(tx, reference.CustomerGroup{Code: "RETAIL", Name: "Retail",
				IsActive: true})
		},
		func() error {
			return reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true,
				Rates: []reference.TaxRate{
					{Country: "SE", Percent: dec.Int(25)}, {Country: "DE", Percent: dec.Int(19)}}},
				reference.TaxCode{Code: "ZERO", Name: "None", IsActive: true})
		},
		func() error {
			return reference.SaveDefaults(tx, reference.Defaults{Warehouse: "MAIN", OrderType: "STANDARD",
				AllowSkipBook: true})
		},
	} {
		if err := save(); err != nil {
			return err
		}
	}
	return nil
}

func TestBookHoldsWhatWasSaved(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, fill)
		b := book(t, s)
		if w, ok := b.Warehouse("öST"); !ok || w.Code != "Öst" || w.TransportDays != 2 || w.Version != 1 ||
			w.ModifiedAt != 0 {
			t.Errorf("warehouse: %+v", w)
		}
		if ls := b.Locations("Main"); len(ls) != 2 || ls[0].Code != "A-01" || ls[0].Warehouse != "MAIN" {
			t.Errorf("locations: %+v", ls)
		}
		if l, ok := b.Location("ÖST", "a-01"); !ok || l.Name != "East A1" {
			t.Errorf("location: %+v", l)
		}
		if c, _ := b.Currency("dkk"); c.Rate != rate("150", "100") || c.RateDate != "2026-01-10" || c.Version != 1 ||
			c.Decimals != 2 {
			t.Errorf("currency: %+v", c)
		}
		if base := b.Base(); base.Code != "SEK" || !base.IsBase || base.Rate != rate("1", "1") {
			t.Errorf("base: %+v", base)
		}
		if b.Digits("jpy") != 0 || b.Digits("KWD") != 3 || b.Digits("???") != 2 {
			t.Error("digits")
		}
		if o, _ := b.OrderType("auto"); !o.AutoShip || o.AutoInvoice != reference.OnHandOver {
			t.Errorf("order type: %+v", o)
		}
		if o, _ := b.OrderType("standard"); o.AutoInvoice != reference.Never {
			t.Errorf("order type: %+v", o)
		}
		if c, _ := b.TaxCode("std"); len(c.Rates) != 2 || c.Percent("", "2026-01-01") != dec.Int(25) ||
			c.Percent("DE", "2026-01-01") != dec.Int(19) {
			t.Errorf("tax code: %+v", c)
		}
		if d := b.Defaults(); d.Warehouse != "MAIN" || d.AllowSkipPack || !d.AllowSkipBook {
			t.Errorf("defaults: %+v", d)
		}
	})
}

func TestSavingTheSameAgainChangesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		count := func() (n int64) {
			dbtest.Read(t, s, func(tx *db.Tx) error {
				_, err := tx.One("-- test\nselect count(*) from change where company = :company", nil, &n)
				return err
			})
			return n
		}
		dbtest.Write(t, s, fill)
		before, had := count(), book(t, s)
		dbtest.Write(t, s, fill)
		if after := count(); after != before {
			t.Errorf("%d changes became %d", before, after)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return reference.SaveTaxCodes(tx, reference.TaxCode{Code: "std", Name: "Standard", IsActive: true,
				Rates: []reference.TaxRate{{Country: "SE", Percent: dec.Int(20)}}})
		})
		b := book(t, s)
		if c, _ := b.TaxCode("STD"); c.Code != "STD" || c.Version != 2 || c.ModifiedAt == 0 ||
			c.Percent("SE", "2026-01-01") != dec.Int(20) || c.Percent("DE", "2026-01-01") != 0 {
			t.Errorf("tax code: %+v", c)
		}
		if c, _ := had.TaxCode("STD"); c.Percent("SE", "2026-01-01") != dec.Int(25) {
			t.Error("a book that is open changed under its reader")
		}
	})
}

func TestBookFollowsItsOwnTransaction(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		gone := fault.ErrInvalid.Because("given up on purpose")
		err := s.Write(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
			if err := reference.SaveUnits(tx, reference.Unit{Code: "KG", Name: "Kilogram"}); err != nil {
				return err
			}
			b, err := reference.Of(tx)
			if _, ok := b.Unit("kg"); !ok || err != nil {
				t.Error("what was just saved is not in the book")
			}
			return gone
		})
		if err == nil {
			t.Fatal("the transaction was not given up")
		}
		if _, ok := book(t, s).Unit("KG"); ok {
			t.Error("a unit that was rolled back is in the book")
		}
	})
}

func TestRatesByDay(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, fill)
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return reference.SaveRates(tx, "dkk", reference.RatePoint{Date: "2026-02-01", Rate: rate("160", "100")},
				reference.RatePoint{Date: "2025-01-01", Rate: rate("140", "100")})
		})
		b := book(t, s)
		for on, want := range map[string]string{"2020-01-01": "140", "2025-01-01": "140", "2026-01-31": "150",
			"2026-02-01": "160", "2030-01-01": "160"} {
			if r, ok := b.RateOn("DKK", day.Date(on)); !ok || r.Amount.String() != want {
				t.Errorf("%s: %s, want %s", on, r.Amount, want)
			}
		}
		if _, ok := b.RateOn("JPY", "2026-01-01"); ok {
			t.Error("a currency without quotations has a rate")
		}
	})
}

func TestSaveNamesEverythingThatIsWrong(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			err := reference.SaveOrderTypes(tx, reference.OrderType{Code: " ", Name: "N", AutoShip: true,
				AutoInvoice: "Sometimes"})
			if n := len(fault.As(err).Fields); n != 3 {
				t.Errorf("%d faults: %v", n, err)
			}
			err = reference.SaveUnits(tx, reference.Unit{Code: "a", Name: "A"}, reference.Unit{Code: "A", Name: "A"})
			if f := fault.As(err).Fields; len(f) != 1 || f[0].Path != "[1].code" {
				t.Errorf("twice the same code: %v", err)
			}
			if err := reference.SaveLocations(tx, reference.Location{Warehouse: "NONE", Code: "A",
				Name: "A"}); !fault.Is(err, reference.ErrUnknownCode) {
				t.Errorf("unknown warehouse: %v", err)
			}
			if err := reference.SaveRates(tx, "USD", reference.RatePoint{}); !fault.Is(err,
				reference.ErrCurrencyNotFound) {
				t.Errorf("unknown currency: %v", err)
			}
			return nil
		})
	})
}

func TestLists(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, fill)
		yes := true
		dbtest.Read(t, s, func(tx *db.Tx) error {
			page := record.Page{Number: 1, Size: 50}
			ws, err := reference.ListWarehouses(tx, reference.Filter{IsActive: &yes}, page)
			if err != nil || ws.Total != 1 || ws.Items[0].Code != "MAIN" {
				t.Errorf("warehouses: %+v %v", ws, err)
			}
			ls, err := reference.ListLocations(tx, "main", reference.Filter{Search: "a1"}, page)
			if err != nil || ls.Total != 1 || ls.Items[0].Code != "A-01" {
				t.Errorf("locations: %+v %v", ls, err)
			}
			if _, err := reference.ListLocations(tx, "none", reference.Filter{}, page); !fault.Is(err,
				reference.ErrWarehouseNotFound) {
				t.Errorf("unknown warehouse: %v", err)
			}
			cs, err := reference.ListCurrencies(tx, reference.Filter{}, page)
			if err != nil || cs.Total != 3 || cs.Items[0].Rate != rate("150", "100") || !cs.Items[2].IsBase {
				t.Errorf("currencies: %+v %v", cs, err)
			}
			ts, err := reference.ListTaxCodes(tx, reference.Filter{}, page)
			if err != nil || ts.Total != 2 || len(ts.Items[0].Rates) != 2 {
				t.Errorf("tax codes: %+v %v", ts, err)
			}
			return nil
		})
	})
}
