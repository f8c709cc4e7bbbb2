package shop

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// What is talked about before and after the sale: quotes, approvals of colleagues' orders, and questions.

type quotePage struct {
	Quote
	form
}

// quotes lists the quotes (GET /ecom/portal/quotes), which alone have the short envelope.
func quotes(v *visit) error { return listOf[Quote](v, "/portal/quotes", "quotes", "Quotes") }

type newQuotePage struct {
	Cart    Cart
	Message string
	form
}

// newQuote asks for an offer on what lies in the cart, or on what the message says (POST /ecom/portal/quotes/request).
// What is chosen of a thing that is made to order goes along in words.
func newQuote(v *visit) error {
	page := newQuotePage{Message: v.typed("message")}
	if err := v.ask(v.get("/cart", nil, &page.Cart)); err != nil {
		return err
	}
	if v.r.Method == http.MethodGet {
		return v.mine("newquote", "Ask for a quote", page)
	}
	type line struct {
		ItemID   string `json:"itemId"`
		Quantity string `json:"quantity"`
		Note     any    `json:"note"`
	}
	lines := []line{}
	for _, l := range page.Cart.Lines {
		var chosen []string
		for _, value := range l.Values {
			chosen = append(chosen, value.FeatureName+": "+cmp.Or(value.OptionName, value.Text, strings.TrimSpace(value.Number+" "+value.Unit),
				v.say(map[bool]string{true: "Yes", false: "No"}[value.IsYes()])))
		}
		lines = append(lines, line{l.ItemID, l.Quantity, orNull(strings.Join(chosen, ", "))})
	}
	var made struct {
		QuoteID string `json:"quoteId"`
	}
	err := v.api.Do(v.ctx, http.MethodPost, "/portal/quotes/request",
		map[string]any{"message": orNull(page.Message), "lines": lines}, &made)
	if page.Problem = problemOf(err); isRefusal(page.Problem, http.StatusForbidden) {
		return v.mine("newquote", "Ask for a quote", page)
	}
	return v.done(err, "We have your question, and come back to you with our offer.",
		"/account/quotes/"+url.PathEscape(made.QuoteID))
}

func quote(v *visit) error { return v.showQuote(nil) }

// showQuote is one of them with its lines (GET /ecom/portal/quotes/{id}).
func (v *visit) showQuote(problem *Problem) error {
	p := quotePage{form: form{problem}}
	if err := v.ask(v.get("/portal/quotes/"+v.part("id"), nil, &p.Quote)); err != nil {
		return err
	}
	return v.mine("quote", p.QuoteNumber, p)
}

// decideQuote accepts a quote, which becomes an order (POST …/accept), or declines it (POST …/decline).
func decideQuote(v *visit) error {
	id := v.part("id")
	if v.r.PathValue("act") == "accept" {
		return v.decide("/portal/quotes/"+id, "accept", nil, "/account/orders", v.showQuote) // its order is the newest
	}
	return v.decide("/portal/quotes/"+id, "decline", map[string]any{"reason": orNull(v.r.FormValue("reason"))},
		"/account/quotes/"+id, v.showQuote)
}

// decided is what is said after a decision.
func decided() map[string]string {
	return map[string]string{
		"accept": "Thank you: the quote is now an order.", "decline": "You have declined the quote.",
		"approve": "The order is approved and goes ahead.",
		"reject":  "The order is rejected; your colleague is told why.", "messages": "Your message is sent.",
		"close": "The question is closed.",
	}
}

// decide sends a decision and goes on; a refusal is shown on the page that it belongs to.
func (v *visit) decide(path, act string, body any, next string, again func(*Problem) error) error {
	err := v.post(path+"/"+act, body)
	if p := problemOf(err); isRefusal(p, http.StatusForbidden) {
		return again(p)
	}
	return v.done(err, decided()[act], next)
}

type approvalPage struct {
	paged[Approval]
	form
}

// approvals lists the orders of colleagues that wait (GET /ecom/portal/order-approvals).
func approvals(v *visit) error { return v.showApprovals(nil) }

func (v *visit) showApprovals(problem *Problem) error {
	list, err := pageOf[Approval](v, "/portal/order-approvals")
	if err != nil {
		return err
	}
	return v.mine("approvals", "Orders to approve", approvalPage{list, form{problem}})
}

