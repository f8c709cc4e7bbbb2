package health

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"
)

func TestHealthWaitsForNobody(t *testing.T) {
	h := New(slog.New(slog.DiscardHandler))
	release := make(chan struct{})
	var looks atomic.Int64
	h.Require("disk", func(context.Context) (string, error) { looks.Add(1); return "", nil })
	h.Mention("bucket", func(context.Context) (string, error) { <-release; return "", nil })
	h.Mention("last backup", func(context.Context) (string, error) { return "", Amiss(errors.New("x"), "none yet") })
	h.Mention("mail server", func(context.Context) (string, error) { panic("no") })
	ask := func() ([]Part, bool) {
		t.Helper()
		start := time.Now()
		parts, ready := h.Ask(t.Context())
		if took := time.Since(start); took > Limit+500*time.Millisecond {
			t.Errorf("an answer took %s", took)
		}
		return parts, ready
	}
	parts, ready := ask()
	want := []Part{{"disk", OK, ""}, {"bucket", Detail, "has not answered for 1.5s"},
		{"last backup", Detail, "none yet"}, {"mail server", Detail, "fails; the log says why"}}
	for i, p := range parts {
		if p != want[i] {
			t.Errorf("%+v, not %+v", p, want[i])
		}
	}
	if !ready {
		t.Error("a part that is only mentioned made the node unready")
	}
	for range 20 {
		ask()
	}
	if n := looks.Load(); n > 3 {
		t.Errorf("%d looks in about a second", n)
	}
	hanging := make(chan struct{})
	h.Require("database", func(context.Context) (string, error) { <-hanging; return "", nil })
	if parts, ready := ask(); ready || parts[len(parts)-1].State != Failing {
		t.Errorf("a required part hangs, and the node is ready: %+v", parts)
	}
	close(release)
	close(hanging)
	time.Sleep(Every)
	if parts, ready := ask(); !ready {
		t.Errorf("all is well again, and the node is not ready: %+v", parts)
	}
}

func TestWhatComesBackIsWellAgain(t *testing.T) {
	p, log := &Probe{Name: "x", Remedy: "ask r"}, slog.New(slog.DiscardHandler)
	if p.report(log, context.DeadlineExceeded); p.Say() != "cannot be used: ask r" {
		t.Errorf("away: %q", p.Say())
	}
	if p.report(log, nil); p.Say() != "" {
		t.Errorf("came back: %q", p.Say())
	}
}
