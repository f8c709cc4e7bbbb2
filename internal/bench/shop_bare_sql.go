package bench

import (
	"context"
	"time"

	"kontor/internal/app"
	"kontor/internal/foundation/record"
)

// cartLedger is the yardstick of an addition to a cart: the row of its line, and that of the cart, which is made with
// the first line and marked as changed with every other.
type cartLedger struct {
	yardstick
	cart, line tableRows
}

// newCartLedger reads the rows of a cart that has just got its first line.
func newCartLedger(ctx context.Context, kontor *app.App, f firm) *cartLedger {
	l := &cartLedger{yardstick: newYardstick(ctx, kontor, f), cart: tableRows{table: "cart"},
		line: tableRows{table: "cart_line"}}
	s := l.session(ctx, f.ID)
	defer s.close()
	for t, text := range map[*tableRows]string{
		&l.cart: "select * from cart where company = '" + f.ID + "' order by changed_at desc limit 1",
		&l.line: "select * from cart_line where company = '" + f.ID + "' order by id desc limit 1",
	} {
		t.read(s, "an addition to a cart", text)
	}
	return l
}

// writer opens a connection that fills one cart after another.
func (l *cartLedger) writer(ctx context.Context) *writer {
	cart := l.cart.insert(l.engine) +
		" on conflict (company, session_id) do update set changed_at = excluded.changed_at"
	line := l.line.insert(l.engine)
	return l.yardstick.writer(ctx, []string{cart, line}, func(exec map[string]func(...any)) func() {
		// As many carts as there are clients are filled in turns.
		const open = 16
		var carts [open]string
		n := 0
		return func() {
			at := n % open
			if n/open%cartLines == 0 {
				carts[at] = record.NewID()
			}
			n++
			now := time.Now().UnixMicro()
			fresh := map[string]any{"company": l.company, "id": carts[at], "session_id": carts[at], "created_at": now,
				"changed_at": now}
			exec[cart](l.cart.with(fresh)...)
			id := record.NewID()
			exec[line](l.line.with(map[string]any{"company": l.company, "cart_id": carts[at], "id": id,
				"item_id": id})...)
		}
	})
}

// clear deletes what the yardstick wrote.
func (l *cartLedger) clear(ctx context.Context) error { return l.drop(ctx, "cart_line", "cart") }
