package app

import (
	"cmp"
	"net/http"
	"net/netip"
	"strings"

	"kontor/internal/business/identity"
	"kontor/internal/business/newsletter"
	"kontor/internal/business/notice"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/rest"
)

// Who calls the commerce API. A merchant's server shows a store key: then the visitor's address that it tells is
// believed, and its visitors share the company's generous bucket. Everybody else is a stranger, counted by where the
// request comes from before it costs anything: no statement runs for a caller whose bucket is empty. Nobody spends what
// is others': a token that was never given out pays from the bucket of who sends it, one address has a part of the
// company's bucket at most, and all strangers of a company together have one of their own.

// companyRate is how many requests a second the servers of a company may make together, strangersRate what all
// strangers may ask of a company together.
const (
	companyRate   = 500
	strangersRate = 200
)

// An address has what addressShare visitors have: people at work, or on the phone, come from one together. It opens as
// many sessions at once as a visitor may make requests, and a part of that in the long run.
const (
	addressShare = 4
	openingShare = 0.25
)

// perVisitor is what one visitor, or one stranger, may ask; no limit where rates are not limited.
func (h *App) perVisitor() rest.Limit {
	return rest.Limit{Rate: h.share(h.serving.CommerceRate), Burst: int(5 * h.serving.CommerceRate)}
}

// perCompany is this node's part of what a company's servers may ask together; nil where rates are not limited.
func (h *App) perCompany() *rest.Limit {
	if h.serving.CommerceRate <= 0 {
		return nil
	}
	return &rest.Limit{Rate: h.share(companyRate)}
}

// perAddress is what all visitors of a store that have one address may ask together.
func (h *App) perAddress() rest.Limit {
	l := h.perVisitor()
	return rest.Limit{Rate: addressShare * l.Rate, Burst: addressShare * l.Burst}
}

// perOpener is how many sessions those of one address may open.
func (h *App) perOpener() rest.Limit {
	l := h.perVisitor()
	return rest.Limit{Rate: openingShare * l.Rate, Burst: l.Burst}
}

// countStrangers spends one of what all strangers of a company may ask.
func (h *App) countStrangers(company string) error {
	if h.serving.CommerceRate <= 0 {
		return nil
	}
	return h.strangers.Take("strangers:"+company, rest.Limit{Rate: h.share(strangersRate)})
}

// countVisitor spends one of what the address of a visitor may ask in the stores of a company, and of what it may open
// or try there.
// Where no address is told, what is tried is counted together.
func (h *App) countVisitor(tenant string, g storefront.Guest, token string) error {
	who := throttle.Network(g.Address)
	if g.Known {
		who = tenant + ":" + who
	}
	if g.Known && g.Address != "" {
		if err := h.strangers.Take("visitor:"+who, h.perAddress()); err != nil {
			return err
		}
	}
	switch {
	case g.Forged:
		return h.strangers.Take("forging:"+who, h.perVisitor())
	case token == "" && g.Address != "":
		return h.strangers.Take("opening:"+who, h.perOpener())
	}
	return nil
}

// countStranger spends one of the bucket of an address, by whom it belongs to: of IPv6 the first 64 bits.
func (h *App) countStranger(what, address string) error {
	return h.strangers.Take(what+throttle.Network(address), h.perVisitor())
}

// guestOf is the visitor that a caller names.
func guestOf(c rest.Caller) storefront.Guest {
	g, _ := c.Party.(storefront.Guest)
	return g
}

// visitorGate is where a request to the commerce API stands before its company is looked at.
type visitorGate struct {
	guest   storefront.Guest
	company string // of the store key; "" of a stranger
}

// admitCaller finds out who calls. Auth.InvalidCredential, RateLimit.Exceeded.
func (h *App) admitCaller(r *http.Request) (visitorGate, error) {
	peer := h.clientOf(r)
	count := func() error { return h.countStranger("peer:", peer) }
	key := r.Header.Get("X-Store-Key")
	if key == "" {
		return visitorGate{guest: storefront.Guest{Address: peer}}, count()
	}
	server, err := h.gate.Store(r.Context(), key, count)
	if err != nil {
		return visitorGate{}, err
	}
	d := visitorGate{company: server.CompanyID, guest: storefront.Guest{Known: true, Channel: server.ChannelKey}}
	if a, err := netip.ParseAddr(strings.TrimSpace(r.Header.Get("X-Visitor-IP"))); err == nil {
		d.guest.Address = a.Unmap().WithZone("").String()
	}
	return d, nil
}

