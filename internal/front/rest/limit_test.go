package rest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kontor/internal/foundation/fault"
)

// Callers of one company share its bucket, whatever their own; another company has another.
func TestCompaniesHaveABucketOfTheirOwn(t *testing.T) {
	together := newLimiter(Limit{}, true)
	limit := &Limit{Rate: 0.001, Burst: 2}
	take := func(company string) error {
		return together.take(http.Header{}, Caller{Credential: company, Limit: limit})
	}
	for range 2 {
		if err := take("acme"); err != nil {
			t.Fatal(err)
		}
	}
	if err := take("acme"); err == nil {
		t.Error("a third request of the company was let pass")
	}
	if err := take("other"); err != nil {
		t.Errorf("another company's request: %v", err)
	}
	if err := together.take(http.Header{}, Caller{Credential: "acme"}); err != nil {
		t.Errorf("without a limit: %v", err)
	}
}

// Whoever refuses, a 429 says in its body too when to ask again.
func TestTooManyAttemptsSayWhenToAskAgain(t *testing.T) {
	f := fault.New(fault.TooMany, "Auth.TooManyAttempts").Because("wait")
	f.RetryAfterSeconds = 597
	w := httptest.NewRecorder()
	WriteProblem(w, f, "r")
	if w.Code != 429 || w.Header().Get("Retry-After") != "597" ||
		!strings.Contains(w.Body.String(), `"retryAfterSeconds":597`) {
		t.Errorf("%d, Retry-After %q: %s", w.Code, w.Header().Get("Retry-After"), w.Body)
	}
}
