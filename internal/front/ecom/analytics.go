package ecom

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/business/analytics"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
	"kontor/internal/front/rest"
)

// Analytics is what visitors do in a store, counted without keeping who. t may be nil where the API is only described.
func Analytics(t *analytics.Traffic) rest.Group {
	c := counters{t}
	return rest.Group{Tag: "Analytics", Scope: rest.ScopeSession,
		Doc: "What visitors do, counted by day: nothing of anybody is kept.", Ops: []rest.Op{
			rest.Before(rest.Do("recordPageViews", "/analytics/page-views",
				"Counts pages that a visitor looked at, up to 100 a call; robots are left out by the User-Agent that the storefront passes on.",
				c.views).
				KeyIfSent().Answers(202).
				Example(
					`{"pageViews": [{"url": "https://shop.example.com/products/hammer", "occurredAt": "2026-11-22T10:00:00Z"}]}`),
				func(a *rest.Ahead, in *viewsIn) error { in.agent = a.Header("User-Agent"); return nil }),
			rest.Before(rest.Do("recordEvents", "/analytics/events",
				"Counts what happened in the storefront, up to 100 events a call; addToCart leads from views to orders. Properties are not kept.",
				c.events).
				KeyIfSent().Answers(202).Extension().
				Example(`{"events": [{"type": "addToCart", "occurredAt": "2026-11-22T10:00:00Z"}]}`),
				func(a *rest.Ahead, in *eventsIn) error { in.agent = a.Header("User-Agent"); return nil }),
		}}
}

type counters struct{ *analytics.Traffic }

// Accepted is how much was taken to be counted.
type Accepted struct {
	Accepted int `json:"accepted"`
}

// PageView is a page that a visitor looked at.
type PageView struct {
	URL          string    `json:"url" req:"true" max:"2000" doc:"Of the page; what stands behind ? is not kept."`
	Referrer     rest.Text `json:"referrer" max:"2000" doc:"Where the visitor came from; its host is kept."`
	Title        rest.Text `json:"title" of:"-" text:"name"`
	ProductID    rest.Text `json:"productId" format:"uuid"`
	CategoryCode rest.Text `json:"categoryCode"`
	OccurredAt   db.Time   `json:"occurredAt" of:"At" req:"true"`
}

var viewed = rest.Written[[]PageView, []analytics.Viewed]()

type viewsIn struct {
	Body struct {
		PageViews []PageView `json:"pageViews" req:"true" maxItems:"100" doc:"In any order."`
	}
	agent string
}

// visitorOf is a visit as it is counted; agent is "" where only people come.
func visitorOf(v *storefront.Visit, agent string) analytics.Visitor {
	return analytics.Visitor{Channel: v.Channel, Session: v.Session.ID, Agent: agent, Zone: v.Zone}
}

func (c counters) views(tx *db.Tx, in viewsIn) (Accepted, error) {
	all := viewed(in.Body.PageViews)
	v := visitorOf(storefront.Of(tx), in.agent)
	tx.Done(func() { c.Views(tx.Company, v, tx.Now, all) })
	return Accepted{len(all)}, nil
}

// StorefrontEvent is something that happened in a storefront.
type StorefrontEvent struct {
	Type         string                     `json:"type" req:"true" doc:"A word of letters, digits, _ . and -, such as addToCart."`
	OccurredAt   db.Time                    `json:"occurredAt" req:"true"`
	ProductID    rest.Text                  `json:"productId" format:"uuid"`
	CategoryCode rest.Text                  `json:"categoryCode"`
	Value        *dec.Dec                   `json:"value" min:"0" doc:"What it is worth, in the store's currency; not kept."`
	Properties   *map[string]jsontext.Value `json:"properties" doc:"Taken and not kept."`
}

type eventsIn struct {
	Body struct {
		Events []StorefrontEvent `json:"events" req:"true" maxItems:"100" doc:"In any order."`
	}
	agent string
}

var eventType = lazy.Regexp(`^[A-Za-z][A-Za-z0-9_.-]{0,49}$`)

func (c counters) events(tx *db.Tx, in eventsIn) (Accepted, error) {
	var l fault.List
	all := make([]analytics.Happened, len(in.Body.Events))
	for i, e := range in.Body.Events {
		if !eventType().MatchString(e.Type) {
			l.Add(fault.ErrInvalid, fmt.Sprintf("events[%d].type", i),
				"%q is no type of an event: use letters, digits, _ . and -, beginning with a letter, at most 50",
				e.Type)
		}
		all[i] = analytics.Happened{Type: e.Type, ProductID: string(e.ProductID), CategoryCode: string(e.CategoryCode),
			At: e.OccurredAt}
	}
	if err := l.Err(); err != nil {
		return Accepted{}, err
	}
	v := visitorOf(storefront.Of(tx), in.agent)
	tx.Done(func() { c.Events(tx.Company, v, tx.Now, all) })
	return Accepted{len(all)}, nil
}
