package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"

	"kontor/internal/foundation/tracing"
	"kontor/internal/front/rest"
)

// Server serves a house.
type Server struct {
	kontor   *App
	serving  Serving
	metrics  *metrics
	draining atomic.Bool
	suspects suspects

	traces     *tracing.Traces // nil where nothing is traced
	main, side net.Listener    // side is nil unless metrics have an address to themselves
	mails      net.Listener    // nil where no mails are taken
}

// Listen takes the addresses, so that a busy one is told before anything else is done.
func Listen(kontor *App, s Serving) (*Server, error) {
	srv := &Server{kontor: kontor, serving: s, metrics: newMetrics(kontor)}
	var err error
	if s.OTLPEndpoint != "" {
		if srv.traces, err = tracing.Open(s.OTLPEndpoint, s.TraceRatio, s.OTLPHeader, Version().Version); err != nil {
			return nil, fmt.Errorf("--otlp-endpoint: %w", err)
		}
	}
	take := Take
	if s.AnyPort {
		take = TakeNear
	}
	if srv.main, err = take(s.Listen, "--listen"); err != nil {
		return nil, err
	}
	kontor.listening(srv.main.Addr())
	if s.MetricsListen != "" && s.MetricsListen != metricsOnMain {
		if srv.side, err = Take(s.MetricsListen, "--metrics-listen"); err != nil {
			srv.main.Close()
			return nil, err
		}
	}
	if s.MailListen != "" {
		if srv.mails, err = Take(s.MailListen, "--mail-listen"); err != nil {
			srv.main.Close()
			return nil, err
		}
	}
	return srv, nil
}

// Take takes an address that a flag names.
func Take(addr, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; choose another address with %s", addr, err, flag)
	}
	return l, nil
}

// TakeNear takes an address or, where its port is taken, any other port of the same host.
func TakeNear(addr, flag string) (net.Listener, error) {
	l, err := Take(addr, flag)
	if host, _, bad := net.SplitHostPort(addr); bad == nil && errors.Is(err, syscall.EADDRINUSE) {
		return Take(net.JoinHostPort(host, "0"), flag)
	}
	return l, err
}

// URL is where the server answers on this machine.
func (s *Server) URL() string { return "http://" + s.main.Addr().String() }

// Run serves until ctx ends, or a part of the server fails, then lets what is running finish within drainTime. What
// runs beside is one group: work that nobody waits for ends first, what belongs to answering when nobody is answered
// any more.
func (s *Server) Run(ctx context.Context) error {
	if err := s.kontor.DataDir.MarkElsewhere(); err != nil {
		s.kontor.Log.Warn("that the data lies in a database could not be noted in the data folder", "error", err)
	}
	group, over := errgroup.WithContext(ctx)
	answering, last := context.WithCancel(context.WithoutCancel(ctx))
	defer last()
	working, enough := context.WithCancel(answering)
	defer enough()
	begin := func(ctx context.Context, all ...func(context.Context)) {
		for _, run := range all {
			group.Go(func() error { run(ctx); return nil })
		}
	}
	servers := s.servers(ctx)
	for l, srv := range servers {
		group.Go(func() error {
			if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		})
	}
	group.Go(func() error { return s.kontor.watchFiles(answering) })
	begin(answering, s.tellSystem, s.flushUse, s.keepPace)
	begin(working, s.kontor.housekeep, s.kontor.store.Hear, s.kontor.keepIndexes, s.kontor.work.Run,
		s.kontor.writeGathered, s.kontor.countNodes, s.keepProbing, s.takeMails, s.kontor.keepBackups)

	<-over.Done()
	if ctx.Err() == nil {
		s.kontor.Log.Error("stopping", "error", context.Cause(over))
	}
	s.withdraw(ctx.Err() != nil)
	enough()
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	err := drain(late, slices.Collect(maps.Values(servers)))
	last()
	if s.traces != nil {
		brief, stop := context.WithTimeout(late, tracesTime)
		defer stop()
		if e := s.traces.Close(brief); e != nil {
			s.kontor.Log.Warn("the last traces were not delivered", "error", e)
		}
	}
	return errors.Join(group.Wait(), err)
}

