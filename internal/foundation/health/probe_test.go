package health

import (
	"context"
	"net"
	"testing"
	"time"

	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/tracing"
)

// Whoever is asked and says nothing holds nobody up: neither who reads what was found, nor a server that is to stop.
func TestASilentServerIsProbedInTime(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	traces, err := tracing.Open("http://"+silent.Addr().String(), 1, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	sender, err := mail.Open("smtp://" + silent.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]func(context.Context) error{"mail": sender.Probe, "traces": traces.Probe} {
		p, began := &Probe{Name: name, Try: try}, time.Now()
		if err := p.tryWithin(t.Context(), 50*time.Millisecond); err == nil || time.Since(began) > 5*time.Second {
			t.Errorf("%s: %v after %s", name, err, time.Since(began))
		}
	}
}
