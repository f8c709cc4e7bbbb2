package sales

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// DayFigure is what was ordered on a day in a currency, without tax, at most dec.Cap; cancelled orders do not count.
type DayFigure struct {
	Date     day.Date
	Currency string
	Orders   int
	Total    dec.Dec
}

// Days are the figures of the days from a date on, by day.
func Days(tx *db.Tx, from day.Date) ([]DayFigure, error) {
	return db.Rows(tx, `-- sales.Days
		select order_date, currency, count(*), `+db.Halves("total_amount")+` from sales_order
		where company = :company and order_date >= :from and status <> 'Cancelled'
		group by order_date, currency order by order_date, currency`,
		db.Args{"from": from}, func(r db.Row, f *DayFigure) error {
			var total dec.Halves
			err := r.Scan(&f.Date, &f.Currency, &f.Orders, &total.Whole, &total.Rest)
			f.Total = total.Capped()
			return err
		})
}

// CountOpen is how many orders stand in each status that is not an end.
func CountOpen(tx *db.Tx) (map[Status]int, error) {
	return db.Pairs[Status, int](tx, `-- sales.CountOpen
		select status, count(*) from sales_order where company = :company and status in ('Placed', 'Released') group by status`,
		nil)
}

// Shortage is an item that orders wait for, in base units.
type Shortage struct {
	Item, Name, Warehouse string
	Lines                 int
	Waiting               dec.Dec
	Wanted                day.Date // the first day it is wanted
}

// Shortages are the items that most order lines wait for, and how many items are waited for in all.
func Shortages(tx *db.Tx, limit int) (out []Shortage, all int, err error) {
	_, err = tx.One(`-- sales.Shortages all
		select count(*) from (select distinct item_id, warehouse from sales_order_line where company = :company
		and waiting > 0) as missing`,
		nil, &all)
	if err != nil || all == 0 {
		return nil, all, err
	}
	out, err = db.Rows(tx, `-- sales.Shortages
		with w (item_id, warehouse, line_count, wanted, waiting, rest) as (
			select item_id, warehouse, count(*), min(wanted_on), `+db.Halves("waiting")+`
			from sales_order_line where company = :company and waiting > 0 group by item_id, warehouse
			order by count(*) desc, item_id limit :limit)
		select i.number, i.name, w.warehouse, w.line_count, w.wanted, w.waiting, w.rest from w
		join item i on i.company = :company and i.id = w.item_id order by w.line_count desc, i.number`,
		db.Args{"limit": limit}, func(r db.Row, s *Shortage) error {
			var waiting dec.Halves
			err := r.Scan(&s.Item, &s.Name, &s.Warehouse, &s.Lines, &s.Wanted, &waiting.Whole, &waiting.Rest)
			s.Waiting = waiting.Capped()
			return err
		})
	return out, all, err
}
