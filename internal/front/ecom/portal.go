package ecom

import (
	"kontor/internal/business/assortment"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/portal"
	"kontor/internal/business/quoting"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/storefront"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// Portal is what a customer's people find of themselves.
func Portal(w Window) rest.Group {
	return rest.Group{Tag: "Portal", Scope: rest.ScopeCustomer,
		Doc: "Who is signed in, colleagues, favourites, and everything at a glance.", Ops: []rest.Op{
			rest.Get("getPortalContext", "/portal/context", "Who is signed in, with permissions and modules.",
				getPortalContext),
			rest.Get("getDashboard", "/portal/dashboard", "What is open, and the five latest of each module.",
				getDashboard),
			rest.Get("getProfile", "/portal/profile", "The contact who is signed in, and the company it acts for.",
				getProfile),
			rest.Patch("updateProfile", "/portal/profile", "Changes the details of the contact who is signed in.",
				updateProfile).Raises(party.ErrUnknownCode).
				Example(`{"phone": "+46 8 123 45 67"}`),
			rest.List("listPortalContacts", "/portal/contacts", "Colleagues of the same customer.",
				needs(portal.ReadContacts, listPortalContacts)).
				Raises(portal.ErrDenied), rest.Create("createPortalContact", "/portal/contacts",
				"Invites a colleague, who comes in by a mailed code.",
				createPortalContact).
				Raises(portal.ErrDenied, mail.ErrInvalid, party.ErrEmailTaken).
				Example(`{"name": "Bo Ek", "email": "bo@example.com", "role": "Buyer"}`),
			rest.Patch("updatePortalContact", "/portal/contacts/{id}", "Changes a colleague's role and details.",
				updatePortalContact).
				Raises(party.ErrContactNotFound, portal.ErrLastAdmin, party.ErrPortalEmail, party.ErrEmailTaken).
				Example(`{"role": "Approver"}`),
			rest.Delete("deletePortalContact", "/portal/contacts/{id}", "Removes a colleague.",
				rest.Done(portal.RemoveContact)).
				Raises(party.ErrContactNotFound, portal.ErrLastAdmin),
			rest.List("listFavourites", "/portal/favourites", "Favourite products, the latest first.",
				w.listFavourites).
				Extension(), rest.Put("putFavourite", "/portal/favourites/{itemId}", "Adds a favourite.", putFavourite).
				Extension().
				Raises(assortment.ErrNotFound), rest.Delete("deleteFavourite", "/portal/favourites/{itemId}",
				"Removes a favourite.", deleteFavourite).
				Extension().Raises(assortment.ErrNotFound),
		}}
}

// PortalModules are the parts of the portal that the contact may see.
type PortalModules struct {
	Addresses     bool `json:"addresses"`
	Catalog       bool `json:"catalog"`
	Contacts      bool `json:"contacts"`
	CreateOrders  bool `json:"createOrders"`
	Dashboard     bool `json:"dashboard"`
	Invoices      bool `json:"invoices"`
	OrderApproval bool `json:"orderApproval"`
	Orders        bool `json:"orders"`
	Quotes        bool `json:"quotes"`
	Returns       bool `json:"returns"`
	Shipments     bool `json:"shipments"`
	Tickets       bool `json:"tickets"`
}

// PortalContext is who is signed in.
type PortalContext struct {
	ContactID   string              `json:"contactId" format:"uuid"`
	ContactName rest.Text           `json:"contactName"`
	Role        storefront.Role     `json:"role"`
	Permissions []portal.Permission `json:"permissions"`
	Modules     PortalModules       `json:"modules"`
}

func getPortalContext(tx *db.Tx, _ struct{}) (PortalContext, error) {
	v := storefront.Of(tx)
	may := func(p portal.Permission) bool { return portal.Permits(v, p) }
	return PortalContext{ContactID: v.Contact.ID, ContactName: rest.Text(v.Contact.Name), Role: v.Contact.Role,
			Permissions: portal.Permissions(v), Modules: PortalModules{Addresses: may(portal.ReadAddresses),
				Catalog: may(portal.ReadCatalog), Contacts: may(portal.ReadContacts),
				CreateOrders: may(portal.CreateOrders), Dashboard: may(portal.ReadDashboard),
				Invoices: may(portal.ReadInvoices), OrderApproval: may(portal.ApproveOrders),
				Orders: may(portal.ReadOrders), Quotes: may(portal.ReadQuotes), Returns: may(portal.ReadReturns),
				Shipments: may(portal.ReadShipments), Tickets: may(portal.ReadTickets)}},
		nil
}

// Dashboard is everything at a glance. What the contact may not see is 0 and empty.
type Dashboard struct {
	OpenOrders        int              `json:"openOrders" doc:"Placed or released."`
	WaitingApprovals  int              `json:"waitingApprovals"`
	UnpaidInvoices    int              `json:"unpaidInvoices"`
	ShipmentsUnderway int              `json:"shipmentsUnderway"`
	OpenQuotes        int              `json:"openQuotes" doc:"Sent and still valid: they wait for a decision."`
	OpenReturns       int              `json:"openReturns"`
	OpenTickets       int              `json:"openTickets" doc:"Neither resolved nor closed."`
	LatestOrders      []PortalOrder    `json:"latestOrders"`
	LatestInvoices    []PortalInvoice  `json:"latestInvoices"`
	LatestShipments   []PortalShipment `json:"latestShipments"`
	LatestQuotes      []PortalQuoteRow `json:"latestQuotes"`
	LatestReturns     []PortalReturn   `json:"latestReturns"`
	LatestTickets     []PortalTicket   `json:"latestTickets"`
}

// latest is the page that a dashboard shows of a module.
func latest() record.Page { return record.Page{Number: 1, Size: 5} }

func getDashboard(tx *db.Tx, _ struct{}) (d Dashboard, err error) {
	v := storefront.Of(tx)
	counts, err := portal.Count(tx)
	if err != nil {
		return d, err
	}
	d.OpenOrders, d.UnpaidInvoices, d.ShipmentsUnderway = counts.OpenOrders, counts.UnpaidInvoices,
		counts.ShipmentsUnderway
	orders, err := sales.List(tx, sales.Filter{CustomerNumber: v.Customer.Number, NewestFirst: true}, latest())
	if err != nil {
		return d, err
	}
	if d.LatestOrders, err = portalOrdersOf(tx, numbersOf(orders.Items)); err != nil {
		return d, err
	}
	invoices, err := invoicing.List(tx, invoicing.Filter{Customer: v.Customer.Number, Status: invoicing.Booked},
		latest())
	if err != nil {
		return d, err
	}
	d.LatestInvoices = rest.PageOf(invoices, rest.Paging{}, portalInvoiceOf).Items
	shipments, err := shipping.List(tx, shipping.Filter{CustomerID: v.Customer.ID}, latest())
	if err != nil {
		return d, err
	}
	d.LatestShipments, d.LatestReturns = rest.PageOf(shipments, rest.Paging{}, portalShipmentOf).Items, []PortalReturn{}
	d.LatestQuotes, d.LatestTickets = []PortalQuoteRow{}, []PortalTicket{}
	if portal.Permits(v, portal.ApproveOrders) {
		d.WaitingApprovals = counts.WaitingApprovals
	}
	if portal.Permits(v, portal.ReadQuotes) {
		d.OpenQuotes = counts.OpenQuotes
		offered, err := quoting.List(tx, quoting.Filter{CustomerID: v.Customer.ID}, latest())
		if err != nil {
			return d, err
		}
		d.LatestQuotes = rest.PageOf(offered, rest.Paging{}, portalQuoteRowOf).Items
	}
	if portal.Permits(v, portal.ReadReturns) {
		d.OpenReturns = counts.OpenReturns
		back, err := returns.List(tx, returns.Filter{CustomerID: v.Customer.ID}, latest())
		if err != nil {
			return d, err
		}
		d.LatestReturns = rest.PageOf(back, rest.Paging{}, portalReturnOf).Items
	}
	if portal.Permits(v, portal.ReadTickets) {
		err = d.addTickets(tx, v.Customer.ID)
	}
	return d, err
}

func (d *Dashboard) addTickets(tx *db.Tx, customerID string) (err error) {
	if d.OpenTickets, err = support.CountOpen(tx, customerID); err != nil {
		return err
	}
	asked, err := support.List(tx, support.Filter{CustomerID: customerID}, latest())
	d.LatestTickets = rest.PageOf(asked, rest.Paging{}, portalTicketOf).Items
	return err
}

// profileFields are what contacts may change of themselves. Their e-mail is what they sign in with: the company changes
// it.
type profileFields struct {
	Name         string    `json:"name" req:"true" text:"name"`
	Phone        rest.Text `json:"phone"`
	Mobile       rest.Text `json:"mobile"`
	LanguageCode rest.Text `json:"languageCode" doc:"ISO 639-1: of mails." example:"sv"`
}

// ProfileCompany is whom a contact acts for.
type ProfileCompany struct {
	CustomerNumber     string    `json:"customerNumber" of:"Number"`
	Name               string    `json:"name"`
	OrganizationNumber rest.Text `json:"organizationNumber"`
	VATNumber          rest.Text `json:"vatNumber"`
	InvoiceEmail       rest.Text `json:"invoiceEmail"`
	Phone              rest.Text `json:"phone"`
	wire.Place
	CurrencyCode rest.Text `json:"currencyCode"`
}

// PortalProfile is the contact who is signed in.
type PortalProfile struct {
	rest.Tag  `of:"-"`
	ContactID string          `json:"contactId" of:"ID" format:"uuid"`
	Email     string          `json:"email" doc:"What the contact signs in with."`
	Role      storefront.Role `json:"role" of:"-"`
	profileFields
	HasPassword bool           `json:"hasPassword" of:"-" doc:"False: comes in by mailed codes alone."`
	Company     ProfileCompany `json:"company" of:"-"`
}

var (
	profiles       = rest.Alike[profileFields, party.Contact]()
	portalProfile  = rest.Shown[PortalProfile, party.Contact]()
	profileCompany = rest.Shown[ProfileCompany, party.Customer]()
)

func profileOf(tx *db.Tx, c party.Contact, err error) (PortalProfile, error) {
	if err != nil {
		return PortalProfile{}, err
	}
	o, err := party.Find(tx, storefront.Of(tx).Customer.Number)
	out := portalProfile(c)
	out.Tag, out.Role, out.HasPassword = rest.Tag{Value: o.ETag()}, storefront.RoleOf(c.Role), c.PasswordHash != ""
	out.Company = profileCompany(o)
	return out, err
}

func getProfile(tx *db.Tx, _ struct{}) (PortalProfile, error) {
	c, err := portal.Self(tx)
	return profileOf(tx, c, err)
}

func updateProfile(tx *db.Tx, in rest.Sent[rest.Merge[profileFields]]) (PortalProfile, error) {
	v := storefront.Of(tx)
	c, err := party.UpdateContact(tx, v.Customer.Number, v.Contact.ID,
		rest.Laid(in.Body, profiles))
	return profileOf(tx, c, err)
}

// colleagueFields are what an administrator may change of a colleague.
type colleagueFields struct {
	Name            string          `json:"name" req:"true" text:"name"`
	Phone           rest.Text       `json:"phone"`
	Mobile          rest.Text       `json:"mobile"`
	Role            storefront.Role `json:"role" of:"-" req:"true"`
	IsActive        bool            `json:"isActive" default:"true"`
	HasPortalAccess bool            `json:"hasPortalAccess" default:"true" doc:"May sign in."`
}

// PortalContact is a colleague.
type PortalContact struct {
	rest.Located `of:"ID" self:"/ecom/portal/contacts/"`
	ID           string    `json:"id" format:"uuid"`
	Email        rest.Text `json:"email"`
	colleagueFields
	rest.Stamps
}

var (
	colleagues    = rest.Alike[colleagueFields, party.Contact]()
	portalContact = rest.Shown[PortalContact, party.Contact]()
	invited       = rest.Written[createPortalContactRequest, party.Contact]()
)

func portalContactOf(c party.Contact) PortalContact {
	out := portalContact(c)
	out.Role = storefront.RoleOf(c.Role)
	return out
}

// needs keeps an operation from who may not do it.
func needs[In, Out any](p portal.Permission, do func(*db.Tx, In) (Out, error)) func(*db.Tx, In) (Out, error) {
	return func(tx *db.Tx, in In) (out Out, err error) {
		if err := portal.Need(tx, p); err != nil {
			return out, err
		}
		return do(tx, in)
	}
}

func listPortalContacts(tx *db.Tx, in pageIn) (rest.Paged[PortalContact], error) {
	found, err := party.Contacts(tx, storefront.Of(tx).Customer.Number, in.Record())
	return rest.PageOf(found, in.Paging, portalContactOf), err
}

type createPortalContactRequest struct {
	Name   string          `json:"name" req:"true" text:"name"`
	Email  string          `json:"email" req:"true" text:"email"`
	Phone  rest.Text       `json:"phone"`
	Mobile rest.Text       `json:"mobile"`
	Role   storefront.Role `json:"role" req:"true"`
}

func createPortalContact(tx *db.Tx, in rest.Sent[createPortalContactRequest]) (PortalContact, error) {
	c, err := portal.Invite(tx, invited(in.Body))
	return portalContactOf(c), err
}

func updatePortalContact(tx *db.Tx, in rest.With[rest.ID, rest.Merge[colleagueFields]]) (PortalContact, error) {
	c, err := portal.ChangeContact(tx, in.At.ID, func(c *party.Contact) error {
		f := colleagues.Of(*c)
		f.Role = storefront.RoleOf(c.Role)
		if err := in.Body.Onto(&f); err != nil {
			return err
		}
		colleagues.Onto(f, c)
		if in.Body.Has("role") {
			c.Role = string(f.Role)
		}
		return nil
	})
	return portalContactOf(c), err
}

func (w Window) listFavourites(tx *db.Tx, in pageIn) (rest.Paged[Card], error) {
	none := rest.Paged[Card]{}
	v := storefront.Of(tx).Viewer()
	ids, err := portal.Favourites(tx)
	if err != nil {
		return none, err
	}
	sold, err := assortment.Articles(tx, v, ids)
	if err != nil {
		return none, err
	}
	shown := each.Where(ids, func(id string) bool { return sold[id] != nil })
	page := rest.PageOfAll(shown, in.Paging, func(id string) string { return id })
	cards, err := assortment.Cards(tx, v, page.Items)
	return rest.PageOf(record.Found[assortment.Card]{Items: cards, Total: len(shown)}, in.Paging,
		w.cards(tx)), err
}

func putFavourite(tx *db.Tx, in rest.ID) (rest.NoContent, error) {
	sold, err := assortment.Articles(tx, storefront.Of(tx).Viewer(), []string{in.ID})
	if err != nil {
		return rest.NoContent{}, err
	}
	if _, ok := sold[in.ID]; !ok {
		return rest.NoContent{}, portal.Missing(assortment.ErrNotFound, in.ID)
	}
	return rest.NoContent{}, portal.Favour(tx, in.ID)
}

func deleteFavourite(tx *db.Tx, in rest.ID) (rest.NoContent, error) {
	was, err := portal.Disfavour(tx, in.ID)
	if err == nil && !was {
		err = portal.Missing(assortment.ErrNotFound, in.ID)
	}
	return rest.NoContent{}, err
}
