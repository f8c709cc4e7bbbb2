package cart

import (
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
)

// MoveIn moves what lies in the carts of the contact's earlier sessions in this store, as far as they still live, into
// the cart of the session that has just signed in, and empties those. It handles storefront.SignedIn.
//
// The cart that the visitor filled before signing in stays; what lies in both is added up, since nobody can tell
// whether it was meant twice, and taking away is easier than remembering. Carts are a contact's own: colleagues at one
// customer do not find each other's. What does not fit into the 200 lines, or into one, is left out, and the visitor
// told.
func MoveIn(tx *db.Tx, e storefront.SignedIn) error {
	v := e.Visit
	others, err := earlier(tx, v)
	if err != nil || len(others) == 0 {
		return err
	}
	own, err := ensure(tx, v.Session.ID)
	if err != nil {
		return err
	}
	if err := lockAll(tx, append(others, own)); err != nil {
		return err
	}
	lines, err := linesOf(tx, own)
	if err != nil {
		return err
	}
	at := make(map[key]int, len(lines))
	for i := range lines {
		at[lines[i].key()] = i
	}
	moved, left := 0, 0
	for _, other := range others {
		theirs, err := linesOf(tx, other)
		if err != nil {
			return err
		}
		for _, l := range theirs {
			n, known := at[l.key()]
			switch {
			case known && lines[n].Unit == l.Unit && checkQuantity(lines[n].Quantity.Add(l.Quantity)) == nil:
				lines[n].raise(l.row)
			case known || len(lines) >= MaxLines:
				left++
				continue
			default:
				at[l.key()] = len(lines)
				lines = append(lines, l)
			}
			moved++
		}
		if err := moveCodes(tx, other, own); err != nil {
			return err
		}
	}
	if err := empty(tx, others); err != nil {
		return err
	}
	if err := writeLines(tx, own, each.Of(lines, func(l *Line) *row { return &l.row })); err != nil {
		return err
	}
	if err := writeShown(tx, own, shown{}); err != nil {
		return err
	}
	return tell(tx, own, moved, left)
}

// tell keeps what is to be said of lines that were moved in.
func tell(tx *db.Tx, cartID string, moved, left int) error {
	var news []Message
	if moved > 0 {
		news = append(news, notice(LinesMovedIn, moved, "%d %s from your last visit came into the cart."))
	}
	if left > 0 {
		news = append(news, notice(LinesLeftOut, left, "%d %s from your last visit did not fit into the cart."))
	}
	if len(news) == 0 {
		return nil
	}
	return writeNotices(tx, cartID, news)
}

// Discard drops the cart of a session that has ended. It handles storefront.SignedOut.
func Discard(tx *db.Tx, e storefront.SignedOut) error { return drop(tx, []string{e.SessionID}) }

// Sweep deletes sessions that ended or expired before the given moment, with their carts; it answers how many. There
// may be more: it takes a thousand at a time.
func Sweep(tx *db.Tx, before db.Time) (int, error) {
	ids, err := storefront.Sweep(tx, before)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return len(ids), drop(tx, ids)
}
