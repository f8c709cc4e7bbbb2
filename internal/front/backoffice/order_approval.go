package backoffice

import (
	"kontor/internal/business/portal"
	"kontor/internal/business/sales"
	"kontor/internal/front/page"
)

// approval is what somebody at the customer still has to say of an order, or has said against it: who releases the
// order before that does it without them.
func approval(c *page.Ctx, o *sales.Order) (badges []page.Value, said string, err error) {
	found, err := portal.Approvals(c.Tx, []string{o.ID})
	if err != nil {
		return nil, "", err
	}
	switch a := found[o.ID]; a.Standing(o) {
	case portal.Waiting:
		badges = []page.Value{page.Badge("Waits for the customer", page.Warn)}
		mays, err := portal.Approvers(c.Tx, o.CustomerID)
		if err != nil {
			return nil, "", err
		}
		said = c.Say("%s ordered this, and a colleague at the customer has to approve it in the store before it goes ahead.",
			a.AskedBy)
		if len(mays) == 0 {
			said += " " + c.Say("Nobody there may: let a contact approve orders, or release or cancel it yourself.")
		}
	case portal.Rejected:
		said = c.Say("%s ordered this, and a colleague at the customer has rejected it: %s", a.AskedBy, a.Reason)
	}
	return badges, said, nil
}