// decideOrder approves an order of a colleague or rejects it (POST …/approve, …/reject), with a reason that the
// colleague reads.
func decideOrder(v *visit) error {
	at := "/portal/order-approvals/" + v.part("id")
	if v.r.PathValue("act") == "approve" {
		return v.decide(at, "approve", nil, "/account/approvals", v.showApprovals)
	}
	reason := map[string]string{"reason": v.typed("reason")}
	return v.decide(at, "reject", reason, "/account/approvals", v.showApprovals)
}

type ticketPage struct {
	Ticket
	form
	Form   map[string]string
	Orders []Order
	Help   []HelpArticle // that may answer it already
}

// tickets lists what the customer's people have asked (GET /ecom/portal/tickets).
func tickets(v *visit) error { return listOf[Ticket](v, "/portal/tickets", "tickets", "Questions") }

func ticket(v *visit) error { return v.showTicket(nil) }

// showTicket is one of them with everything that was said (GET /ecom/portal/tickets/{id}).
func (v *visit) showTicket(problem *Problem) error {
	p := ticketPage{form: form{problem}, Form: v.allTyped("body")}
	if err := v.ask(v.get("/portal/tickets/"+v.part("id"), nil, &p.Ticket)); err != nil {
		return err
	}
	return v.mine("ticket", p.Subject, p)
}

// answerTicket adds a message (POST …/messages), closeTicket ends it (POST …/close).
func answerTicket(v *visit) error {
	id := v.part("id")
	if v.r.PathValue("act") == "close" {
		return v.decide("/portal/tickets/"+id, "close", nil, "/account/tickets/"+id, v.showTicket)
	}
	body, err := v.enclose(map[string]string{"body": v.typed("body")})
	if p := problemOf(err); p != nil {
		return v.showTicket(p)
	}
	return v.decide("/portal/tickets/"+id, "messages", body, "/account/tickets/"+id, v.showTicket)
}

// enclose is what a form says, with the file that it brings.
func (v *visit) enclose(said any) (Enclosed, error) {
	file, head, err := v.r.FormFile("file")
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		const code = "ChannelMediaAsset.FileTooLarge"
		return Enclosed{}, &Problem{Status: http.StatusBadRequest, Code: code,
			Errors: []FieldError{{Field: "file", Code: code}}}
	case err != nil: // none was chosen: browsers send a part without a name then
		return Enclosed{JSON: said}, nil
	}
	return Enclosed{said, head.Filename, file}, nil
}

// newTicket asks something (POST /ecom/portal/tickets). Help articles that may answer it are offered first (GET
// /ecom/help/search).
func newTicket(v *visit) error {
	p := ticketPage{Form: v.allTyped("subject", "description", "orderNumber")}
	if v.r.Method == http.MethodPost {
		body := map[string]any{"subject": p.Form["subject"], "description": orNull(p.Form["description"]),
			"orderNumber": orNull(p.Form["orderNumber"])}
		var made Ticket
		enclosed, err := v.enclose(body)
		if err == nil {
			err = v.api.Do(v.ctx, http.MethodPost, "/portal/tickets", enclosed, &made)
		}
		if p.Problem = problemOf(err); !isRefusal(p.Problem) {
			return v.done(err, "Your question is with us.", "/account/tickets/"+url.PathEscape(made.ID))
		}
	}
	var own List[Order]
	var near List[HelpArticle]
	calls := []func() error{v.get("/portal/orders", url.Values{"pageSize": {"20"}}, &own)}
	if p.Form["subject"] != "" {
		calls = append(calls, orNothing(v.get("/help/search", url.Values{"q": {p.Form["subject"]}, "pageSize": {"3"}},
			&near)))
	}
	talk, said := v.handedOver()
	if err := v.ask(append(calls, talk...)...); err != nil {
		return err
	}
	if subject, text := said(); text != "" && v.r.Method == http.MethodGet {
		p.Form["subject"], p.Form["description"] = subject, text
	}
	p.Orders, p.Help = own.Items, near.Items
	return v.mine("newticket", "Ask something", p)
}
