package health

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"kontor/internal/foundation/pause"
)

// How long a probe may take, and how long until the next: sooner where the last one failed.
const (
	probeLimit = 10 * time.Second
	probeEvery = 10 * time.Minute
	probeAgain = time.Minute
)

// Probe looks at something outside of the house that the server was told to use, as it starts and now and then. What
// does not answer stops nothing: it may come back.
type Probe struct {
	Name   string
	Remedy string
	Known  error  // what has a remedy of its own; nil is nothing
	Mended string // that remedy
	Try    func(context.Context) error
	Usable func(context.Context) // called when it can be used from now on, or again; nil is nothing

	mu    sync.Mutex
	tried bool
	last  error
}

// Keep probes until ctx ends, and lets the log tell what was found where that is another thing than before.
func (p *Probe) Keep(ctx context.Context, log *slog.Logger) {
	for {
		wait := probeEvery
		if err := p.Look(ctx, log); err != nil {
			wait = probeAgain
		}
		if pause.For(ctx, wait) != nil {
			return
		}
	}
}

// Look tries once and tells what was found. What waited for it goes on when it can be used.
func (p *Probe) Look(ctx context.Context, log *slog.Logger) error {
	err := p.tryWithin(ctx, probeLimit)
	if ctx.Err() == nil && p.report(log, err) && p.Usable != nil {
		p.Usable(ctx)
	}
	return err
}

// tryWithin tries once. A mail server that says nothing is waited for longer than it is asked to: who asks, and
// a server that is told to stop, have their answer in time.
func (p *Probe) tryWithin(ctx context.Context, limit time.Duration) error {
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	found := make(chan error, 1)
	go func() { found <- p.Try(limited) }()
	select {
	case err := <-found:
		return err
	case <-limited.Done():
		return fmt.Errorf("no answer within %s", limit)
	}
}

// report keeps what a try has found, and tells the log where that is another thing than before; it reports whether it
// can be used now and could not before, or was not known to.
func (p *Probe) report(log *slog.Logger, err error) (usable bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	usable = err == nil && (p.last != nil || !p.tried)
	switch {
	case err != nil && p.last == nil:
		log.Warn("the "+p.Name+" cannot be used: "+p.remedyOf(err), "error", err)
	case usable:
		log.Info("the " + p.Name + " can be used")
	}
	p.tried, p.last = true, err
	return usable
}

// remedyOf is what mends an error.
func (p *Probe) remedyOf(err error) string {
	if p.Known != nil && errors.Is(err, p.Known) {
		return p.Mended
	}
	return p.Remedy
}

// Say says what was found last: nothing where all is well.
func (p *Probe) Say() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.tried:
		return "is being looked at"
	case p.last != nil:
		return "cannot be used: " + p.remedyOf(p.last)
	}
	return ""
}
