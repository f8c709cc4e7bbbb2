package laws

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// columnAhead finds columns of companies' tables that hold a moment which may lie ahead: something comes due then, or
// ceases to be.
var columnAhead = regexp.MustCompile(
	`(?m)^\s+(?:add column )?(\w*(?:run_at|expires|ends_at|publishes|until|due_|planned_|valid_|held_|again_at|next_at|remind)\w*)\s+\{\{`)

// What happens at a moment that lies ahead.
const (
	byJob   = "a job is done, and the store's index shows it"
	asked   = "who reads it asks the clock; what is of no use any more goes with the sweep"
	eachDay = "who reads it asks the clock; a company that shows calculated prices is swept each day"
	shown   = "people are shown it, and nothing is done"
)

// aheads are these columns, each with what happens then: where something is done a job does it, else a company that
// nobody opens would overlook it.
var aheads = map[string]string{
	"bom_line.valid_from":            asked,
	"bom_line.valid_to":              asked,
	"content_draft.publishes_at":     byJob,
	"content_page.publishes_at":      asked,
	"discount_code.valid_from":       asked,
	"discount_code.valid_to":         asked,
	"gift_card.expires_on":           asked,
	"invoice.due_date":               shown,
	"job.run_at":                     byJob,
	"mailing.next_at":                byJob,
	"payment.expires_at":             byJob,
	"portal_code.expires_at":         asked,
	"portal_registration.expires_at": asked,
	"price_list.valid_from":          eachDay,
	"price_list.valid_to":            eachDay,
	"price_list_line.valid_from":     eachDay,
	"price_list_line.valid_to":       eachDay,
	"quote.valid_until":              byJob,
	"sales_order.planned_on":         shown,
	"sales_order_line.planned_on":    shown,
	"session.expires_at":             asked,
	"shipment.planned_on":            shown,
	"stock_expected.due_date":        shown,
	"stock_hold.ends_at":             asked,
	"supplier_invoice.due_date":      shown,
	"ticket.due_at":                  byJob,
	"supplier_item.valid_from":       asked,
	"supplier_item.valid_to":         asked,
	"tax_rate.valid_from":            asked,
	"work_order.planned_from_at":     shown,
	"work_order.planned_to_at":       shown,
}

// Whatever comes due in a company is in the index of what is due, or somebody has thought of why it need not be: else a
// company that nobody opens would overlook it.
func TestWhatComesDueIsIndexed(t *testing.T) {
	root := "../foundation/db/schema/cell"
	found := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		table := ""
		for line := range strings.Lines(string(text)) {
			if m := regexp.MustCompile(`^(?:create|alter) table (\w+)`).FindStringSubmatch(line); m != nil {
				table = m[1]
			}
			if i := strings.Index(line, " add column "); i > 0 {
				line = "	" + line[i+len(" add column "):]
			}
			if m := columnAhead.FindStringSubmatch(line); m != nil {
				found[table+"."+m[1]] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for column := range found {
		if aheads[column] == "" {
			t.Errorf(
				"%s may lie ahead: say in aheads what happens then, as a job, or why no company has to be opened for it", column)
		}
	}
	for column := range aheads {
		if !found[column] {
			t.Errorf("%s is in aheads and in no step of the schema", column)
		}
	}
	if !found["job.run_at"] {
		t.Error("the pattern does not find the moment of a job")
	}
}
