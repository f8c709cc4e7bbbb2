package backoffice

import (
	"kontor/internal/business/promotion"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// correction is money put on a gift card or taken off it.
type correction struct {
	Amount dec.Dec
	Note   string
}

// giftCards are the pages of gift cards. A card's code is worth money: lists show its end only.
func giftCards() []page.Page {
	return []page.Page{page.Records[promotion.Card]{Path: "/gift-cards", Title: "Gift cards", Area: "discounts", By: "id",
		Key: func(d promotion.Card) string { return d.ID }, Find: promotion.FindCard, Resource: promotion.Cards,
		List: page.List[promotion.Card]{Own: page.Own("-issued"), Search: "Code, recipient, note",
			Filters: []page.Filter{page.Flag("active", "Status", "Active", "Inactive")},
			Find: func(c *page.Ctx, q page.Query) (record.Found[promotion.Card], error) {
				return promotion.ListCards(c.Tx, promotion.Filter{Search: q.Search, IsActive: q.Bool("active")}, q.Page)
			},
			Columns: func(d promotion.Card) []page.Column {
				return []page.Column{page.Col("Code", page.T(ending(d.Code))),
					page.Minor("Recipient", page.T(d.Recipient)),
					page.Minor("Issued", page.At(d.CreatedAt)).By("issued"),
					page.Minor("Expires on", page.Day(d.ExpiresOn)).By("until"),
					page.Minor("Worth at first", page.Money(d.Initial, d.CurrencyCode)),
					page.Col("Balance", page.Money(d.Balance, d.CurrencyCode)).By("balance"),
					page.Col("Status", usable(d.IsActive, d.ExpiresOn, d.Balance <= 0))}
			}},
		Record: page.Record[promotion.Card]{Show: showCard, Actions: cardActions()},
		New: page.Form[promotion.Card]{Title: "Issue a gift card", Submit: "Issue the card",
			Fields: func(c *page.Ctx, d *promotion.Card) []page.Field {
				return append([]page.Field{page.Decimal("initial", "Worth at first", &d.Initial).Required(),
					page.Select("currencyCode", "Currency", &d.CurrencyCode, currencies.offered(c)).Required(),
					page.Code("code", "Code", &d.Code).Hint("Left empty, it gets one that nobody guesses.")},
					cardFields(c, d)...)
			}},
		Edit: page.Form[promotion.Card]{Title: "Edit gift card"}, Fields: cardFields,
		Begin:  func(c *page.Ctx) (promotion.Card, error) { return promotion.Card{CurrencyCode: base(c)}, nil },
		Create: promotion.Issue, Made: "The gift card is issued.", Change: promotion.ChangeCard}}
}

func cardFields(_ *page.Ctx, d *promotion.Card) []page.Field {
	return []page.Field{page.Date("expiresOn", "Expires on", &d.ExpiresOn).
		Hint("The last day it may be spent. Left empty: never."), page.Text("recipient", "Recipient", &d.Recipient),
		page.Text("note", "Note", &d.Note).Wide()}
}

func cardActions() []page.Action[promotion.Card] {
	use := func(active bool, say string) func(*page.Ctx, promotion.Card) (page.Done, error) {
		return func(c *page.Ctx, d promotion.Card) (page.Done, error) {
			_, err := promotion.ChangeCard(c.Tx, d.ID, func(d *promotion.Card) error {
				d.IsActive = active
				return nil
			})
			return page.Did(say), err
		}
	}
	return []page.Action[promotion.Card]{
		page.Ask(page.Action[promotion.Card]{Name: "correct", Label: "Correct the balance",
			Confirm: "An amount above 0 is put on the card, one below 0 is taken off."},
			nil,
			func(_ *page.Ctx, d promotion.Card, v *correction) []page.Field {
				return []page.Field{page.Decimal("amount", "Amount", &v.Amount).Required().
					Hint("In %s.", d.CurrencyCode), page.Text("note", "Why", &v.Note).Required().Wide()}
			},
			func(c *page.Ctx, d promotion.Card, v correction) (page.Done, error) {
				_, err := promotion.CorrectCard(c.Tx, d.ID, v.Amount, v.Note)
				return page.Did("The balance is corrected."), err
			}),
		{Name: "activate", Label: "Activate", When: func(d promotion.Card) bool { return !d.IsActive },
			Do: use(true, "The gift card may be spent again.")},
		{Name: "deactivate", Label: "Deactivate", When: func(d promotion.Card) bool { return d.IsActive },
			Do: use(false, "The gift card may not be spent any more.")},
	}
}

// ending is the end of a gift card's code, by which people tell cards apart.
func ending(code string) string {
	r := []rune(code)
	return "…" + string(r[max(0, len(r)-4):])
}

func showCard(c *page.Ctx, d promotion.Card) (page.Sheet, error) {
	movements, err := promotion.Movements(c.Tx, d.ID)
	code := ending(d.Code)
	if c.May("discounts:write") { // who may issue cards may see what was issued
		code = d.Code
	}
	grid := page.Grid{Title: "Ledger", Heads: []string{"When", "What", "Order", "Note", "Amount", "Balance"}}
	for _, m := range movements {
		order := page.To(m.OrderNumber, page.Path("orders", m.OrderNumber)).If(m.OrderNumber != "")
		grid.Rows = append(grid.Rows, []page.Value{page.At(m.At), page.Word(page.Words(string(m.Kind))), order,
			page.T(m.Note), page.Money(m.Amount, d.CurrencyCode), page.Money(m.Balance, d.CurrencyCode)})
	}
	return page.Sheet{Title: c.Say("Gift card %s", ending(d.Code)), Subtitle: d.Recipient,
		Badges: []page.Value{c.Called(usable(d.IsActive, d.ExpiresOn, d.Balance <= 0))}, Parts: []page.Part{grid},
		Side: []page.Part{page.Facts{Title: "Gift card",
			Facts: []page.Fact{{Label: "Code", Value: page.T(code).Strong()},
				{Label: "Balance", Value: page.Money(d.Balance, d.CurrencyCode).Strong()},
				{Label: "Worth at first", Value: page.Money(d.Initial, d.CurrencyCode)},
				{Label: "Expires on", Value: page.Day(d.ExpiresOn)}, {Label: "Recipient", Value: page.T(d.Recipient)},
				{Label: "Note", Value: page.T(d.Note)}}}}}, err
}
