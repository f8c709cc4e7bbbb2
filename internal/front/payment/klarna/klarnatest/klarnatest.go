// Package klarnatest is a local server of Klarna's protocol, Checkout v3 and Order Management v1, for tests.
package klarnatest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Server keeps orders as Klarna's two interfaces do: a checkout is not an order of order management until it was
// bought, lines must add up, and what the state forbids is 403 with an error code.
type Server struct {
	*httptest.Server
	t      testing.TB
	mu     sync.Mutex
	orders map[string]map[string]any // by id, with bought, aborted, acknowledged
	kept   map[string]int            // writes by idempotency key
	made   int

	writing sync.Mutex
	answers map[string]*httptest.ResponseRecorder // by idempotency key
}

// Serve starts one, which ends with the test.
func Serve(t testing.TB) *Server {
	s := &Server{t: t, orders: map[string]map[string]any{}, kept: map[string]int{},
		answers: map[string]*httptest.ResponseRecorder{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /checkout/v3/orders", s.create)
	mux.HandleFunc("GET /checkout/v3/orders/{id}",
		s.find(false, func(w http.ResponseWriter, _ *http.Request, o map[string]any) { say(w, 200, o) }))
	mux.HandleFunc("POST /checkout/v3/orders/{id}/abort",
		s.find(false, func(w http.ResponseWriter, _ *http.Request, o map[string]any) {
			if o["bought"] == true || o["aborted"] == true {
				refuse(w, 403, "READ_ONLY_ORDER")
				return
			}
			o["aborted"] = true
			w.WriteHeader(204)
		}))
	const m = "/ordermanagement/v1/orders/{id}"
	mux.HandleFunc("GET "+m,
		s.find(true, func(w http.ResponseWriter, _ *http.Request, o map[string]any) { say(w, 200, o) }))
	mux.HandleFunc("PATCH "+m+"/merchant-references",
		s.find(true, func(w http.ResponseWriter, r *http.Request, o map[string]any) {
			maps.Copy(o, body(r))
			w.WriteHeader(204)
		}))
	mux.HandleFunc("POST "+m+"/acknowledge",
		s.find(true, func(w http.ResponseWriter, _ *http.Request, o map[string]any) {
			o["acknowledged"] = true
			w.WriteHeader(204)
		}))
	mux.HandleFunc("POST "+m+"/captures", s.find(true, s.capture))
	mux.HandleFunc("POST "+m+"/refunds", s.find(true, s.refund))
	mux.HandleFunc("POST "+m+"/release-remaining-authorization",
		s.find(true, func(w http.ResponseWriter, _ *http.Request, o map[string]any) {
			if o["status"] != "PART_CAPTURED" {
				refuse(w, 403, "NOT_ALLOWED")
				return
			}
			o["status"], o["remaining_authorized_amount"] = "CAPTURED", 0.0
			w.WriteHeader(204)
		}))
	mux.HandleFunc("POST "+m+"/cancel", s.find(true, func(w http.ResponseWriter, _ *http.Request, o map[string]any) {
		if o["captured_amount"].(float64) > 0 {
			refuse(w, 403, "CANCEL_NOT_ALLOWED")
			return
		}
		o["status"] = "CANCELLED"
		w.WriteHeader(204)
	}))
	s.Server = httptest.NewServer(s.remembering(mux))
	t.Cleanup(s.Close)
	return s
}

// remembering answers a write whose key was seen as it was answered then, a refusal too.
func (s *Server) remembering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.writing.Lock()
		defer s.writing.Unlock()
		key := r.Header.Get("Klarna-Idempotency-Key")
		of := r.Header.Get("Authorization") + key
		answer, seen := s.answers[of]
		if !seen {
			answer = httptest.NewRecorder()
			next.ServeHTTP(answer, r)
			if key != "" {
				s.answers[of] = answer
			}
		}
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	})
}

func say(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, status int, code string) {
	say(w, status, map[string]any{"error_code": code, "error_messages": []string{"No."},
		"correlation_id": "ca02456e-81ee-436a-b213-093e5afe75d3"})
}

func body(r *http.Request) map[string]any {
	var v map[string]any
	_ = json.NewDecoder(r.Body).Decode(&v)
	return v
}

func (s *Server) isKnown(w http.ResponseWriter, r *http.Request) bool {
	if user, password, ok := r.BasicAuth(); !ok || user != "K123_abc" || password != "hush-hush" {
		refuse(w, 401, "UNAUTHORIZED")
		return false
	}
	if r.Method != http.MethodGet {
		s.kept[r.Header.Get("Klarna-Idempotency-Key")]++
	}
	return true
}

