package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"

	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/health"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// probes are those of what this server was told to use.
func (h *App) probes() (all []*health.Probe) {
	if !h.Embedded() {
		all = append(all, &health.Probe{Name: "data of companies", Try: h.tryCompanies,
			Remedy: "the log says of which company, and why",
			Known:  db.ErrNotHere, Mended: h.store.Absent()})
	}
	if h.DataDir.MediaURL != "" {
		all = append(all, &health.Probe{Name: "media store",
			Remedy: "check the address in --media-url, and the key's right to write, read and delete there",
			Try:    h.tryMedia})
	}
	if sender, err := mail.Open(h.serving.SMTPURL); err == nil && sender != nil {
		all = append(all, &health.Probe{Name: "mail server",
			Remedy: "check host, port, name and password in --smtp-url; mails wait meanwhile", Try: sender.Probe,
			Usable: func(ctx context.Context) { mail.Recovered(ctx, h.work) }})
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
		all = append(all, &health.Probe{Name: "trace collector",
			Remedy: "check the address in --otlp-endpoint, and what it wants of --otlp-header; traces are lost meanwhile",
			Try:    s.traces.Probe})
	}
	s.kontor.keepProbing(ctx, all)
}

// keepProbing probes until ctx ends, and lets /readyz tell what was found.
func (h *App) keepProbing(ctx context.Context, probes []*health.Probe) {
	var all sync.WaitGroup
	for _, p := range probes {
		h.health.Mention(p.Name, func(context.Context) (string, error) { return p.Say(), nil })
		all.Go(func() { p.Keep(ctx, h.Log) })
	}
	all.Wait()
}
