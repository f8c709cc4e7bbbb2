package app

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// metrics are what /metrics counts of requests. They are labelled by surface, operation, method and class of status:
// few enough series to keep, whatever is asked for.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	limited  *prometheus.CounterVec
	refused  *prometheus.CounterVec
	kept     *prometheus.CounterVec
	inFlight prometheus.Gauge
}

func newMetrics(h *App) *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: counter("kontor_http_requests_total",
			"Requests answered, by surface, operation, method and class of status.", "surface", "operation", "method",
			"status"),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "kontor_http_request_duration_seconds", Help: "Time to answer, by surface and operation.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}},
			[]string{"surface", "operation"}),
		limited: counter("kontor_http_rate_limited_total", "Requests answered 429, by surface.", "surface"),
		refused: counter("kontor_http_credentials_refused_total", "Requests answered 401, by surface.", "surface"),
		kept: counter("kontor_kept_answers_total",
			"Looks for an answer that may be kept in memory, by surface and what they found.", "surface", "result"),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "kontor_http_requests_in_flight", Help: "Requests being answered now."}),
	}
	build := Version()
	info := prometheus.NewGauge(prometheus.GaugeOpts{Name: "kontor_build_info",
		Help: "What this program was made from; always 1.", ConstLabels: prometheus.Labels{"version": build.Version,
			"commit": build.Commit, "committed": build.Committed, "goversion": build.Go,
			"engine": h.DataDir.Engine().Name}})
	info.Set(1)
	m.registry.MustRegister(m.requests, m.seconds, m.limited, m.refused, m.kept, m.inFlight, info, figures{h},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// note counts one request.
func (m *metrics) note(r *http.Request, a *answer, took time.Duration) {
	m.requests.WithLabelValues(a.surface, a.operation, methodOf(r.Method), classes[min(a.status/100, len(classes)-1)]).
		Inc()
	m.seconds.WithLabelValues(a.surface, a.operation).Observe(took.Seconds())
	switch {
	case a.status == http.StatusTooManyRequests:
		m.limited.WithLabelValues(a.surface).Inc()
	case a.status == http.StatusUnauthorized:
		m.refused.WithLabelValues(a.surface).Inc()
	}
	switch {
	case a.looked && a.kept:
		m.kept.WithLabelValues(a.surface, "hit").Inc()
	case a.looked:
		m.kept.WithLabelValues(a.surface, "miss").Inc()
	}
}

var classes = [...]string{"0xx", "1xx", "2xx", "3xx", "4xx", "5xx"}

func methodOf(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE":
		return method
	}
	return "other"
}
