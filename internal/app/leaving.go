package app

import (
	"context"
	"net/http"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// withdraw makes this node leave: it says that it is not ready, and where there is time it goes on answering until
// whoever sends it requests has noticed. Then those that only wait for something to happen are answered.
func (s *Server) withdraw(serving bool) {
	s.draining.Store(true)
	s.notify(daemon.SdNotifyStopping)
	if delay := s.serving.ShutdownDelay; delay > 0 && serving {
		s.kontor.Log.Info("not ready any more; stopping soon", "in", delay)
		time.Sleep(delay)
	}
	s.kontor.Log.Info("stopping", "patience", drainTime)
	close(s.kontor.leaving)
}

// notify tells the service manager, if there is one that wants to know.
func (s *Server) notify(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		s.kontor.Log.Warn("the service manager could not be told", "state", state, "error", err)
	}
}

// tellSystem tells systemd that the server serves, and goes on telling it as often as it wants to hear, as long as the
// server answers.
func (s *Server) tellSystem(ctx context.Context) {
	s.notify(daemon.SdNotifyReady)
	patience, err := daemon.SdWatchdogEnabled(false)
	if err != nil || patience == 0 {
		return
	}
	client := http.Client{Timeout: patience / 3}
	every(ctx, patience/3, func() {
		answer, err := client.Get(s.URL() + "/healthz")
		if err != nil {
			s.kontor.Log.Error("the server does not answer itself", "error", err)
			return
		}
		answer.Body.Close()
		s.notify(daemon.SdNotifyWatchdog)
	})
}
