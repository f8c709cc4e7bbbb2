package stripe_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
)

// server answers as Stripe does for what an intent goes through: it keeps intents, refunds and idempotency keys.
// stripe-mock, which the other test asks, checks requests against Stripe's own description and keeps nothing.
type server struct {
	*httptest.Server
	mu      sync.Mutex
	intents map[string]map[string]any
	refunds []map[string]any
	kept    map[string]kept // answers by idempotency key
	poor    bool            // there is no money for refunds
	breaks  bool            // writes are done, and answered with an error of Stripe's own
	made    int
}

func serve(t *testing.T) *server {
	s := &server{intents: map[string]map[string]any{}, kept: map[string]kept{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/payment_intents", s.create)
	mux.HandleFunc("GET /v1/payment_intents/{id}",
		s.with(func(http.ResponseWriter, *http.Request, map[string]any) bool { return true }))
	mux.HandleFunc("POST /v1/payment_intents/{id}",
		s.with(func(_ http.ResponseWriter, r *http.Request, i map[string]any) bool {
			i["description"] = r.PostForm.Get("description")
			return true
		}))
	mux.HandleFunc("POST /v1/payment_intents/{id}/capture", s.with(s.capture))
	mux.HandleFunc("POST /v1/payment_intents/{id}/cancel", s.with(s.cancel))
	mux.HandleFunc("GET /v1/refunds", func(w http.ResponseWriter, _ *http.Request) {
		say(w, 200, map[string]any{"object": "list", "data": s.refunds, "has_more": false, "url": "/v1/refunds"})
	})
	mux.HandleFunc("POST /v1/refunds", s.refund)
	s.Server = httptest.NewServer(s.remembering(mux))
	t.Cleanup(s.Close)
	return s
}

func say(w http.ResponseWriter, status int, v any) {
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, status int, kind, code string) {
	say(w, status, map[string]any{"error": map[string]any{"type": kind, "code": code, "message": "No."}})
}

// kept is what Stripe repeats for a day.
type kept struct {
	status int
	body   []byte
}

// remembering answers a write whose key was seen as it was answered then, a refusal too.
func (s *server) remembering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		_ = r.ParseForm()
		key := r.Header.Get("Idempotency-Key")
		k, seen := s.kept[key]
		if !seen {
			rec := httptest.NewRecorder()
			next.ServeHTTP(rec, r)
			if s.breaks && r.Method == http.MethodPost {
				rec = httptest.NewRecorder()
				refuse(rec, 500, "api_error", "")
			}
			if k = (kept{rec.Code, rec.Body.Bytes()}); key != "" {
				s.kept[key] = k
			}
		}
		w.Header().Set("Idempotent-Replayed", strconv.FormatBool(seen))
		w.WriteHeader(k.status)
		_, _ = w.Write(k.body)
	})
}

func (s *server) create(w http.ResponseWriter, r *http.Request) {
	s.made++
	id := fmt.Sprintf("pi_%d", s.made)
	amount, _ := strconv.ParseInt(r.PostForm.Get("amount"), 10, 64)
	i := map[string]any{"id": id, "object": "payment_intent", "amount": amount, "amount_received": 0,
		"currency": r.PostForm.Get("currency"), "status": "requires_payment_method", "client_secret": id + "_secret_x",
		"capture_method": r.PostForm.Get("capture_method"),
		"metadata": map[string]any{"kontor_payment": r.PostForm.Get("metadata[kontor_payment]"),
			"kontor_company": r.PostForm.Get("metadata[kontor_company]")}}
	s.intents[id] = i
	say(w, 200, i)
}

func (s *server) with(do func(http.ResponseWriter, *http.Request, map[string]any) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		i, ok := s.intents[r.PathValue("id")]
		if !ok {
			refuse(w, 404, "invalid_request_error", "resource_missing")
			return
		}
		if do(w, r, i) {
			say(w, 200, i)
		}
	}
}

func (s *server) capture(w http.ResponseWriter, r *http.Request, i map[string]any) bool {
	if i["status"] != "requires_capture" {
		refuse(w, 400, "invalid_request_error", "payment_intent_unexpected_state")
		return false
	}
	amount, _ := strconv.ParseInt(r.PostForm.Get("amount_to_capture"), 10, 64)
	i["status"], i["amount_received"] = "succeeded", amount
	held := i["amount"].(int64)
	i["latest_charge"] = map[string]any{"id": "ch_1", "object": "charge", "amount": held, "amount_captured": amount,
		"amount_refunded": held - amount}
	if held > amount { // what a capture leaves is let go by a refund that nobody asked for
		s.refunds = append(s.refunds, map[string]any{"id": "re_rest", "object": "refund", "amount": held - amount,
			"status": "succeeded", "metadata": map[string]any{}})
	}
	return true
}

func (s *server) cancel(w http.ResponseWriter, _ *http.Request, i map[string]any) bool {
	if i["status"] == "succeeded" || i["status"] == "canceled" {
		refuse(w, 400, "invalid_request_error", "payment_intent_unexpected_state")
		return false
	}
	i["status"], i["cancellation_reason"] = "canceled", "abandoned"
	return true
}

func (s *server) refund(w http.ResponseWriter, r *http.Request) {
	i := s.intents[r.PostForm.Get("payment_intent")]
	amount, _ := strconv.ParseInt(r.PostForm.Get("amount"), 10, 64)
	c := i["latest_charge"].(map[string]any)
	given := c["amount_refunded"].(int64) + amount
	code := ""
	switch {
	case s.poor:
		code = "balance_insufficient"
	case given > c["amount"].(int64):
		code = "charge_already_refunded"
	}
	if code != "" {
		refuse(w, 400, "invalid_request_error", code)
		return
	}
	c["amount_refunded"] = given
	status := "succeeded"
	if amount == 777 {
		status = "pending"
	}
	refund := map[string]any{"id": fmt.Sprintf("re_%d", len(s.refunds)+1), "object": "refund", "amount": amount,
		"status": status, "metadata": map[string]any{"kontor_refund": r.PostForm.Get("metadata[kontor_refund]")}}
	s.refunds = append(s.refunds, refund)
	say(w, 200, refund)
}

// set changes an intent as the buyer or Stripe does.
func (s *server) set(ref string, values map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, v := range values {
		s.intents[ref][name] = v
	}
}

// forget drops the idempotency keys, as Stripe does after a day.
func (s *server) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.kept)
}
