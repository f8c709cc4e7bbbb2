package app

import (
	"context"

	"kontor/internal/channel"
	"kontor/internal/db"
	"kontor/internal/identity"
	"kontor/internal/jobs"
)

// A host name leads to one company's channel, and companies do not see each other's channels. So a name is reserved in the
// control database before a channel takes it, and applied once the channel has it; a name that is only reserved leads nowhere.

// domainsKind is the job that applies the host names of a company's channels.
var domainsKind = jobs.Kind{Name: "domains"}

// reserveDomain is preview.Reserve. Channel.DomainTaken.
func (h *House) reserveDomain(ctx context.Context, company, host, channelCode string) error {
	return h.store.Control(ctx, db.Request{Company: "", Actor: resolver()}, true, func(tx *db.Tx) error {
		ok, err := identity.Reserve(tx, host, company, channelCode)
		if err == nil && !ok {
			err = channel.ErrDomainTaken.Because("the domain %s belongs to a channel of another company here: choose another", host)
		}
		return err
	})
}

// followDomains applies a channel's host name after the change that gave it one, or took it away.
func followDomains(tx *db.Tx, _ channel.DomainChanged) error {
	_, err := jobs.Add(tx, domainsKind, "host names of channels", struct{}{}, jobs.Options{Key: "domains"})
	return err
}

// applyDomains makes the host names of a company's channels lead to them.
func (h *House) applyDomains(ctx context.Context, company string) error {
	hosts := map[string]string{}
	err := h.store.Read(ctx, db.Request{Company: company, Actor: resolver()}, func(tx *db.Tx) error {
		clear(hosts)
		all, err := channel.All(tx)
		for _, c := range all {
			if c.Domain != "" {
				hosts[c.Domain] = c.Code
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return h.store.Control(ctx, db.Request{Actor: resolver()}, true, func(tx *db.Tx) error {
		return identity.ApplyDomains(tx, company, hosts)
	})
}
