package identity

import "kontor/internal/foundation/db"

func companyByID(tx *db.Tx, id string) (c Company, found bool, err error) {
	found, err = tx.One(`-- identity.companyByID
select `+companyColumns+` from company where id = :id`, db.Args{"id": id}, companyRow.Of(&c)...)
	return c, found, err
}

// Domain is a host name with the company and channel it leads to.
type Domain struct{ Host, CompanyID, CompanyName, ChannelKey string }

// FindDomain is who has a host name, be the company's doors open or not.
func FindDomain(tx *db.Tx, host string) (d Domain, found bool, err error) {
	found, err = tx.One(`-- identity.FindDomain
select d.host, d.company_id, c.name, d.channel_key from domain d join company c on c.id = d.company_id
where d.host = :host`, db.Args{"host": host}, &d.Host, &d.CompanyID, &d.CompanyName,
		&d.ChannelKey)
	return d, found, err
}

func reserve(tx *db.Tx, host, companyID, channelKey string, stale db.Time) (bool, error) {
	n, err := tx.Exec(`-- identity.reserve
insert into domain (host, company_id, channel_key, reserved_at) values (:host, :company_id, :channel, :now)
on conflict (host) do update set company_id = excluded.company_id, channel_key = excluded.channel_key, reserved_at = excluded.reserved_at,
	applied_at = case when domain.company_id = excluded.company_id then domain.applied_at else null end
where domain.company_id = excluded.company_id or domain.applied_at is null and domain.reserved_at < :stale`,
		db.Args{"host": host, "company_id": companyID, "channel": channelKey, "stale": stale})
	return n == 1, err
}

// domainsOf are the host names that lead to a company's channels: host -> channel key.
func domainsOf(tx *db.Tx, companyID string) (map[string]string, error) {
	return db.Pairs[string, string](tx, `-- identity.domainsOf
select host, channel_key from domain where company_id = :company_id and applied_at is not null`,
		db.Args{"company_id": companyID})
}

// ApplyDomains makes these the host names of a company's channels: host -> channel key. Others that it had are free
// again.
func ApplyDomains(tx *db.Tx, companyID string, hosts map[string]string) error {
	before, err := domainsOf(tx, companyID)
	if err != nil {
		return err
	}
	for host := range before {
		if _, ok := hosts[host]; ok {
			continue
		}
		if err := tx.Delete(db.Args{"host": host, "company_id": companyID}, "domain"); err != nil {
			return err
		}
	}
	for host, channelKey := range hosts {
		if _, err := tx.Exec(`-- identity.ApplyDomains take
insert into domain (host, company_id, channel_key, reserved_at, applied_at) values (:host, :company_id, :channel, :now, :now)
on conflict (host) do update set channel_key = excluded.channel_key, applied_at = excluded.applied_at
where domain.company_id = excluded.company_id`,
			db.Args{"host": host, "company_id": companyID, "channel": channelKey}); err != nil {
			return err
		}
	}
	return nil
}