// servers are those that answer, by where.
func (s *Server) servers(ctx context.Context) map[net.Listener]*http.Server {
	main, callers := s.server(ctx, s.handler()), bounded(s.main, s.kontor.serving.room().connections, s.kontor.proxies)
	main.ConnState = callers.note
	all := map[net.Listener]*http.Server{callers: main}
	if s.side != nil {
		side := http.NewServeMux()
		side.Handle("GET /metrics", s.metricsHandler())
		all[s.side] = s.server(ctx, side)
	}
	return all
}

// drain lets requests finish until late ends.
func drain(late context.Context, servers []*http.Server) error {
	var errs []error
	for _, srv := range servers {
		if err := srv.Shutdown(late); err != nil {
			errs = append(errs, fmt.Errorf("some requests did not finish within %s and were cut off: %w", drainTime, err),
				srv.Close())
		}
	}
	return errors.Join(errs...)
}

// worded gives every answer a word to caches, which the surfaces replace by theirs.
func worded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Cache-Control"] = unlessSaid
		h.ServeHTTP(w, r)
	})
}

// server serves h; its requests know what ctx does, and do not end with it.
func (s *Server) server(ctx context.Context, h http.Handler) *http.Server {
	base := context.WithoutCancel(ctx)
	return &http.Server{
		Handler: lingering(worded(h)), ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime,
		IdleTimeout: idleTime, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return base },
		ErrorLog:    slog.NewLogLogger(s.kontor.Log.Handler(), slog.LevelWarn),
	}
}

// traced is next, whose requests the collector is told of, if there is one.
func (s *Server) traced(next http.Handler) http.Handler {
	if s.traces == nil {
		return next
	}
	return s.traces.Serve(next)
}

// handler is what stands before the surfaces: health, metrics, the log. A path that is none of its own reaches them as
// it was sent: an http.ServeMux would clean it, and answer two slashes with a page that sends elsewhere.
func (s *Server) handler() http.Handler {
	probes := http.NewServeMux()
	probes.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") })
	probes.HandleFunc("GET /readyz", s.ready)
	own := []string{"/healthz", "/readyz"}
	if s.serving.MetricsListen == metricsOnMain {
		probes.Handle("GET /metrics", s.metricsHandler())
		own = append(own, "/metrics")
	}
	surfaces := s.traced(s.observed(s.kontor))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.kontor.secureFor(r) {
			// RFC 6797: who came by https once comes by nothing else for a year. A browser heeds it over https alone.
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		if slices.Contains(own, r.URL.Path) {
			probes.ServeHTTP(w, r)
			return
		}
		surfaces.ServeHTTP(w, r)
	})
}

// metricsOnMain is the word that lets the main address answer /metrics: what it tells is not for everybody who can
// reach a server.
const metricsOnMain = "main"

func (s *Server) metricsHandler() http.Handler {
	return promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{})
}

// unlessSaid is what caches are told of an answer whose surface tells them nothing else: no answer leaves the house
// without a word.
var unlessSaid = []string{"no-store"}

// ServeHTTP answers with the surfaces, unless the data is being exchanged.
func (h *App) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.requests.Add(1)
	leave, err := h.Enter()
	if err != nil {
		rest.WriteProblem(w, err, rest.RequestID(r))
		return
	}
	defer leave()
	if o := originOf(r, h.proxies); o.host != "" {
		r.Host = o.host // which the origin of a form is compared with
	}
	if !h.Embedded() { // beyond it no answer could be sent
		ctx, stop := context.WithTimeout(r.Context(), writeTime)
		defer stop()
		asked := r
		r = r.WithContext(ctx)
		defer func() { asked.Pattern = r.Pattern }()
	}
	h.handler.ServeHTTP(w, r)
}

// flushUse writes the keys' last use every now and then until ctx ends; App.Close does so a last time.
func (s *Server) flushUse(ctx context.Context) {
	every(ctx, flushEvery, func() {
		leave, err := s.kontor.Enter()
		if err != nil {
			return
		}
		defer leave()
		if err := s.kontor.gate.Flush(context.Background()); err != nil {
			s.kontor.Log.Warn("the last use of credentials could not be written; it is tried again", "error", err)
		}
	})
}

// every does something again and again, each time after a while, until ctx ends.
func every(ctx context.Context, while time.Duration, do func()) {
	tick := time.NewTicker(while)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do()
		}
	}
}
