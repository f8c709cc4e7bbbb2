package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"kontor/internal/foundation/health"
)

// ready says whether this node should be sent requests, and why not: as text, or as JSON for who asks for it.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.draining.Load() {
		sayHealth(w, r, []health.Part{{Name: "server", State: health.Failing, Said: "it is stopping"}}, false)
		return
	}
	leave, err := s.kontor.Enter()
	if err != nil {
		sayHealth(w, r, []health.Part{{Name: "data", State: health.Failing,
			Said: "the data is being restored"}}, false)
		return
	}
	leave()
	parts, ready := s.kontor.health.Ask(r.Context())
	sayHealth(w, r, parts, ready)
}

func sayHealth(w http.ResponseWriter, r *http.Request, parts []health.Part, ready bool) {
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
		case p.State == health.OK && p.Said != "":
			fmt.Fprintf(w, "%s: ok (%s)\n", p.Name, p.Said)
		case p.State == health.OK:
			fmt.Fprintf(w, "%s: ok\n", p.Name)
		case p.State == health.Failing:
			fmt.Fprintf(w, "%s: FAILING: %s\n", p.Name, p.Said)
		default:
			fmt.Fprintf(w, "%s: %s\n", p.Name, p.Said)
		}
	}
}
