package analytics

import (
	"cmp"
	"maps"
	"slices"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// addTraffic adds to the days' counts.
func addTraffic(tx *db.Tx, of map[key]int) error {
	// In one order, so that two nodes do not wait for each other.
	rows := slices.SortedFunc(maps.Keys(of), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.channelKey, b.channelKey), cmp.Compare(a.day, b.day), cmp.Compare(a.kind, b.kind),
			cmp.Compare(a.name, b.name))
	})
	return tx.Upsert("traffic", "channel_key, day, kind, name, times", len(rows), func(i int) []any {
		k := rows[i]
		return []any{k.channelKey, k.day, k.kind, k.name, of[k]}
	}, `on conflict (company, channel_key, day, kind, name) do update set times = traffic.times + excluded.times`)
}

// Day is what happened in a store on a day.
type Day struct {
	Day                         day.Date
	Visits, Views, Cart, Orders int64 // Cart: times that something was put into a cart
}

// Days are the days of a store from one to another, both included, the earliest first. With an empty code they are
// those of all stores. Orders are those that were not cancelled.
func Days(tx *db.Tx, channelCode string, from, to day.Date) ([]Day, error) {
	at := map[day.Date]int{}
	var out []Day
	for d := from; d <= to; d = d.AddDays(1) {
		at[d] = len(out)
		out = append(out, Day{Day: d})
	}
	args := db.Args{"channel": record.Fold(channelCode), "from": from, "to": to, "cart": AddedToCart}
	err := db.Each3(tx, `-- analytics.Days
		select day, kind, sum(times) from traffic where company = :company and channel_key in (select c.code_key
		from channel c where c.company = :company and (:channel = '' or c.code_key = :channel))
		and day >= :from and day <= :to and (kind in ('View', 'Visit') or kind = 'Event' and name = :cart)
		group by day, kind`, args,
		func(d day.Date, kind Kind, n int64) error {
			if i, ok := at[d]; ok {
				switch kind {
				case View:
					out[i].Views = n
				case Visit:
					out[i].Visits = n
				default:
					out[i].Cart = n
				}
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return out, db.Each2(tx, `-- analytics.Days orders
		select order_date, count(*) from sales_order where company = :company and order_date >= :from
		and order_date <= :to and channel_key <> ''
		and (:channel = '' or channel_key = :channel) and status <> 'Cancelled' group by order_date`,
		args, func(d day.Date, n int64) error {
			if i, ok := at[d]; ok {
				out[i].Orders = n
			}
			return nil
		})
}

// Counted is how often something was counted.
type Counted struct {
	Name  string
	Times int64
}

// Top is what was counted most of a kind in a store, or with an empty code in all, from a day to another.
func Top(tx *db.Tx, channelCode string, kind Kind, from, to day.Date, limit int) (out []Counted, err error) {
	return db.Rows(tx, `-- analytics.Top
		select name, sum(times) as n from traffic where company = :company and channel_key in (select c.code_key
		from channel c where c.company = :company and (:channel = '' or c.code_key = :channel))
		and kind = :kind and day >= :from and day <= :to group by name order by n desc, name limit :limit`,
		db.Args{"channel": record.Fold(channelCode), "kind": kind, "from": from, "to": to, "limit": limit},
		func(r db.Row, c *Counted) error {
			return r.Scan(&c.Name, &c.Times)
		})
}

// How long days are kept, and what each of them is made of.
const (
	daysKept  = 800
	namesKept = 120
)

// Sweep deletes what is too old to be shown.
func Sweep(tx *db.Tx, _ string) (next string, err error) {
	return tx.SweepOut("analytics.Sweep", "traffic", "channel_key, day, kind, name",
		`channel_key in (select c.code_key from channel c where c.company = :company) and day < :names
			and (kind not in ('View', 'Visit', 'Event') or day < :days)`,
		db.Args{"names": tx.Today().AddDays(-namesKept), "days": tx.Today().AddDays(-daysKept)})
}
