package testing

import (
	"cmp"
	"context"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
	"kontor/internal/front/payment/wire"
)

// Find is a started payment of a company with the account it was started with.
type Find func(ctx context.Context, company, id string) (payment.Account, payment.Payment, error)

// Send posts a callback.
type Send func(ctx context.Context, d Delivery) error

// Post is the Send of a server: it posts to the shop, and any answer that is not 2xx is an error.
func Post(client *wire.Client) Send {
	return func(ctx context.Context, d Delivery) error {
		answer, err := client.Do(ctx, wire.Request{Provider: "The shop", Method: http.MethodPost, Address: d.Address,
			Header: d.Header, Body: d.Body})
		if err == nil && !answer.IsGood() {
			err = answer.Fault("")
		}
		return err
	}
}

// Page is the provider's own page, where a buyer chooses a card: GET shows it, POST takes the card, sends the callbacks
// that are due and sends the buyer back to the shop. A late callback is not sent from here: the buyer is gone by then,
// and Look knows.
func (p *Provider) Page(find Find, send Send) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		w.Header().Set("Referrer-Policy", "no-referrer")
		a, pay, err := find(r.Context(), r.URL.Query().Get("company"), r.URL.Query().Get("payment"))
		if err != nil {
			refuse(w, err)
			return
		}
		t, err := p.find(a, pay)
		if err != nil {
			refuse(w, err)
			return
		}
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			// the buyer went away
			_ = pageText.Execute(w, map[string]any{"Amount": t.Amount.Fixed(t.Digits), "Currency": t.Currency,
				"Cards": Cards(), "Card": t.Card})
		case http.MethodPost:
			r.Body = http.MaxBytesReader(w, r.Body, 4096)
			p.pay(w, r, a, pay.Ref, t, send)
		default:
			w.Header().Set("Allow", "GET, HEAD, POST")
			http.Error(w, "The page is asked with GET and answered with POST.", http.StatusMethodNotAllowed)
		}
	})
}

// pay takes the buyer's choice.
func (p *Provider) pay(w http.ResponseWriter, r *http.Request, a payment.Account, ref string, t ticket, send Send) {
	now := p.now()
	sent, err := p.chosen(a, ref, r.FormValue("card"), r.FormValue("cancel") != "", now)
	if err != nil {
		refuse(w, err)
		return
	}
	for _, d := range sent {
		if d.Address == "" || d.Due.After(now) {
			continue
		}
		if err := send(r.Context(), d); err != nil {
			refuse(w, payment.ErrUnavailable.Because("The shop did not take the callback. Send the form again.").
				From(err))
			return
		}
	}
	if t.Return == "" {
		http.Error(w, "Done. The shop named no address to go back to.", http.StatusOK)
		return
	}
	back, err := url.Parse(t.Return)
	if err != nil {
		refuse(w, payment.ErrInvalid.Because("The shop's address to go back to is none."))
		return
	}
	http.Redirect(w, r, back.String(), http.StatusSeeOther)
}

func (p *Provider) chosen(a payment.Account, ref, card string, isCancelled bool, now time.Time) ([]Delivery, error) {
	if !isCancelled {
		return Deliveries(a, ref, card, now)
	}
	d, err := CalledOff(a, ref, now)
	return []Delivery{d}, err
}

func refuse(w http.ResponseWriter, err error) {
	f := fault.As(err)
	status := map[fault.Kind]int{fault.Invalid: 400, fault.Denied: 403, fault.NotFound: 404, fault.Conflict: 409,
		fault.Unavailable: 503}[f.Kind]
	status = cmp.Or(status, http.StatusInternalServerError)
	if f.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfterSeconds))
	}
	http.Error(w, f.Detail, status)
}

var pageText = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Test payment</title></head>
<body><main><h1>Test payment</h1><p>{{.Amount}} {{.Currency}}. No money moves.</p>
<form method="post">
{{if .Card}}<p>Paid with card {{.Card}}.</p>
{{else}}<p><label>Card <select name="card">{{range .Cards}}<option value="{{index . 0}}">{{index . 0}} {{index . 1}}</option>{{end}}</select></label></p>
{{end}}<p><button>Pay</button>{{if not .Card}} <button name="cancel" value="1">Cancel</button>{{end}}</p>
</form></main></body></html>
`))
