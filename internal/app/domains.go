package app

import (
	"context"

	"kontor/internal/business/channel"
	"kontor/internal/business/founding"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
)

// A host name leads to one company's channel, and companies do not see each other's channels. So a name is reserved in
// the control database before a channel takes it, and applied once the channel has it; a name that is only reserved
// leads nowhere.

// domainsKind is the job that applies the host names of a company's channels.
var domainsKind = jobs.Kind{Name: "domains"}

// reserveDomain is preview.Reserve. Channel.DomainTaken.
func (h *App) reserveDomain(ctx context.Context, company, host, channelCode string) error {
	return h.store.Control(ctx, db.Request{Company: "", Actor: resolver()}, true, func(tx *db.Tx) error {
		ok, err := identity.Reserve(tx, host, company, channelCode)
		return channel.ErrDomainTaken.When(!ok, err,
			"the domain %s belongs to a channel of another company here: choose another", host)
	})
}

// followDomains applies a channel's host name after the change that gave it one, or took it away.
func followDomains(tx *db.Tx, _ channel.DomainChanged) error {
	_, err := jobs.Add(tx, domainsKind, "host names of channels", struct{}{}, jobs.Options{Key: "domains"})
	return err
}

// hostsOf are the host names that a company's channels have, with the channels' codes.
func (h *App) hostsOf(ctx context.Context, company string) (hosts map[string]string, err error) {
	err = h.store.Read(ctx, db.Request{Company: company, Actor: resolver()}, func(tx *db.Tx) error {
		hosts = map[string]string{}
		all, err := channel.All(tx)
		for _, c := range all {
			if c.Domain != "" {
				hosts[c.Domain] = c.Code
			}
		}
		return err
	})
	return hosts, err
}

// applyDomains makes the host names of a company's channels lead to them, where no other company has them.
func (h *App) applyDomains(ctx context.Context, company string) error {
	hosts, err := h.hostsOf(ctx, company)
	if err != nil {
		return err
	}
	return h.store.Control(ctx, db.Request{Actor: resolver()}, true, func(tx *db.Tx) error {
		return identity.ApplyDomains(tx, company, hosts)
	})
}

// mendDomains applies the host names of a company that comes from before they stood in the control database.
func (h *App) mendDomains(ctx context.Context, company string) error {
	hosts, err := h.hostsOf(ctx, company)
	if err != nil {
		return err
	}
	var missing bool
	err = h.Look(ctx, func(tx *db.Tx) error {
		missing = false
		for host := range hosts {
			_, found, err := identity.FindDomain(tx, host)
			if err != nil {
				return err
			}
			missing = missing || !found
		}
		return nil
	})
	if err != nil || !missing {
		return err
	}
	return h.applyDomains(ctx, company)
}

// ownDomains gives the channels of a copy host names of their own: shop.acme.test becomes shop.copy.test, and others,
// which lead to the original, are left out.
func ownDomains(tx *db.Tx, original, copied string) error {
	all, err := channel.All(tx)
	for _, c := range all {
		if err == nil && c.Domain != "" {
			host := ""
			if c.Domain == founding.Domain(original) {
				host = founding.Domain(copied)
			}
			_, err = channel.Change(tx, c.Code, func(c *channel.Channel) error { c.Domain = host; return nil })
		}
	}
	return err
}
