package shop

import (
	"cmp"
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

// members is a page of the account: whoever is not signed in is led to sign in first, and back.
func members(page func(*visit) error) func(*visit) error {
	return func(v *visit) error {
		if err := v.ask(); err != nil {
			return err
		}
		if !v.session.IsSignedIn {
			v.redirect("/sign-in?" + url.Values{"back": {cmp.Or(v.r.URL.RequestURI(), "/account")}}.Encode())
			return nil
		}
		if err := v.ask(orNothing(v.get("/portal/context", nil, &v.session.Portal))); err != nil {
			return err
		}
		return page(v)
	}
}

// bringsFile is members for a page whose form brings a file: it is held in memory, so nobody else may send one.
func bringsFile(page func(*visit) error) func(*visit) error {
	return members(func(v *visit) error {
		v.r.Body = http.MaxBytesReader(v.w, v.sent, longestForm+longestFile)
		return page(v)
	})
}

// account is the overview (GET /ecom/portal/dashboard).
func account(v *visit) error {
	var d Dashboard
	if err := v.ask(v.get("/portal/dashboard", nil, &d)); err != nil {
		return err
	}
	return v.mine("account", "My account", d)
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
	return v.mine("returns", "Returns", p)
}

func listOf[T any](v *visit, path, name, title string) error {
	p, err := pageOf[T](v, path)
	if err != nil {
		return err
	}
	return v.mine(name, title, p)
}

// order is one order with its shipments (GET /ecom/portal/orders/{id}).
func order(v *visit) error {
	var o Order
	if err := v.ask(v.get("/portal/orders/"+v.part("id"), nil, &o)); err != nil {
		return err
	}
	return v.mine("order", o.OrderNumber, o)
}

// reorder puts an order's lines into the cart (POST /ecom/portal/orders/{id}/reorder).
func reorder(v *visit) error {
	err := v.post("/portal/orders/"+v.part("id")+"/reorder", nil)
	return v.done(err, "What can still be had of that order is in your cart.", "/cart")
}

// paper shows a member a file of the API as it comes: an invoice (GET /ecom/portal/invoices/{id}/pdf), a quote (GET
// /ecom/portal/quotes/{id}/pdf), or what goes into the parcel of a return (GET /ecom/portal/returns/{id}/slip).
func paper(before, after string) func(*visit) error {
	return func(v *visit) error {
		answer, err := v.api.Open(v.ctx, http.MethodGet, before+v.part("id")+after, nil)
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
}

type returnPage struct {
	Order   string // id
	Lines   []Returnable
	Reasons []sorting
	Reason  string
	Form    map[string]string
	Notes   string
	form
	Closed *Problem // why nothing of the order can be sent back
}

// newReturn registers a return.
//
//	GET  /ecom/portal/returns/eligible?orderId=   what of the order can be sent back
//	POST /ecom/portal/returns                     the return
func newReturn(v *visit) error {
	page := returnPage{Order: v.r.FormValue("order"), Reason: v.r.FormValue("reason"), Form: map[string]string{},
		Notes: v.typed("notes"), Reasons: []sorting{{"CustomerRemorse", "I changed my mind"},
			{"Defective", "It is defective"}, {"WrongItem", "It is not what I ordered"},
			{"DamagedInTransit", "It was damaged on the way"}, {"Other", "Something else"}}}
	var list List[Returnable]
	err := v.ask(v.get("/portal/returns/eligible", url.Values{"orderId": {page.Order}, "pageSize": {"200"}}, &list))
	if refused(err, http.StatusConflict) {
		page.Closed = problemOf(err)
	} else if err != nil {
		return err
	}
	page.Lines = list.Items
	if v.r.Method == http.MethodGet {
		return v.mine("newreturn", "Return something", page)
	}
	type line struct {
		OrderLineNumber int    `json:"orderLineNumber"`
		Quantity        string `json:"quantity"`
	}
	var lines []line
	for _, l := range page.Lines {
		name := strconv.Itoa(l.OrderLineNumber)
		quantity := decimal(v.r.FormValue("quantity." + name))
		page.Form[name] = quantity
		if strings.Trim(quantity, "0.") != "" {
			lines = append(lines, line{l.OrderLineNumber, quantity})
		}
	}
	if len(lines) == 0 {
		page.Problem = &Problem{Status: http.StatusBadRequest, Detail: "Say how much of what you send back."}
		return v.mine("newreturn", "Return something", page)
	}
	err = v.post("/portal/returns", map[string]any{"orderId": page.Order, "reason": page.Reason, "notes": page.Notes,
		"lines": lines})
	if page.Problem = problemOf(err); isRefusal(page.Problem) {
		return v.mine("newreturn", "Return something", page)
	}
	return v.done(err, "Your return is registered. Print its slip and put it into the parcel.", "/account/returns")
}

type addressPage struct {
	Saved     []SavedAddress
	New       Address
	Countries []string
	form
}

// addresses is the address book (GET and POST /ecom/portal/addresses).
func addresses(v *visit) error {
	page := addressPage{Countries: v.session.Store.Countries, New: Address{CountryCode: v.session.CountryCode}}
	if v.r.Method == http.MethodPost {
		page.New = Address{Name: v.typed("name"), Street1: v.typed("street1"), PostalCode: v.typed("postalCode"),
			City: v.typed("city"), CountryCode: v.typed("countryCode"), Phone: v.typed("phone")}
		err := v.post("/portal/addresses", page.New)
		if page.Problem = problemOf(err); !isRefusal(page.Problem) {
			return v.done(err, "The address is saved.", "/account/addresses")
		}
	}
	var list List[SavedAddress]
	if err := v.ask(v.get("/portal/addresses", url.Values{"pageSize": {"100"}}, &list)); err != nil {
		return err
	}
	page.Saved = list.Items
	return v.mine("addresses", "Addresses", page)
}

// changeAddress makes an address the default (POST /ecom/portal/addresses/{id}/default) or removes it (DELETE).
func changeAddress(v *visit) error {
	at := "/portal/addresses/" + v.part("id")
	var err error
	switch v.r.PathValue("act") {
	case "default":
		err = v.post(at+"/default", nil)
	case "delete":
		err = v.api.Do(v.ctx, http.MethodDelete, at, nil, nil)
	default:
		return &Problem{Status: http.StatusNotFound}
	}
	return v.done(unlessGone(err), "", "/account/addresses")
}

type profilePage struct {
	Profile
	form
	At string
}

// profile is the person who is signed in (GET and PATCH /ecom/portal/profile).
func profile(v *visit) error {
	if v.r.Method != http.MethodPost {
		return showProfile(v, nil, "")
	}
	body := map[string]any{"name": v.typed("name"), "phone": orNull(v.typed("phone")),
		"mobile": orNull(v.typed("mobile"))}
	err := v.api.Do(v.ctx, http.MethodPatch, "/portal/profile", body, nil)
	if p := problemOf(err); isRefusal(p) {
		return showProfile(v, p, "profile")
	}
	return v.done(err, "Your details are saved.", "/account/profile")
}

func showProfile(v *visit, problem *Problem, at string) error {
	page := profilePage{form: form{problem}, At: at}
	if err := v.ask(v.get("/portal/profile", nil, &page.Profile)); err != nil {
		return err
	}
	if at == "profile" { // keep what was typed
		page.Name, page.Phone, page.Mobile = v.r.FormValue("name"), v.r.FormValue("phone"), v.r.FormValue("mobile")
	}
	return v.mine("profile", "Profile", page)
}

// password changes the password (POST /ecom/auth/change-password), which ends all other sessions.
func password(v *visit) error {
	body := map[string]any{"currentPassword": orNull(v.r.FormValue("currentPassword")),
		"newPassword": v.r.FormValue("newPassword")}
	err := v.post("/auth/change-password", body)
	if p := problemOf(err); isDenial(p) {
		return members(func(v *visit) error { return showProfile(v, p, "password") })(v)
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