func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isKnown(w, r) {
		return
	}
	o := body(r)
	if wrong := s.check(o); wrong != "" {
		s.t.Log("refused: " + wrong)
		refuse(w, 400, "BAD_VALUE")
		return
	}
	s.made++
	id := fmt.Sprintf("8cf27b55-53e8-6aba-9fb4-%012d", s.made)
	o["order_id"], o["status"], o["html_snippet"] = id, "checkout_incomplete",
		`<div id="klarna-checkout-container"></div>`
	s.orders[id] = o
	say(w, 201, o)
}

// check is what Klarna checks of an order.
func (s *Server) check(o map[string]any) string {
	urls, _ := o["merchant_urls"].(map[string]any)
	for _, name := range []string{"terms", "checkout", "confirmation", "push"} {
		if address, _ := urls[name].(string); !strings.HasPrefix(address, "http") {
			return "merchant_urls." + name
		}
	}
	sum, tax := 0.0, 0.0
	lines, _ := o["order_lines"].([]any)
	for _, l := range lines {
		l := l.(map[string]any)
		discount, _ := l["total_discount_amount"].(float64)
		total, rate, taxed := l["total_amount"].(float64), l["tax_rate"].(float64), l["total_tax_amount"].(float64)
		if l["quantity"].(float64)*l["unit_price"].(float64)-discount != total || discount < 0 || l["name"] == "" {
			return fmt.Sprint("order_lines: ", l)
		}
		if counted := total - total*10000/(10000+rate); taxed < counted-1 || taxed > counted+1 {
			return fmt.Sprint("total_tax_amount: ", l)
		}
		sum, tax = sum+total, tax+taxed
	}
	if len(lines) == 0 || sum != o["order_amount"] || tax != o["order_tax_amount"] {
		return fmt.Sprintf("order_amount: %v %v, lines %v %v", o["order_amount"], o["order_tax_amount"], sum, tax)
	}
	if o["locale"] != "sv-SE" || o["purchase_country"] != "SE" {
		return "locale"
	}
	return ""
}

func (s *Server) find(isBought bool, do func(http.ResponseWriter, *http.Request, map[string]any)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.isKnown(w, r) {
			return
		}
		o, ok := s.orders[r.PathValue("id")]
		if !ok || isBought && o["bought"] != true {
			refuse(w, 404, "NO_SUCH_ORDER")
			return
		}
		do(w, r, o)
	}
}

func (s *Server) capture(w http.ResponseWriter, r *http.Request, o map[string]any) {
	b := body(r)
	amount, taken := b["captured_amount"].(float64), o["captured_amount"].(float64)
	if o["status"] != "AUTHORIZED" && o["status"] != "PART_CAPTURED" || taken+amount > o["order_amount"].(float64) {
		refuse(w, 403, "CAPTURE_NOT_ALLOWED")
		return
	}
	o["captured_amount"], o["status"] = taken+amount, "PART_CAPTURED"
	if taken+amount == o["order_amount"] {
		o["status"] = "CAPTURED"
	}
	captures, _ := o["captures"].([]any)
	o["captures"] = append(captures, map[string]any{"capture_id": "c", "reference": b["reference"],
		"captured_amount": amount})
	w.Header().Set("Capture-Id", "c")
	w.WriteHeader(201)
}

func (s *Server) refund(w http.ResponseWriter, r *http.Request, o map[string]any) {
	b := body(r)
	amount, given := b["refunded_amount"].(float64), o["refunded_amount"].(float64)
	if given+amount > o["captured_amount"].(float64) {
		refuse(w, 403, "REFUND_NOT_ALLOWED")
		return
	}
	o["refunded_amount"] = given + amount
	refunds, _ := o["refunds"].([]any)
	id := fmt.Sprintf("refund-%d", len(refunds)+1)
	o["refunds"] = append(refunds, map[string]any{"refund_id": id, "reference": b["reference"],
		"refunded_amount": amount})
	w.Header().Set("Refund-Id", id)
	w.WriteHeader(201)
}

// Buy is the buyer's part.
func (s *Server) Buy(id, status, fraud string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.orders[id]
	o["bought"], o["status"], o["fraud_status"] = true, status, fraud
	o["captured_amount"], o["refunded_amount"] = 0.0, 0.0
}

// Order is an order as it stands.
func (s *Server) Order(id string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.orders[id]
}

// Writes is how often writes were sent, by their idempotency keys.
func (s *Server) Writes() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept
}
