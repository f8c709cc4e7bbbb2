package support

import (
	"fmt"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Verify recomputes what a ticket keeps of its messages, and when it is due, and reports every difference.
func Verify(tx *db.Tx, report func(string)) error {
	if err := verifyDue(tx, report); err != nil {
		return err
	}
	return record.Report(tx, report, `-- support.Verify
		select t.number, t.messages, t.first_response_at, t.last_author, coalesce(x.messages, 0), coalesce(x.first, 0),
		coalesce(l.author_type, '')
		from ticket t
			left join (select ticket_id, count(*) as messages, max(case when is_internal = 0 then seq else 0 end) as last,
					min(case when is_internal = 0 and author_type = 'Agent' then created_at end) as first
				from ticket_message where company = :company group by ticket_id) x on x.ticket_id = t.id
			left join ticket_message l on l.company = t.company and l.ticket_id = t.id and l.seq = x.last
		where t.company = :company and (t.messages <> coalesce(x.messages, 0) or coalesce(t.first_response_at, 0) <> coalesce(x.first, 0)
			or t.last_author <> coalesce(l.author_type, ''))
		order by t.number_key`, nil,
		"ticket %s: %d messages, the first answer at %q and the last word by %q are stored; the messages say %d, %q and %q",
		new(string), new(int), new(db.Time), new(string), new(int), new(db.Time), new(string))
}

func verifyDue(tx *db.Tx, report func(string)) error {
	return tx.Each(`-- support.verifyDue
		select `+tickets.Columns+` from ticket where company = :company and due_at > 0 order by number_key`, nil,
		func(r db.Row) error {
			var t Ticket
			err := tickets.Scan(r, &t)
			if is := t.due(); err == nil && is != t.DueAt {
				report(fmt.Sprintf("ticket %s: due at %q is stored; what it was promised says %q", t.Number, t.DueAt, is))
			}
			return err
		})
}
