package demo

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/pricing"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/halt"
)

// loyal is the customer with prices of its own.
const loyal = "10001"

// prices makes the price lists that need no customer: breaks by volume, the resellers' discount, the campaign.
func (f *filler) prices() {
	f.found(func(tx *db.Tx) {
		today := day.Of(f.now, tx.Info.Zone)
		for _, l := range []pricing.List{
			{Code: "RESELLERS", Name: "Resellers", Type: pricing.CustomerGroup,
				CustomerGroupCodes: []string{"WHOLESALE"}, Priority: 20,
				Description: "A third off the sales price of all goods."},
			{Code: "CAMP-WEEKS", Name: "Camp weeks", Type: pricing.Campaign, Priority: 10,
				ValidFrom: today.AddDays(-10), ValidTo: today.AddDays(18),
				Description: "A fifth off tents, sleeping bags and mats."},
		} {
			l.CurrencyCode, l.IsActive = tx.Info.Currency, true
			halt.Must(pricing.Create(tx, l))
		}
		var breaks, resellers, campaign []pricing.Line
		for _, a := range f.goods {
			if a.breaks {
				for _, b := range []struct{ from, percent int64 }{{0, 100}, {12, 90}, {48, 82}} {
					p := a.price.MulDiv(dec.Int(b.percent), dec.Int(100)).Round(2)
					breaks = append(breaks, pricing.Line{Item: a.number,
						Line: price.Line{Strategy: price.Fixed, MinQuantity: dec.Int(b.from), UnitPrice: &p}})
				}
			}
			if a.kind == catalog.Stock {
				resellers = append(resellers, discount(a, "33.3"))
			}
			if a.category == "TENTS" || a.category == "SLEEPING" {
				campaign = append(campaign, discount(a, "20"))
			}
		}
		for _, w := range []struct {
			list  string
			lines []pricing.Line
		}{{"BASE", breaks}, {"RESELLERS", resellers}, {"CAMP-WEEKS", campaign}} {
			saveLines(tx, w.list, w.lines)
		}
	})
}

// agreement makes the list of the loyal customer, once there is one.
func (f *filler) agreement(tx *db.Tx) {
	halt.Must(pricing.Create(tx, pricing.List{Code: "AGREEMENT-" + loyal, Name: "Agreement " + loyal,
		Type: pricing.Contract, CurrencyCode: tx.Info.Currency, IsActive: true, Priority: 1,
		CustomerNumbers: []string{loyal}}))
	var lines []pricing.Line
	for n, a := range f.goods {
		if a.stocked() && n%12 == 0 {
			p := a.price.MulDiv(dec.Int(58), dec.Int(100)).Round(0)
			lines = append(lines, pricing.Line{Item: a.number, Line: price.Line{Strategy: price.Fixed, UnitPrice: &p}})
		}
	}
	saveLines(tx, "AGREEMENT-"+loyal, lines)
}

func discount(a article, percent string) pricing.Line {
	p := dec.Must(percent)
	return pricing.Line{Item: a.number, Line: price.Line{Strategy: price.BasePriceDiscount, Percentage: &p}}
}

func saveLines(tx *db.Tx, list string, lines []pricing.Line) {
	for _, o := range halt.Must(pricing.SaveLines(tx, list, lines)) {
		halt.On(o.Err)
	}
}
