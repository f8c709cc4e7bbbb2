package cart

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// Verify looks at what is kept of carts. What their lines come to is worked out at every look, so there is no sum that
// could differ; signs are rules of the schema, and who has an item in the cart that is no longer there is told so. What
// is left is that all of a cart hangs together, and that no line has more than any may. It reports every difference in
// a sentence.
func Verify(tx *db.Tx, report func(string)) error {
	err := record.Report(tx, report, `-- cart.Verify
		select c.id from cart c left join session s on s.company = :company and s.id = c.session_id
		where c.company = :company and s.id is null order by c.id`, nil,
		"cart %s: no visitor has it", new(string))
	if err != nil {
		return err
	}
	err = record.Report(tx, report, `-- cart.Verify lines
		select l.cart_id, l.id,
			case when c.id is null then 'there is no such cart'
				when l.quantity > :most then 'more lies there than a line may have'
				else 'the price last shown has no currency' end
		from cart_line l
		left join cart c on c.company = :company and c.id = l.cart_id
		where l.company = :company and (c.id is null or l.quantity > :most
			or (l.seen_price is null) <> (l.seen_currency = ''))
		order by l.cart_id, l.id`, db.Args{"most": limit.Quantity.Most()},
		"cart %s: line %s: %s", new(string), new(string), new(string))
	if err != nil {
		return err
	}
	return record.Report(tx, report, `-- cart.Verify codes
		select k.cart_id, count(*) from cart_code k left join cart c on c.company = :company and c.id = k.cart_id
		where k.company = :company and c.id is null group by k.cart_id order by k.cart_id`, nil,
		"cart %s: there is no such cart, though codes lie in it: %d", new(string), new(int))
}
