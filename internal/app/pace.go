package app

import (
	"runtime/debug"
	gauges "runtime/metrics"
	"time"
)

// A server that is busy collects garbage less often: a tenth of its work is saved for some memory, as long as half of
// its budget holds what gathers. One that rests gives the memory back, so that it stays small on a machine it shares.
const (
	paceEvery   = 2 * time.Second
	busyFrom    = 200 // requests between two looks
	gcBusy      = 400 // GOGC, at most
	gcResting   = 100
	restsBefore = 15 // quiet looks before memory is given back
)

// keepPace watches how busy the server is until stop closes.
func (s *Server) keepPace(stop <-chan struct{}) {
	tick := time.NewTicker(paceEvery)
	defer tick.Stop()
	defer debug.SetGCPercent(debug.SetGCPercent(gcResting))
	var last int64
	busy, quiet, percent := false, 0, gcResting
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		now := s.kontor.requests.Load()
		switch many := now-last >= busyFrom; {
		case many:
			quiet = 0
			busy = true
			if want := busyPercent(liveHeap(), s.kontor.serving.memory()); want != percent {
				percent = want
				debug.SetGCPercent(percent)
			}
		case busy:
			if quiet++; quiet == restsBefore {
				busy, quiet, percent = false, 0, gcResting
				debug.SetGCPercent(percent)
				debug.FreeOSMemory()
			}
		}
		last = now
	}
}

// busyPercent is how much garbage may gather before it is collected, in percent of what lives: as much as half of the
// budget has room for besides, within bounds and in steps, so that it seldom changes.
func busyPercent(live, budget int64) int {
	if live <= 0 || budget <= 0 {
		return gcBusy
	}
	const step = 50
	room := (budget/2 - live) * 100 / live / step * step
	return int(min(max(room, gcResting), gcBusy))
}

// liveHeap is what lived after the last collection, in bytes.
func liveHeap() int64 {
	sample := []gauges.Sample{{Name: "/gc/heap/live:bytes"}}
	gauges.Read(sample)
	if sample[0].Value.Kind() != gauges.KindUint64 {
		return 0
	}
	return int64(sample[0].Value.Uint64())
}
