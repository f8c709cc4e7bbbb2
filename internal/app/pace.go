package app

import (
	"runtime/debug"
	"time"
)

// A server that is busy collects garbage less often: a tenth of its work is saved for some memory. One that rests gives
// the memory back, so that it stays small on a machine it shares.
const (
	paceEvery   = 2 * time.Second
	busyFrom    = 200 // requests between two looks
	gcBusy      = 400 // GOGC
	gcResting   = 100
	restsBefore = 15 // quiet looks before memory is given back
)

// keepPace watches how busy the server is until stop closes.
func (s *Server) keepPace(stop <-chan struct{}) {
	tick := time.NewTicker(paceEvery)
	defer tick.Stop()
	defer debug.SetGCPercent(debug.SetGCPercent(gcResting))
	var last int64
	busy, quiet := false, 0
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		now := s.house.requests.Load()
		switch many := now-last >= busyFrom; {
		case many:
			quiet = 0
			if !busy {
				busy = true
				debug.SetGCPercent(gcBusy)
			}
		case busy:
			if quiet++; quiet == restsBefore {
				busy, quiet = false, 0
				debug.SetGCPercent(gcResting)
				debug.FreeOSMemory()
			}
		}
		last = now
	}
}
