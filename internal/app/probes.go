package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// How long a probe may take, and how long until the next: sooner where the last one failed.
const (
	probeLimit = 10 * time.Second
	probeEvery = 10 * time.Minute
	probeAgain = time.Minute
)

// probe looks at something outside of the house that the server was told to use, as it starts and now and then. What
// does not answer stops nothing: it may come back.
type probe struct {
	name   string
	remedy string
	known  error  // what has a remedy of its own; nil is nothing
	mended string // that remedy
	try    func(context.Context) error
	usable func(context.Context) // called when it can be used from now on, or again; nil is nothing

	mu    sync.Mutex
	tried bool
	last  error
}

// probes are those of what this server was told to use.
func (h *App) probes() (all []*probe) {
	if !h.Embedded() {
		all = append(all, &probe{name: "data of companies", try: h.tryCompanies,
			remedy: "the log says of which company, and why",
			known:  db.ErrNotHere, mended: h.store.Absent()})
	}
	if h.DataDir.MediaURL != "" {
		all = append(all, &probe{name: "media store",
			remedy: "check the address in --media-url, and the key's right to write, read and delete there",
			try:    h.tryMedia})
	}
	if sender, err := mail.Open(h.serving.SMTPURL); err == nil && sender != nil {
		all = append(all, &probe{name: "mail server",
			remedy: "check host, port, name and password in --smtp-url; mails wait meanwhile", try: sender.Probe,
			usable: func(ctx context.Context) { mail.Recovered(ctx, h.work) }})
	}
	return all
}

// mostTried is how many companies are looked at: what hides the rows of one on a server hides those of all.
const mostTried = 20

// tryCompanies looks whether the companies that the control data knows have rows on the server, which can be read.
func (h *App) tryCompanies(ctx context.Context) error {
	all, err := h.Companies(ctx)
	if err != nil {
		return err
	}
	for _, c := range all[:min(len(all), mostTried)] {
		if err := h.store.Read(ctx, db.Request{Company: c.ID, Actor: Operator()}, isHere); err != nil {
			return fmt.Errorf("company %s: %w", c.Code, err)
		}
	}
	return nil
}

// tryMedia writes a small file where the media lie, reads it and deletes it.
func (h *App) tryMedia(ctx context.Context) error {
	store, err := blob.Open(h.DataDir.MediaURL, "")
	if err != nil {
		return err
	}
	key, wrote := "probe/"+record.NewID(),
		[]byte("Kontor looks whether this place can be used. This file may be deleted.\n")
	if err := store.Put(ctx, key, wrote); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	read, err := blob.ReadAll(ctx, store, key)
	if err != nil {
		err = fmt.Errorf("reading: %w", err)
	} else if !bytes.Equal(read, wrote) {
		err = errors.New("what was written is not what is read")
	}
	if e := store.Delete(ctx, key); e != nil {
		err = errors.Join(err, fmt.Errorf("deleting: %w", e))
	}
	return err
}

// keepProbing probes what the house and its server use until ctx ends.
func (s *Server) keepProbing(ctx context.Context) {
	all := s.kontor.probes()
	if s.traces != nil {
		all = append(all, &probe{name: "trace collector",
			remedy: "check the address in --otlp-endpoint, and what it wants of --otlp-header; traces are lost meanwhile",
			try:    s.traces.Probe})
	}
	s.kontor.keepProbing(ctx, all)
}

// keepProbing probes until ctx ends, and lets /readyz tell what was found.
func (h *App) keepProbing(ctx context.Context, probes []*probe) {
	var all sync.WaitGroup
	for _, p := range probes {
		h.health.Mention(p.name, func(context.Context) (string, error) { return p.say(), nil })
		all.Go(func() { p.keep(ctx, h) })
	}
	all.Wait()
}

func (p *probe) keep(ctx context.Context, h *App) {
	for {
		wait := probeEvery
		if err := p.look(ctx, h); err != nil {
			wait = probeAgain
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// look tries once and tells what was found. What waited for it goes on when it can be used.
func (p *probe) look(ctx context.Context, h *App) error {
	err := p.tryWithin(ctx, probeLimit)
	if ctx.Err() == nil && p.report(h, err) && p.usable != nil {
		p.usable(ctx)
	}
	return err
}

// tryWithin tries once. A mail server that says nothing is waited for longer than it is asked to: who looks at /readyz,
// and a server that is told to stop, have their answer in time.
func (p *probe) tryWithin(ctx context.Context, limit time.Duration) error {
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	found := make(chan error, 1)
	go func() { found <- p.try(limited) }()
	select {
	case err := <-found:
		return err
	case <-limited.Done():
		return fmt.Errorf("no answer within %s", limit)
	}
}

// report keeps what a try has found, and tells the log where that is another thing than before; it reports whether it
// can be used now and could not before, or was not known to.
func (p *probe) report(h *App, err error) (usable bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	usable = err == nil && (p.last != nil || !p.tried)
	switch {
	case err != nil && p.last == nil:
		h.Log.Warn("the "+p.name+" cannot be used: "+p.remedyOf(err), "error", err)
	case usable:
		h.Log.Info("the " + p.name + " can be used")
	}
	p.tried, p.last = true, err
	return usable
}

// remedyOf is what mends an error.
func (p *probe) remedyOf(err error) string {
	if p.known != nil && errors.Is(err, p.known) {
		return p.mended
	}
	return p.remedy
}

// say says what was found last: nothing where all is well.
func (p *probe) say() string {
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
