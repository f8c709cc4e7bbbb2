package page

import (
	"net/http/httptest"
	"testing"
)

// A page beyond all numbers is past the end like any other: what would be skipped before it is still a number, which
// PostgreSQL refuses below 0.
func TestAPageBeyondAllNumbersIsPastTheEnd(t *testing.T) {
	for _, page := range []string{"9223372036854775807", "99999999999999999999", "184467440737095517"} {
		p := new(anyList).query(httptest.NewRequest("GET", "/orders?page="+page, nil)).Page
		if skipped := (p.Number - 1) * p.Size; skipped < 1<<40 {
			t.Errorf("page %s skips %d rows", page, skipped)
		}
	}
}
