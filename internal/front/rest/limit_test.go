package rest

import (
	"net/http"
	"testing"
)

// Callers of one company share its bucket, whatever their own; another company has another.
func TestCompaniesHaveABucketOfTheirOwn(t *testing.T) {
	together, err := newLimiter(Limit{}, true)
	if err != nil {
		t.Fatal(err)
	}
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
