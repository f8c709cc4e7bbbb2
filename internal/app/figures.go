package app

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"kontor/internal/foundation/db"
)

// figures shows in /metrics what the house knows of its data and its work.
type figures struct{ kontor *App }

// series is one figure's name, with its labels.
func series(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// described are the figures, by the names they have here.
func described() map[string]*prometheus.Desc {
	return map[string]*prometheus.Desc{
		"jobs": series("kontor_jobs", "Jobs that wait, run or have failed, as far as this node has seen.",
			"status"),
		"attempts": series("kontor_job_attempts_total",
			"Attempts at jobs that this node made, by kind and outcome.", "kind", "outcome"),
		"overlooked": series("kontor_due_overlooked_total",
			"Companies that had work to do which the index of what is due did not show; a fault, mended by the sweep."),
		"oldest": series("kontor_job_oldest_waiting_seconds",
			"How long the oldest job of a kind has waited, as far as this node has seen.", "kind"),
		"size": series("kontor_database_connections", "Connections that there may be, by what they are for.",
			"use"),
		"inUse": series("kontor_database_connections_in_use", "Connections that are lent now.", "use"),
		"waiting": series("kontor_database_connections_waited_for",
			"Pieces of work that wait for a connection now.", "use"),
		"setbacks": series("kontor_database_setbacks_total",
			"What the database could not do at once: conflicts, locks not given in time, failures of the storage, lost connections.",
			"kind"),
		"retries": series("kontor_database_retries_total",
			"Transactions that were run again, by the setback they met.", "kind"),
		"cache": series("kontor_cache_bytes", "About how much lies in the cache, of --keep-bytes."),
		"wal":   series("kontor_database_wal_bytes", "Size of the write-ahead logs of the open data files."),
		"files": series("kontor_database_open_files", "Data files that are open."),
		"events": series("kontor_records_total", "Records by what became of them on this node.", "resource",
			"change"),
		"payments": series("kontor_payments_total", "Payments by what became of them on this node.", "status"),
		"short": series("kontor_order_lines_short_total",
			"Order lines that asked for more than was free, each time they asked."),
		"indexes": series("kontor_search_indexes", "Search indexes of stores that are open, by their state.",
			"state"),
		"lag": series("kontor_search_index_lag_seconds",
			"How long the search index that is most behind has been so."),
		"backupSuccess": series("kontor_backup_last_success_timestamp_seconds",
			"When the last backup to a place succeeded; 0 = none did.", "place"),
		"backupFailure": series("kontor_backup_last_failure_timestamp_seconds",
			"When the last backup to a place failed; 0 = none did.", "place"),
		"backupEvery": series("kontor_backup_interval_seconds",
			"Time between two backups to a place, as it was asked for; 0 = nobody promised.", "place"),
		"backupTook": series("kontor_backup_last_duration_seconds",
			"How long the last backup to a place took that succeeded.", "place"),
		"backupSize": series("kontor_backup_last_size_bytes",
			"What that backup takes, with what it shares with others.", "place"),
		"backupNew": series("kontor_backup_last_written_bytes", "What was written for that backup.", "place"),
		"signIns": series("kontor_office_sign_in_failures_total",
			"Wrong passwords and codes at the back office."),
	}
}

// Describe names the figures.
func (f figures) Describe(to chan<- *prometheus.Desc) {
	for _, d := range described() {
		to <- d
	}
}

// Collect takes them; while the data is exchanged there are none but those of the jobs.
func (f figures) Collect(to chan<- prometheus.Metric) {
	named := described()
	give := func(name string, kind prometheus.ValueType, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(named[name], kind, v, labels...)
	}
	f.ofJobs(give)
	leave, err := f.kontor.Enter()
	if err != nil {
		return
	}
	defer leave()
	f.ofData(give)
	f.ofBackups(give)
	states, behind := f.kontor.indexes.Figures()
	for state, n := range states {
		give("indexes", prometheus.GaugeValue, float64(n), state)
	}
	give("lag", prometheus.GaugeValue, behind.Seconds())
	give("signIns", prometheus.CounterValue, float64(f.kontor.entrance.Failures()))
}

type giver func(name string, kind prometheus.ValueType, v float64, labels ...string)

func (f figures) ofJobs(give giver) {
	jobs := f.kontor.work.Figures()
	give("jobs", prometheus.GaugeValue, float64(jobs.Waiting), "waiting")
	give("jobs", prometheus.GaugeValue, float64(jobs.Running), "running")
	give("jobs", prometheus.GaugeValue, float64(jobs.Failed), "failed")
	give("overlooked", prometheus.CounterValue, float64(f.kontor.overlooked.Load()))
	for e, n := range jobs.Endings {
		give("attempts", prometheus.CounterValue, float64(n), e.Kind, e.Outcome)
	}
	for kind, since := range jobs.Oldest {
		give("oldest", prometheus.GaugeValue, max(0, f.kontor.now().Sub(since.Time()).Seconds()), kind)
	}
}

func (f figures) ofBackups(give giver) {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
	defer stop()
	all, err := f.kontor.Backups(ctx)
	if err != nil {
		return // what cannot be read is not there
	}
	seconds := func(at db.Time) float64 { return float64(at) / 1e6 }
	for _, p := range all {
		give("backupSuccess", prometheus.GaugeValue, seconds(p.SucceededAt), p.Place)
		give("backupFailure", prometheus.GaugeValue, seconds(p.FailedAt), p.Place)
		give("backupEvery", prometheus.GaugeValue, p.Every.Seconds(), p.Place)
		give("backupTook", prometheus.GaugeValue, p.Took.Seconds(), p.Place)
		give("backupSize", prometheus.GaugeValue, float64(p.Bytes), p.Place)
		give("backupNew", prometheus.GaugeValue, float64(p.NewBytes), p.Place)
	}
}

func (f figures) ofData(give giver) {
	data := f.kontor.store.Figures()
	for use, p := range data.Pools {
		give("size", prometheus.GaugeValue, float64(p.Size), use)
		give("inUse", prometheus.GaugeValue, float64(p.InUse), use)
		give("waiting", prometheus.GaugeValue, float64(p.Waiting), use)
	}
	for kind, n := range data.Setbacks {
		give("setbacks", prometheus.CounterValue, float64(n), kind)
	}
	for kind, n := range data.Retries {
		give("retries", prometheus.CounterValue, float64(n), kind)
	}
	give("cache", prometheus.GaugeValue, float64(data.CachedBytes))
	if f.kontor.Embedded() {
		give("wal", prometheus.GaugeValue, float64(data.LogBytes))
		give("files", prometheus.GaugeValue, float64(data.Files))
	}
	for name, n := range data.Counts {
		what, became, _ := strings.Cut(name, " ")
		switch what {
		case "payments":
			give("payments", prometheus.CounterValue, float64(n), became)
		case "lines":
			give("short", prometheus.CounterValue, float64(n))
		default:
			give("events", prometheus.CounterValue, float64(n), what, became)
		}
	}
}
