package pricing

import (
	"kontor/internal/day"
	"kontor/internal/db"
	"kontor/internal/price"
	"kontor/internal/record"
)

// chosenLists reads the lists that were chosen (applies = 1) and, whatever their own state, the parents they may start from, with
// the lines that are in force on a day. `union` drops what it has seen, so parents in a circle end the recursion.
const chosenLists = `
	union
		select p.parent_id, 0 from chosen c join price_list p on p.company = :company and p.id = c.id where p.parent_id <> ''
	), list (id, applies) as (select id, max(applies) from chosen group by id)
	select l.item_id, list.applies, p.id, p.code, p.name, p.type, p.currency, p.is_inclusive, p.priority, p.parent_id, p.valid_from, p.valid_to,
		l.min_quantity, l.max_quantity, l.valid_from, l.valid_to, l.strategy, l.unit_price, l.percentage, l.fixed_amount
	from list join price_list p on p.company = :company and p.id = list.id
		join price_list_line l on l.company = :company and l.list_id = p.id and l.item_id in (:items)`

// offersFor reads what may price items in a situation on a day: by item, the lists that apply and their parents.
func offersFor(tx *db.Tx, s Situation, on day.Date, itemIDs []string) (map[string][]price.Offer, error) {
	return readOffers(tx, `-- pricing.offersFor
		with recursive chosen (id, applies) as (
			select p.id, 1 from price_list_target t join price_list p on p.company = :company and p.id = t.list_id
			where t.company = :company and t.target in (:targets)
				and p.is_active = 1 and p.valid_from <= :on and (p.valid_to = '' or p.valid_to >= :on)
		union
			select p.id, 1 from price_list p
			where p.company = :company and p.code_key = :channelList and p.type = 'Standard'
				and p.is_active = 1 and p.valid_from <= :on and (p.valid_to = '' or p.valid_to >= :on)`+chosenLists+`
		where l.valid_from <= :on and (l.valid_to = '' or l.valid_to >= :on)
		order by l.item_id, p.id`,
		db.Args{"targets": s.targets(), "channelList": record.Fold(s.channel.PriceListCode), "on": on, "items": itemIDs})
}

// offersToCalculate reads what calculated lines of items start from: their lists and the parents, with all lines.
func offersToCalculate(tx *db.Tx, listIDs, itemIDs []string) (map[string][]price.Offer, error) {
	return readOffers(tx, `-- pricing.offersToCalculate
		with recursive chosen (id, applies) as (
			select p.id, 1 from price_list p where p.company = :company and p.id in (:lists)`+chosenLists+`
		order by l.item_id, p.id`,
		db.Args{"lists": listIDs, "items": itemIDs})
}

// readOffers gathers rows that come item by item and list by list.
func readOffers(tx *db.Tx, query string, a db.Args) (map[string][]price.Offer, error) {
	out := map[string][]price.Offer{}
	return out, tx.Each(query, a, func(r db.Row) error {
		var item string
		var o price.Offer
		var l price.Line
		err := r.Scan(&item, &o.Applies, &o.List.ID, &o.List.Code, &o.List.Name, &o.List.Type, &o.List.Currency, &o.List.IsPriceIncludingTax,
			&o.List.Priority, &o.List.Parent, &o.List.ValidFrom, &o.List.ValidTo,
			&l.MinQuantity, &l.MaxQuantity, &l.ValidFrom, &l.ValidTo, &l.Strategy, &l.UnitPrice, &l.Percentage, &l.FixedAmount)
		if err != nil {
			return err
		}
		offers := out[item]
		if n := len(offers); n == 0 || offers[n-1].List.ID != o.List.ID {
			offers = append(offers, o)
		}
		last := &offers[len(offers)-1]
		last.Lines = append(last.Lines, l)
		out[item] = offers
		return nil
	})
}