// bySession finds the caller by the session's token; the transaction then finds out whether the session stands.
func (h *App) bySession(r *http.Request) (rest.Caller, error) {
	c, err := h.byHeaders(r)
	switch {
	case err == nil && guestOf(c).Forged:
		err = storefront.NotGivenOut()
	case err == nil && guestOf(c).Token == "":
		err = identity.ErrMissingCredential.Because(
			"this needs a session: open one with GET /ecom/session, and send its sessionToken as Authorization: Bearer")
	}
	return c, err
}

// byHeaders finds the caller by company and channel, with the session where its token is sent.
func (h *App) byHeaders(r *http.Request) (rest.Caller, error) {
	if isCallback(r) {
		return h.byCallback(r)
	}
	if token := r.URL.Query().Get("token"); token != "" && r.URL.Path == notice.UnsubscribePath {
		return h.byLetter(r, token)
	}
	d, err := h.admitCaller(r)
	if err != nil {
		return rest.Caller{}, err
	}
	if r.URL.Path == resolvePath {
		return h.guest(d.company, d.guest), nil
	}
	tenant, code := r.Header.Get("X-Tenant-Id"), r.Header.Get("X-Channel")
	if tenant == "" || code == "" {
		return rest.Caller{},
			identity.ErrMissingCredential.Because(
				"send the company's id as X-Tenant-Id and the store's code as X-Channel; GET /ecom/session/resolve?domain= answers both")
	}
	tenant = strings.ToLower(tenant) // a uuid: RFC 9562, section 4, its letters are read in either case
	if d.guest.Known && (d.company != tenant || d.guest.Channel != record.Fold(code)) {
		return rest.Caller{},
			identity.ErrInvalidCredential.Because(
				"the X-Store-Key is another store's: X-Tenant-Id and X-Channel name the one that it was made for")
	}
	d.guest.Channel = code
	token := rest.BearerToken(r)
	if token != "" {
		d.guest = storefront.Holder(d.guest, token)
		d.guest.Forged = !storefront.Genuine(&h.ring, tenant, code, token)
	}
	if err := h.countVisitor(tenant, d.guest, token); err != nil {
		return rest.Caller{}, err
	}
	_, open, err := h.companies.Find(r.Context(), tenant)
	if err != nil {
		return rest.Caller{}, err
	}
	if !open {
		return rest.Caller{}, identity.ErrInvalidCredential.Because("X-Tenant-Id names no company here")
	}
	if !d.guest.Known {
		if err := h.countStrangers(tenant); err != nil {
			return rest.Caller{}, err
		}
	}
	return h.guest(tenant, d.guest), nil
}

// byLetter finds the company of who calls the address that stands in its mails, which needs no headers: mail programs
// send none of ours. A token that is none is counted.
func (h *App) byLetter(r *http.Request, token string) (rest.Caller, error) {
	g := storefront.Guest{Address: h.clientOf(r)}
	if err := h.countStranger("letter:", g.Address); err != nil {
		return rest.Caller{}, err
	}
	l, err := newsletter.OpenLeaving(&h.ring, token)
	if err != nil {
		return rest.Caller{}, cmp.Or(h.guard.Miss(r.Context(), &throttle.ShopLink, throttle.Who{Peer: g.Address}), err)
	}
	_, open, err := h.companies.Find(r.Context(), l.Company)
	if err == nil && !open {
		err = newsletter.ErrToken.At("token",
			"the token is of a company that is not here any more: no mail comes from it")
	}
	return rest.Caller{Party: g, Company: l.Company, Unlimited: true, Credential: "letters:" + l.Company,
		Limit: &rest.Limit{}, Actor: db.Actor{Kind: "link", ID: l.SubscriberID, Name: "unsubscribe link"}}, err
}

// guest is a visitor of a company's store.
func (h *App) guest(tenant string, g storefront.Guest) rest.Caller {
	c := rest.Caller{Party: g, Company: tenant, Unlimited: true, Credential: "opening:" + tenant,
		Actor: db.Actor{Kind: "visitor", Name: "visitor"}, Limit: &rest.Limit{}}
	if g.Known && !g.Forged {
		c.CompanyLimit = h.perCompany()
	}
	if g.Token != "" && !g.Forged {
		limit := h.perVisitor()
		c.Credential, c.Limit = "session:"+g.Token, &limit
	}
	return c
}

// resolvePath is the one operation that names neither company nor channel.
const resolvePath = "/ecom/session/resolve"
