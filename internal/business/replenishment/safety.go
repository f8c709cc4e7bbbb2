package replenishment

import (
	"time"

	"kontor/internal/business/stock"
	"kontor/internal/engine/planning"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// demandDays is how many days back the demand is looked at that safety stock is calculated from.
const demandDays = 90

// levelOf is the share of lead times that a row is to come through without a shortage: what was set for it, else what
// its importance asks.
// What is ordered specially is not kept.
func (r *row) levelOf() dec.Dec {
	if r.level != nil {
		return *r.level
	}
	switch r.importance {
	case stock.Critical:
		return dec.Must("0.98")
	case stock.Accessory:
		return dec.Must("0.9")
	case stock.SpecialOrder:
		return 0
	}
	return dec.Must("0.95")
}

// SafetyStocks calculates the safety stock of each item and warehouse that has a row, from what went out of there on
// each of the last 90 days, how long it takes to get more, and the level of service. Where nothing went out there is
// none. It answers those that differ from what stands there: see stock.SetCalculatedSafety.
func SafetyStocks(tx *db.Tx) (changed []stock.CalculatedSafety, err error) {
	g, err := gather(tx, nil)
	if err != nil {
		return nil, err
	}
	demand, err := readDemand(tx, g)
	if err != nil {
		return nil, err
	}
	for i, k := range g.keys {
		r, known := g.rows[k]
		if !known {
			continue
		}
		var is *dec.Dec
		if days := demand[k]; days != nil {
			is = planning.SafetyStock(r.levelOf(), days[:], g.nodes[i].LeadDays(), g.nodes[i].Decimals)
		}
		if (is == nil) != (r.computed == nil) || is != nil && *is != *r.computed {
			changed = append(changed, stock.CalculatedSafety{Key: k, Stock: is})
		}
	}
	return changed, nil
}

// days is what went out on each day, of which the last is yesterday.
type days = [demandDays]dec.Dec

func readDemand(tx *db.Tx, g *gathered) (map[stock.Key]*days, error) {
	first := g.today.AddDays(-demandDays)
	out := map[stock.Key]*days{}
	err := eachIssue(tx, db.TimeOf(first.AddDays(-1).Time()), func(k stock.Key, at db.Time, q dec.Dec) {
		d := g.dayOf(tx)(at)
		if d < first || d >= g.today {
			return
		}
		if out[k] == nil {
			out[k] = &days{}
		}
		n := demandDays - int(g.today.Time().Sub(d.Time())/(24*time.Hour))
		out[k][n] = out[k][n].AddCapped(q.Neg())
	})
	return out, err
}
