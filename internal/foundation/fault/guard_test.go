package fault_test

import (
	"io"
	"strings"
	"testing"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// Who fails takes nobody along: a number out of range is the caller's matter, anything else ours, with its place.
func TestGuard(t *testing.T) {
	if err := fault.Guard(func() error { dec.Max.Add(dec.One); return nil }); !fault.Is(err, fault.ErrOutOfRange) {
		t.Errorf("a sum out of range is %v", err)
	}
	err := fault.Guard(func() error { panic("lost") })
	if fault.As(err).Kind != fault.Internal || !strings.Contains(err.Error(), "guard_test.go") {
		t.Errorf("a panic is %v", err)
	}
	if err := fault.Guard(func() error { return io.EOF }); err != io.EOF {
		t.Errorf("an error is %v", err)
	}
	defer func() {
		if recover() != io.EOF {
			t.Error("what is no matter of range was swallowed")
		}
	}()
	dec.InRange(func() { panic(io.EOF) })
}
