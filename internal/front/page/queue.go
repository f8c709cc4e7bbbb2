package page

import (
	"encoding/json"

	"kontor/internal/foundation/fault"
)

// told is what a form that waits in the browser is answered with. An answer that is none of ours (the sign-in page, a
// proxy's) leaves it waiting.
type told struct {
	Said    string   `json:"said,omitempty"`
	Refused []string `json:"refused,omitempty"`
}

// isQueued reports whether the page's program sends a form that waited, instead of the person.
func (x *exchange) isQueued() bool { return x.r.Header.Get("Accept") == "application/json" }

func (x *exchange) tell(status int, t told) error {
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	x.w.Header().Set("Content-Type", "application/json")
	x.w.Header().Set("Cache-Control", "no-store")
	x.w.WriteHeader(status)
	_, err = x.w.Write(b)
	return err
}

// refusals are the sentences of a refusal, those of its fields where it has any.
func (x *exchange) refusals(err error) (out []string) {
	p := x.problemOf(err)
	for _, f := range fault.As(err).Fields {
		out = append(out, sentence(x.t.refusal(f.Said())))
	}
	if len(out) == 0 {
		out = []string{p.Text}
	}
	return out
}
