package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// How long /readyz waits for the looks it begins, and how often each of them is made at most, however many ask.
const (
	lookLimit = 1500 * time.Millisecond
	lookEvery = time.Second
)

// Health is what is looked at before this node says that it should be sent requests. Whoever knows of a part adds a
// look at it before the server runs. Looks are made side by side, when somebody asks, each at most once a second and
// none while its last one has not ended: a look that hangs keeps nobody waiting for longer than the limit.
type Health struct {
	log *slog.Logger

	mu    sync.Mutex
	parts []*part
}

// Look says how a part does: nil or an error that says what is wrong and what to do about it (see Amiss), and with
// either a word for whoever reads, which may be empty. It is given lookLimit.
type Look func(ctx context.Context) (said string, err error)

// Require adds a part without which this node is not ready.
func (h *Health) Require(name string, look Look) {
	h.add(&part{name: name, look: look, required: true})
}

// Mention adds a part that people want to know of: whatever its look finds, the node is ready.
func (h *Health) Mention(name string, look Look) { h.add(&part{name: name, look: look}) }

func (h *Health) add(p *part) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.parts = append(h.parts, p)
}

// Amiss is an error that /readyz shows: what is wrong, and what to do. The cause is for the log.
func Amiss(cause error, format string, args ...any) error {
	return &amiss{fmt.Sprintf(format, args...), cause}
}

type amiss struct {
	said  string
	cause error
}

func (a *amiss) Error() string {
	if a.cause == nil {
		return a.said
	}
	return a.said + ": " + a.cause.Error()
}

func (a *amiss) Unwrap() error { return a.cause }

// The states of a part.
const (
	partOK      = "ok"
	partDetail  = "detail"
	partFailing = "failing"
)

// Part is what /readyz says of one part: ok, failing, or a detail, which never makes a node unready.
type Part struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Said  string `json:"text,omitempty"`
}

// part is a part with what was found of it last.
type part struct {
	name     string
	look     Look
	required bool

	mu      sync.Mutex
	begun   time.Time     // of the newest look
	running chan struct{} // closed as that one ends; nil when it has
	found   Part
	worried bool // the log was told that it fails
}

// Ask looks at every part and tells what was found, in the order they were added, and whether the node is ready.
func (h *Health) Ask(ctx context.Context) (parts []Part, ready bool) {
	h.mu.Lock()
	all := h.parts
	h.mu.Unlock()
	ctx, stop := context.WithTimeout(ctx, lookLimit)
	defer stop()
	waits := each.Of(all, func(p *part) <-chan struct{} { return p.begin(h.log) })
	ready = true
	for i, p := range all {
		if waits[i] != nil {
			select {
			case <-waits[i]:
			case <-ctx.Done():
			}
		}
		found := p.now()
		ready = ready && found.State != partFailing
		parts = append(parts, found)
	}
	return parts, ready
}

// begin makes a look unless one is being made or was made just now, and answers what to wait for.
func (p *part) begin(log *slog.Logger) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	age := time.Since(p.begun)
	switch {
	case p.running != nil && age >= lookLimit:
		return nil // it has been waited for
	case p.running != nil || age < lookEvery:
		return p.running
	}
	ended := make(chan struct{})
	p.begun, p.running = time.Now(), ended
	go func() {
		// Its own time, not that of whoever asked: others wait for the same look.
		ctx, stop := context.WithTimeout(context.Background(), lookLimit)
		defer stop()
		var said string
		err := fault.Guard(func() (err error) { said, err = p.look(ctx); return err })
		p.mu.Lock()
		defer p.mu.Unlock()
		p.report(log, said, err)
		p.running = nil
		close(ended)
	}()
	return ended
}

// report keeps what a look has found, and tells the log where that is another thing than before.
func (p *part) report(log *slog.Logger, said string, err error) {
	p.found = Part{p.name, partOK, said}
	if err == nil {
		if !p.required && said != "" {
			p.found.State = partDetail
		}
		if p.worried {
			log.Info("well again", "part", p.name)
		}
		p.worried = false
		return
	}
	if p.found.State = partDetail; p.required {
		p.found.State = partFailing
	}
	p.found.Said = "fails; the log says why"
	var a *amiss
	if errors.As(err, &a) {
		p.found.Said = a.said
	}
	if !p.worried {
		level := slog.LevelWarn
		if p.required {
			level = slog.LevelError
		}
		log.Log(context.Background(), level, "not well", "part", p.name, "error", err)
	}
	p.worried = true
}

// now is what is known of the part: a look that is late counts against it.
func (p *part) now() Part {
	p.mu.Lock()
	defer p.mu.Unlock()
	if late := time.Since(p.begun); p.running != nil && late >= lookLimit {
		found := Part{p.name, partDetail, fmt.Sprintf("has not answered for %s", late.Round(100*time.Millisecond))}
		if p.required {
			found.State = partFailing
		}
		return found
	}
	if p.found.Name == "" { // whoever asked has left before the first look ended
		return Part{p.name, partDetail, "is being looked at"}
	}
	return p.found
}

// Health is what is looked at for /readyz.
func (h *App) Health() *Health { return &h.health }

// ready says whether this node should be sent requests, and why not: as text, or as JSON for who asks for it.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.draining.Load() {
		sayHealth(w, r, []Part{{"server", partFailing, "it is stopping"}}, false)
		return
	}
	leave, err := s.kontor.Enter()
	if err != nil {
		sayHealth(w, r, []Part{{"data", partFailing, "the data is being restored"}}, false)
		return
	}
	leave()
	parts, ready := s.kontor.health.Ask(r.Context())
	sayHealth(w, r, parts, ready)
}

func sayHealth(w http.ResponseWriter, r *http.Request, parts []Part, ready bool) {
	word, status := "ready", http.StatusOK
	if !ready {
		word, status = "not ready", http.StatusServiceUnavailable
	}
	w.Header().Set("Cache-Control", "no-store")
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(map[string]any{"status": word, "parts": parts})
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, word)
	for _, p := range parts {
		switch {
		case p.State == partOK && p.Said != "":
			fmt.Fprintf(w, "%s: ok (%s)\n", p.Name, p.Said)
		case p.State == partOK:
			fmt.Fprintf(w, "%s: ok\n", p.Name)
		case p.State == partFailing:
			fmt.Fprintf(w, "%s: FAILING: %s\n", p.Name, p.Said)
		default:
			fmt.Fprintf(w, "%s: %s\n", p.Name, p.Said)
		}
	}
}
