package app

import (
	"context"
	"runtime/debug"
	gauges "runtime/metrics"
	"time"
)

// A server that is busy collects garbage less often: a tenth of its work is saved for some memory, as long as a part of
// its budget holds what gathers. One that is less busy gives the memory back, and one that hardly anybody asks any more
// what it keeps besides, so that it stays small on a machine it shares.
const (
	paceEvery   = 2 * time.Second
	busyFrom    = 200 // requests between two looks
	calmUpTo    = 10  // requests between two looks
	gcBusy      = 400 // GOGC, at most
	gcResting   = 100
	restsBefore = 15 // such looks before memory is given back
)

// keepPace watches how busy the server is until ctx ends.
func (s *Server) keepPace(ctx context.Context) {
	defer debug.SetGCPercent(debug.SetGCPercent(gcResting))
	last, p := int64(0), pace{percent: gcResting}
	every(ctx, paceEvery, func() {
		now := s.kontor.requests.Load()
		switch p.look(now - last) {
		case collecting:
			p.collect(busyPercent(liveHeap(), s.kontor.serving.memory()))
		case quieter:
			p.collect(gcResting)
			debug.FreeOSMemory()
		case calm:
			s.kontor.store.GiveBack()
			debug.FreeOSMemory()
		}
		last = now
	})
}

// turn is what a look at the server asks for.
type turn int

const (
	nothing    turn = iota
	collecting      // it is busy
	quieter         // it is so no more
	calm            // hardly anybody is there
)

// pace is how busy a server has been of late.
type pace struct {
	wasBusy           bool // since it was calm
	quietFor, calmFor int  // looks in a row
	percent           int  // GOGC
}

// look notes how many requests came since the look before.
func (p *pace) look(requests int64) turn {
	if requests >= busyFrom {
		p.wasBusy, p.quietFor, p.calmFor = true, 0, 0
		return collecting
	}
	p.quietFor++
	if p.calmFor++; requests > calmUpTo {
		p.calmFor = 0
	}
	switch {
	case p.wasBusy && p.calmFor == restsBefore:
		p.wasBusy = false
		return calm
	case p.wasBusy && p.quietFor == restsBefore:
		return quieter
	}
	return nothing
}

func (p *pace) collect(percent int) {
	if percent != p.percent {
		p.percent = percent
		debug.SetGCPercent(percent)
	}
}

// busyPercent is how much garbage may gather before it is collected, in percent of what lives: as much as a
// sixth of the budget has room for besides, within bounds and in steps, so that it seldom changes. More of it is
// not had back once it is collected, since what lives then lies between what does not.
func busyPercent(live, budget int64) int {
	if live <= 0 || budget <= 0 {
		return gcBusy
	}
	const step = 50
	room := (budget/6 - live) * 100 / live / step * step
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
