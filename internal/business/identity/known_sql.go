package identity

import "kontor/internal/foundation/db"

func companyByID(tx *db.Tx, id string) (c Company, found bool, err error) {
	found, err = tx.One(`-- identity.companyByID
select `+companyColumns+` from company where id = :id`, db.Args{"id": id}, companyRow.Of(&c)...)
	return c, found, err
}

// Domain is a host name with the company and channel it leads to.
type Domain struct{ Host, CompanyID, CompanyName, ChannelKey string }

// FindDomain is who has a host name.
func FindDomain(tx *db.Tx, host string) (d Domain, found bool, err error) {
	found, err = tx.One(`-- identity.FindDomain
select d.host, d.company_id, c.name, d.channel_key from domain d join company c on c.id = d.company_id
where d.host = :host and c.status = 'Active'`, db.Args{"host": host}, &d.Host, &d.CompanyID, &d.CompanyName,
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

// ApplyDomains makes these the host names of a company's channels: host -> channel key. Others that it had are free
// again.
func ApplyDomains(tx *db.Tx, companyID string, hosts map[string]string) error {
	var gone []string
	err := tx.Each(`-- identity.ApplyDomains
select host from domain where company_id = :company_id and applied_at is not null`, db.Args{"company_id": companyID},
		func(r db.Row) error {
			var host string
			if err := r.Scan(&host); err != nil {
				return err
			}
			if _, ok := hosts[host]; !ok {
				gone = append(gone, host)
			}
			return nil
		})
	if err != nil {
		return err
	}
	for _, host := range gone {
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
