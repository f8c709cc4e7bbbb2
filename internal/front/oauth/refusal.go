package oauth

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"

	"kontor/internal/foundation/fault"
)

// refusal is an error of the protocol, with the names RFC 6749, section 5.2, and its sisters give it.
type refusal struct {
	Code        string `json:"error"`
	Description string `json:"error_description,omitempty"`

	status    int
	challenge string
	retry     int
}

func (e refusal) Error() string { return e.Code + ": " + e.Description }

func refuse(code, format string, args ...any) refusal {
	return refusal{Code: code, Description: fmt.Sprintf(format, args...), status: http.StatusBadRequest}
}

// answering serves one of the endpoints that programs call: an answer in JSON, or a refusal.
func (s *Server) answering(do func(w http.ResponseWriter, r *http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, err := do(w, r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		status := http.StatusOK
		if _, made := out.(registered); made {
			status = http.StatusCreated
		}
		writeJSON(w, status, out)
	})
}

func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	var e refusal
	if !errors.As(err, &e) {
		e = s.ours(r, err)
	}
	h := w.Header()
	if e.challenge != "" {
		h.Set("WWW-Authenticate", e.challenge)
	}
	if e.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(e.retry))
	}
	writeJSON(w, e.status, e)
}

// ours is a fault of ours as the protocol knows it; its cause goes to the log.
func (s *Server) ours(r *http.Request, err error) refusal {
	f := fault.As(err)
	if f.Kind == fault.TooMany {
		return refusal{Code: "temporarily_unavailable", Description: f.Detail, status: http.StatusTooManyRequests,
			retry: f.RetryAfterSeconds}
	}
	s.Log.Error("request failed", "method", r.Method, "path", r.Pattern, "error", err)
	if f.Kind == fault.Unavailable {
		return refusal{Code: "temporarily_unavailable", Description: f.Detail, status: http.StatusServiceUnavailable,
			retry: max(1, f.RetryAfterSeconds)}
	}
	return refusal{Code: "server_error", Description: "something failed on our side; try again",
		status: http.StatusInternalServerError}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		status, body = http.StatusInternalServerError, []byte(`{"error":"server_error"}`)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write(body)
}

// keepNowhere stands on every answer but the two descriptions. RFC 6749, section 5.1: "The authorization server MUST
// include the HTTP "Cache-Control" response header field [RFC2616] with a value of "no-store" in any response
// containing tokens, credentials, or other sensitive information, as well as the "Pragma" response header field
// [RFC2616] with a value of "no-cache"."
func keepNowhere(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Pragma", "no-cache")
}
