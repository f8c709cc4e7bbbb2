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
	try    func(context.Context) error

	mu    sync.Mutex
	tried bool
	last  error
}

// probes are those of what this server was told to use.
func (h *App) probes() (all []*probe) {
	if !h.Embedded() {
		all = append(all, &probe{name: "data of companies", remedy: h.store.Absent(), try: h.tryCompanies})
	}
	if h.DataDir.MediaURL != "" {
		all = append(all, &probe{name: "media store",
			remedy: "check the address in --media-url, and the key's right to write, read and delete there",
			try:    h.tryMedia})
	}
	if sender, err := mail.Open(h.serving.SMTPURL); err == nil && sender != nil {
		all = append(all, &probe{name: "mail server",
			remedy: "check host, port, name and password in --smtp-url; mails wait meanwhile", try: sender.Probe})
	}
	return all
}

// mostTried is how many companies are looked at: what hides the rows of one on a server hides those of all.
const mostTried = 20

// tryCompanies looks whether the companies that the control data knows have rows on the server.
func (h *App) tryCompanies(ctx context.Context) error {
	all, err := h.Companies(ctx)
	if err != nil {
		return err
	}
	for _, c := range all[:min(len(all), mostTried)] {
		err := h.store.Read(ctx, db.Request{Company: c.ID, Actor: Operator()}, func(*db.Tx) error { return nil })
		if errors.Is(err, db.ErrNotHere) {
			return fmt.Errorf("company %s: %w", c.Code, db.ErrNotHere)
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
		err := p.tryWithin(ctx, probeLimit)
		if ctx.Err() != nil {
			return
		}
		wait := probeEvery
		if err != nil {
			wait = probeAgain
		}
		p.report(h, err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
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

// report keeps what a try has found, and tells the log where that is another thing than before.
func (p *probe) report(h *App, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err != nil && p.last == nil:
		h.Log.Warn("the "+p.name+" cannot be used: "+p.remedy, "error", err)
	case err == nil && (p.last != nil || !p.tried):
		h.Log.Info("the " + p.name + " can be used")
	}
	p.tried, p.last = true, err
}

// say says what was found last: nothing where all is well.
func (p *probe) say() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.tried:
		return "is being looked at"
	case p.last != nil:
		return "cannot be used: " + p.remedy
	}
	return ""
}
