package support

import (
	"bufio"
	"io"
	"net/textproto"
	"strings"

	"kontor/internal/foundation/lazy"
)

// Report is what a mail server reports of a mail of ours: that it was not delivered (RFC 3464), or that its reader
// complained (RFC 5965). Who writes it is nobody known: it is worth something only with the name of the mail, which it
// sends back.
type Report struct {
	IsComplaint bool
	Action      string // failed, delayed, delivered, relayed, expanded
	Status      string // 5.1.1 (RFC 3463)
	Diagnostic  string // what the server said
	To          string // the address that the mail did not reach; "" where nobody says
}

// Reported is fired for a mail that is a report; who knows a mail that it names says IsHeeded.
type Reported struct {
	References []string // Message-IDs, without angle brackets
	Report     Report
	IsHeeded   *bool
}

// IsFailure reports whether a mail was not delivered.
func (r Report) IsFailure() bool { return r.Action == "failed" && !r.IsComplaint }

// IsForGood reports whether an address will take no mail the next time either. What a server says of policy (5.7) or of
// the mail itself (5.6) speaks of us and not of the address.
func (r Report) IsForGood() bool {
	return r.IsFailure() && strings.HasPrefix(r.Status, "5.") && !strings.HasPrefix(r.Status, "5.7.") &&
		!strings.HasPrefix(r.Status, "5.6.")
}

// Why is what a server said, in a line.
func (r Report) Why() string { return cut(oneLine(r.Status+" "+r.Diagnostic), 300) }

// statusCode is an enhanced status code among what a server says, or the plain reply code before it.
var statusCode = lazy.Regexp(`\b([45]\.\d{1,3}\.\d{1,3})\b`)

// Refusal is the report that a server's refusal amounts to, as it is said while a mail is given to it.
func Refusal(said string) Report {
	r := Report{Action: "failed", Diagnostic: said}
	if m := statusCode().FindStringSubmatch(said); m != nil {
		r.Status = m[1]
	}
	return r
}

// maxReport is how much of a report is read.
const maxReport = 64 << 10

// readStatus reads a delivery status: the first address that failed, else the last word on any.
func readStatus(r io.Reader) (out Report) {
	fields := textproto.NewReader(bufio.NewReader(io.LimitReader(r, maxReport)))
	for range 50 {
		h, err := fields.ReadMIMEHeader()
		action, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(h.Get("Action"))), " ")
		if action != "" && out.Action != "failed" {
			out.Action, out.Status = action, statusCode().FindString(h.Get("Status"))
			_, diagnostic, found := strings.Cut(h.Get("Diagnostic-Code"), ";")
			if out.Diagnostic = strings.TrimSpace(diagnostic); !found {
				out.Diagnostic = h.Get("Diagnostic-Code")
			}
			_, to, _ := strings.Cut(h.Get("Final-Recipient"), ";")
			out.To = cut(oneLine(to), 254)
		}
		if err != nil {
			break
		}
	}
	return out
}

// readFeedback reads a feedback report: a complaint, unless it says that the mail is none.
func readFeedback(r io.Reader) Report {
	h, _ := textproto.NewReader(bufio.NewReader(io.LimitReader(r, maxReport))).ReadMIMEHeader()
	switch strings.ToLower(strings.TrimSpace(h.Get("Feedback-Type"))) {
	case "abuse", "fraud", "opt-out", "opt-out-list":
		return Report{IsComplaint: true}
	}
	return Report{}
}
