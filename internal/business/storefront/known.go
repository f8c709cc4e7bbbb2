package storefront

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"kontor/internal/business/party"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// What is remembered of a visit stands until the session changes, the customer or one of its contacts, the company's
// reference data, among which the stores are, or the session's time is over.

// sessions is the resource under which it is counted what becomes of visitors, by the hash of their token. It has no
// records.
const sessions = "\x00guests"

// Sessions are the rows of what is counted of visitors. They are no records.
var Sessions = record.Resource{Name: sessions, Table: "session"}

// nobody is the key of the customer of who is not signed in. No record has it: a sign-in changes the session.
const nobody = "\x00nobody"

const visitWeight = 2_000 // bytes, about

func visitName(token string) string { return "visit " + token }

func (v *Visit) remember(tx *db.Tx, deps db.Dependencies) {
	if v.Session.isLapsed {
		return // whose return would have to be noticed is not known here
	}
	customer := cmp.Or(record.Fold(v.Customer.Number), nobody)
	deps = deps.With(tx, db.Ref{Resource: party.Resource.Name, Key: customer})
	tx.CachePut(visitName(v.Session.token), deps.Within(0, v.Session.ExpiresAt), visitWeight, v)
}

// known is the visit of GuestOf(tx) as it is remembered; nil where it is not. It is shared: see own.
func known(tx *db.Tx) *Visit {
	v, _, ok := db.CacheGet[*Visit](tx, visitName(GuestOf(tx).Token))
	if !ok || v.Session.ChannelKey != record.Fold(GuestOf(tx).Channel) {
		return nil
	}
	return v
}

// own makes the visit of this transaction one that it may change.
func own(tx *db.Tx) *Visit {
	v := *Of(tx)
	tx.Admitted = &v
	return &v
}

// CachedVisit is the visit of a guest as it is remembered, without a transaction. It is shared, and must not be
// changed.
func CachedVisit(s *db.Store, company string, g Guest) (*Visit, bool) {
	v, ok := s.CacheGet(company, visitName(g.Token))
	if !ok {
		return nil, false
	}
	visit := v.(*Visit)
	return visit, visit.Session.ChannelKey == record.Fold(g.Channel) && MayCall(g, visit.Channel) == nil
}

// Profile names all that an answer which shows the assortment depends on in a visit. Of the customer that is whatever
// the visit knows: a group or a currency that changes is another view.
func (v *Visit) Profile() string {
	profile := strings.Join([]string{v.Session.ChannelKey, v.Language, v.Country, strconv.FormatBool(v.IncludesTax)},
		"\x00")
	if v.SignedIn() {
		profile += fmt.Sprintf("\x00%q", v.Customer)
	}
	return profile
}
