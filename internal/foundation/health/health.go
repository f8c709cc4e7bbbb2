// Package health is how the parts of a node do that it needs, or was told to use: looked at when somebody asks, or
// probed now and then where they stand outside.
package health

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// How long who asks waits for the looks that begin by that, and how often each of them is made at most, however many
// ask.
const (
	Limit = 1500 * time.Millisecond
	Every = time.Second
)

// Health is what is looked at before this node says that it should be sent requests. Whoever knows of a part adds a
// look at it before the server runs. Looks are made side by side, when somebody asks, each at most once a second and
// none while its last one has not ended: a look that hangs keeps nobody waiting for longer than the limit.
type Health struct {
	log *slog.Logger

	mu    sync.Mutex
	parts []*part
}

// Look says how a part does: nil or an error that says what is wrong and what to do about it (see Amiss), and with
// either a word for whoever reads, which may be empty. It is given Limit.
type Look func(ctx context.Context) (said string, err error)

// New has no parts yet; log is told where one is another thing than before.
func New(log *slog.Logger) *Health { return &Health{log: log} }

// Require adds a part without which this node is not ready.
func (h *Health) Require(name string, look Look) {
	h.add(&part{name: name, look: look, required: true})
}

// Mention adds a part that people want to know of: whatever its look finds, the node is ready.
func (h *Health) Mention(name string, look Look) { h.add(&part{name: name, look: look}) }

func (h *Health) add(p *part) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.parts = append(h.parts, p)
}

// Amiss is an error that is shown: what is wrong, and what to do. The cause is for the log.
func Amiss(cause error, format string, args ...any) error {
	return &amiss{fmt.Sprintf(format, args...), cause}
}

type amiss struct {
	said  string
	cause error
}

func (a *amiss) Error() string {
	if a.cause == nil {
		return a.said
	}
	return a.said + ": " + a.cause.Error()
}

func (a *amiss) Unwrap() error { return a.cause }

// The states of a part.
const (
	OK      = "ok"
	Detail  = "detail"
	Failing = "failing"
)

// Part is what is said of one part: ok, failing, or a detail, which never makes a node unready.
type Part struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Said  string `json:"text,omitempty"`
}

// part is a part with what was found of it last.
type part struct {
	name     string
	look     Look
	required bool

	mu      sync.Mutex
	begun   time.Time     // of the newest look
	running chan struct{} // closed as that one ends; nil when it has
	found   Part
	worried bool // the log was told that it fails
}

// Ask looks at every part and tells what was found, in the order they were added, and whether the node is ready.
func (h *Health) Ask(ctx context.Context) (parts []Part, ready bool) {
	h.mu.Lock()
	all := h.parts
	h.mu.Unlock()
	waits := each.Of(all, func(p *part) <-chan struct{} { return p.begin(h.log) })
	// From here on, so that who has waited this long has waited as long for each of them.
	ctx, stop := context.WithTimeout(ctx, Limit)
	defer stop()
	ready = true
	for i, p := range all {
		if waits[i] != nil {
			select {
			case <-waits[i]:
			case <-ctx.Done():
			}
		}
		found := p.now()
		ready = ready && found.State != Failing
		parts = append(parts, found)
	}
	return parts, ready
}

// begin makes a look unless one is being made or was made just now, and answers what to wait for.
func (p *part) begin(log *slog.Logger) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	age := time.Since(p.begun)
	switch {
	case p.running != nil && age >= Limit:
		return nil // it has been waited for
	case p.running != nil || age < Every:
		return p.running
	}
	ended := make(chan struct{})
	p.begun, p.running = time.Now(), ended
	go func() {
		// Its own time, not that of whoever asked: others wait for the same look.
		ctx, stop := context.WithTimeout(context.Background(), Limit)
		defer stop()
		var said string
		err := fault.Guard(func() (err error) { said, err = p.look(ctx); return err })
		p.mu.Lock()
		defer p.mu.Unlock()
		p.report(log, said, err)
		p.running = nil
		close(ended)
	}()
	return ended
}

// report keeps what a look has found, and tells the log where that is another thing than before.
func (p *part) report(log *slog.Logger, said string, err error) {
	p.found = Part{p.name, OK, said}
	if err == nil {
		if !p.required && said != "" {
			p.found.State = Detail
		}
		if p.worried {
			log.Info("well again", "part", p.name)
		}
		p.worried = false
		return
	}
	if p.found.State = Detail; p.required {
		p.found.State = Failing
	}
	p.found.Said = "fails; the log says why"
	if a, ok := errors.AsType[*amiss](err); ok {
		p.found.Said = a.said
	}
	if !p.worried {
		level := slog.LevelWarn
		if p.required {
			level = slog.LevelError
		}
		log.Log(context.Background(), level, "not well", "part", p.name, "error", err)
	}
	p.worried = true
}

// now is what is known of the part: a look that is late counts against it.
func (p *part) now() Part {
	p.mu.Lock()
	defer p.mu.Unlock()
	if late := time.Since(p.begun); p.running != nil && late >= Limit {
		found := Part{p.name, Detail, fmt.Sprintf("has not answered for %s", late.Round(100*time.Millisecond))}
		if p.required {
			found.State = Failing
		}
		return found
	}
	if p.found.Name == "" { // whoever asked has left before the first look ended
		return Part{p.name, Detail, "is being looked at"}
	}
	return p.found
}
