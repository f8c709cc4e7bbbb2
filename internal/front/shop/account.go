package shop

import (
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The pages of a customer who is signed in, all from /ecom/portal. The API answers 401 there to a session that is not,
// so whether it is comes first.

// member reads the session, and leads whoever is not signed in to the sign-in page.
func (v *visit) member() (is bool, err error) {
	if err := v.ask(); err != nil {
		return false, err
	}
	if !v.session.IsSignedIn {
		return false, v.toSignIn()
	}
	return true, nil
}

// members is a page of the account: whoever is not signed in is led to sign in first.
func members(page func(*visit) error) func(*visit) error {
	return func(v *visit) error {
		if is, err := v.member(); !is {
			return err
		}
		return page(v)
	}
}

func (v *visit) mine(status int, name, title string, page any) error {
	return v.show(status, name, v.say(title), page, func(o *view) { o.Private = true })
}

// account is the overview (GET /ecom/portal/dashboard).
func account(v *visit) error {
	var d Dashboard
	if err := v.ask(v.get("/portal/dashboard", nil, &d)); err != nil {
		return err
	}
	return v.mine(http.StatusOK, "account", "My account", d)
}

// paged is a list with where its pages lead.
type paged[T any] struct {
	List[T]
	Previous, Next string
}

// pageOf reads a page of a list of the portal.
func pageOf[T any](v *visit, path string) (p paged[T], err error) {
	err = v.ask(v.get(path, url.Values{"page": {pageNumber(v)}, "pageSize": {"20"}}, &p.List))
	p.turn(nil)
	return p, err
}

// pageNumber is the page of a list that is asked for.
func pageNumber(v *visit) string {
	n, _ := strconv.Atoi(v.r.FormValue("page"))
	return strconv.Itoa(min(max(1, n), maxPage))
}

// turn finds the addresses of the pages before and after, which keep the rest of the query.
func (p *paged[T]) turn(rest url.Values) {
	to := func(n int) string {
		q := url.Values{"page": {strconv.Itoa(n)}}
		maps.Copy(q, rest)
		return "?" + q.Encode()
	}
	if p.Page == 0 { // the short envelope
		p.Page = 1
	}
	if p.HasPreviousPage {
		p.Previous = to(p.Page - 1)
	}
	if p.HasNextPage {
		p.Next = to(p.Page + 1)
	}
}

// orders lists the orders (GET /ecom/portal/orders), invoices the invoices, returns the returns.
func orders(v *visit) error   { return listOf[Order](v, "/portal/orders", "orders", "Orders") }
func invoices(v *visit) error { return listOf[Invoice](v, "/portal/invoices", "invoices", "Invoices") }

// returns lists the returns, each with the credit notes of its order: what was given back.
func returns(v *visit) error {
	p, err := pageOf[Return](v, "/portal/returns")
	if err != nil {
		return err
	}
	var notes List[Invoice]
	if err := v.ask(v.get("/portal/invoices", url.Values{"type": {"CreditNote"}, "pageSize": {"200"}},
		&notes)); err != nil {
		return err
	}
	for i := range p.Items {
		for _, n := range notes.Items {
			if slices.Contains(n.OrderNumbers, p.Items[i].OrderNumber) {
				p.Items[i].Refunds = append(p.Items[i].Refunds, n)
			}
		}
	}
	return v.mine(http.StatusOK, "returns", "Returns", p)
}

func listOf[T any](v *visit, path, name, title string) error {
	p, err := pageOf[T](v, path)
	if err != nil {
		return err
	}
	return v.mine(http.StatusOK, name, title, p)
}

// order is one order with its shipments (GET /ecom/portal/orders/{id}).
func order(v *visit) error {
	var o Order
	if err := v.ask(v.get("/portal/orders/"+url.PathEscape(v.r.PathValue("id")), nil, &o)); err != nil {
		return err
	}
	return v.mine(http.StatusOK, "order", o.OrderNumber, o)
}

// reorder puts an order's lines into the cart (POST /ecom/portal/orders/{id}/reorder).
func reorder(v *visit) error {
	err := v.api.Do(v.ctx, http.MethodPost, "/portal/orders/"+url.PathEscape(v.r.PathValue("id"))+"/reorder", nil, nil)
	return v.done(err, "What can still be had of that order is in your cart.", "/cart")
}

// invoicePDF is an invoice on paper (GET /ecom/portal/invoices/{id}/pdf).
func invoicePDF(v *visit) error {
	return v.passOn("/portal/invoices/" + url.PathEscape(v.r.PathValue("id")) + "/pdf")
}

// returnSlip is what goes into the parcel of a return (GET /ecom/portal/returns/{id}/slip).
func returnSlip(v *visit) error {
	return v.passOn("/portal/returns/" + url.PathEscape(v.r.PathValue("id")) + "/slip")
}

// passOn shows a member a file of the API as it comes.
func (v *visit) passOn(path string) error {
	answer, err := v.api.Open(v.ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	for _, name := range []string{"Content-Type", "Content-Disposition", "Content-Length"} {
		if value := answer.Header.Get(name); value != "" {
			v.w.Header().Set(name, value)
		}
	}
	_, _ = io.Copy(v.w, answer.Body) // the visitor may have gone
	return nil
}

type returnPage struct {
	Order   string // id
	Lines   []Returnable
	Reasons []sorting
	Reason  string
	Problem *Problem
	Form    map[string]string
	Notes   string
}

// newReturn registers a return.
//
//	GET  /ecom/portal/returns/eligible?orderId=   what of the order can be sent back
//	POST /ecom/portal/returns                     the return
func newReturn(v *visit) error {
	page := returnPage{Order: v.r.FormValue("order"), Reason: v.r.FormValue("reason"), Form: map[string]string{},
		Notes: strings.TrimSpace(v.r.FormValue("notes")), Reasons: []sorting{{"CustomerRemorse", "I changed my mind"},
			{"Defective", "It is defective"}, {"WrongItem", "It is not what I ordered"},
			{"DamagedInTransit", "It was damaged on the way"}, {"Other", "Something else"}}}
	var list List[Returnable]
	err := v.ask(v.get("/portal/returns/eligible", url.Values{"orderId": {page.Order}, "pageSize": {"200"}}, &list))
	if p := problemOf(err); p != nil && p.Status == http.StatusConflict {
		page.Problem = p
	} else if err != nil {
		return err
	}
	page.Lines = list.Items
	if v.r.Method == http.MethodGet {
		return v.mine(http.StatusOK, "newreturn", "Return something", page)
	}
	type line struct {
		OrderLineNumber int    `json:"orderLineNumber"`
		Quantity        string `json:"quantity"`
	}
	body := map[string]any{"orderId": page.Order, "reason": page.Reason, "notes": page.Notes}
	var lines []line
	for _, l := range page.Lines {
		name := strconv.Itoa(l.OrderLineNumber)
		quantity := decimal(v.r.FormValue("quantity." + name))
		page.Form[name] = quantity
		if strings.Trim(quantity, "0.") != "" {
			lines = append(lines, line{l.OrderLineNumber, quantity})
		}
	}
	body["lines"] = lines
	if len(lines) == 0 {
		page.Problem = &Problem{Status: http.StatusBadRequest, Detail: "Say how much of what you send back."}
		return v.mine(http.StatusUnprocessableEntity, "newreturn", "Return something", page)
	}
	err = v.api.Do(v.ctx, http.MethodPost, "/portal/returns", body, nil)
	if page.Problem = problemOf(err); page.Problem != nil && isRefusal(page.Problem) {
		return v.mine(http.StatusUnprocessableEntity, "newreturn", "Return something", page)
	}
	return v.done(err, "Your return is registered. Print its slip and put it into the parcel.", "/account/returns")
}

type addressPage struct {
	Saved     []SavedAddress
	New       Address
	Problem   *Problem
	Countries []string
}

// Wrong is what is wrong with a field.
func (p addressPage) Wrong(field string) string { return wrong(p.Problem, field) }

// addresses is the address book (GET and POST /ecom/portal/addresses).
func addresses(v *visit) error {
	page := addressPage{Countries: v.session.Store.Countries, New: Address{CountryCode: v.session.CountryCode}}
	if v.r.Method == http.MethodPost {
		f := func(name string) string { return strings.TrimSpace(v.r.FormValue(name)) }
		page.New = Address{Name: f("name"), Street1: f("street1"), PostalCode: f("postalCode"), City: f("city"),
			CountryCode: f("countryCode"), Phone: f("phone")}
		err := v.api.Do(v.ctx, http.MethodPost, "/portal/addresses", page.New, nil)
		if page.Problem = problemOf(err); err == nil {
			v.remember("The address is saved.")
			v.redirect("/account/addresses")
			return nil
		} else if page.Problem == nil || !isRefusal(page.Problem) {
			return err
		}
	}
	var list List[SavedAddress]
	if err := v.ask(v.get("/portal/addresses", url.Values{"pageSize": {"100"}}, &list)); err != nil {
		return err
	}
	page.Saved = list.Items
	status := http.StatusOK
	if page.Problem != nil {
		status = http.StatusUnprocessableEntity
	}
	return v.mine(status, "addresses", "Addresses", page)
}

// changeAddress makes an address the default (POST /ecom/portal/addresses/{id}/default) or removes it (DELETE).
func changeAddress(v *visit) error {
	at := "/portal/addresses/" + url.PathEscape(v.r.PathValue("id"))
	var err error
	switch v.r.PathValue("act") {
	case "default":
		err = v.api.Do(v.ctx, http.MethodPost, at+"/default", nil, nil)
	case "delete":
		err = v.api.Do(v.ctx, http.MethodDelete, at, nil, nil)
	default:
		return &Problem{Status: http.StatusNotFound}
	}
	if err != nil && !refused(err, http.StatusNotFound) {
		return err
	}
	v.redirect("/account/addresses")
	return nil
}

type profilePage struct {
	Profile
	Problem *Problem
	At      string
}

// Wrong is what is wrong with a field.
func (p profilePage) Wrong(field string) string { return wrong(p.Problem, field) }

// profile is the person who is signed in (GET and PATCH /ecom/portal/profile).
func profile(v *visit) error {
	if v.r.Method == http.MethodPost {
		body := map[string]any{"name": strings.TrimSpace(v.r.FormValue("name")),
			"phone": orNull(v.r.FormValue("phone")), "mobile": orNull(v.r.FormValue("mobile"))}
		err := v.api.Do(v.ctx, http.MethodPatch, "/portal/profile", body, nil)
		if p := problemOf(err); p != nil && isRefusal(p) {
			return showProfile(v, p, "profile")
		}
		return v.done(err, "Your details are saved.", "/account/profile")
	}
	return showProfile(v, nil, "")
}

func showProfile(v *visit, problem *Problem, at string) error {
	is, err := v.member()
	if !is {
		return err
	}
	page := profilePage{Problem: problem, At: at}
	if err := v.ask(v.get("/portal/profile", nil, &page.Profile)); err != nil {
		return err
	}
	if at == "profile" { // keep what was typed
		page.Name, page.Phone, page.Mobile = v.r.FormValue("name"), v.r.FormValue("phone"), v.r.FormValue("mobile")
	}
	status := http.StatusOK
	if problem != nil {
		status = http.StatusUnprocessableEntity
	}
	return v.mine(status, "profile", "Profile", page)
}

// password changes the password (POST /ecom/auth/change-password), which ends all other sessions.
func password(v *visit) error {
	body := map[string]any{"currentPassword": orNull(v.r.FormValue("currentPassword")),
		"newPassword": v.r.FormValue("newPassword")}
	err := v.api.Do(v.ctx, http.MethodPost, "/auth/change-password", body, nil)
	if p := problemOf(err); isDenial(p) {
		return showProfile(v, p, "password")
	}
	return v.done(err, "Your password is changed, and all other devices are signed out.", "/account/profile")
}

// orNull is a text of a form; an empty one is null to the API.
func orNull(text string) any {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	return text
}
