package app

import (
	"cmp"
	"context"
	"math"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"kontor/internal/foundation/db/sqlite"
)

// What one open company takes: files (its data and its log for the writer and for a reader, the index of the log, and
// one for what does not fit in memory), those of a connection more that reads, and memory: the schema that each
// connection keeps (half a megabyte), the pages it has read or written, and its prepared statements. Measured by
// kontor bench companies.
const (
	filesOfCompany = 6
	filesOfReader  = 2
	bytesOfCompany = 6 << 20
	// bytesOfConnection is what a caller costs before he has said anything: its goroutine and what it reads into.
	bytesOfConnection = 16 << 10
)

// usualMemory is as far as the budget goes where nothing is said of it, leastFiles and leastOpen are what a server does
// not go below.
const (
	usualMemory = 1 << 30
	leastFiles  = 256
	leastOpen   = 8
	// leastConnections is the most connections of the least files.
	leastConnections = leastFiles / 5
)

// room is what may be open or kept at once.
type room struct {
	companies, readers, connections int
	kept, bodies, pictures          int64 // bytes
}

// room is derived from what was asked for, or else from the limit of open files and the memory budget. A quarter of
// the files that this process may open is left to callers and to what else is open, so that they can be let in
// whatever the companies do; a quarter of the memory is for open companies, a quarter for the large bodies of
// requests, a quarter for pictures that are decoded, and an eighth at most for what is kept between
// requests and for connections each.
func (s Serving) room() room {
	all := max(leastFiles, openFilesLimit())
	files := all * 3 / 4
	readers := files / 4 / filesOfReader
	most := (files - readers*filesOfReader) / filesOfCompany
	fits := min(most, int(s.memory()/4/bytesOfCompany))
	return room{companies: max(leastOpen, cmp.Or(min(s.OpenCompanies, most), fits)), readers: readers,
		kept:        min(int64(s.KeepBytes), s.memory()/8),
		bodies:      s.memory() / 4,
		pictures:    s.memory() / 4,
		connections: max(leastConnections, min(all/5, int(s.memory()/8/bytesOfConnection)))}
}

// memory is the budget for whatever may be dropped: --memory, or GOMEMLIMIT, or a quarter of what the machine or its
// container has, up to usualMemory.
func (s Serving) memory() int64 {
	if s.Memory > 0 {
		return int64(s.Memory)
	}
	if saidLimit != math.MaxInt64 {
		return saidLimit
	}
	return min(available()/4, usualMemory)
}

// saidLimit is GOMEMLIMIT as the process was started with.
var saidLimit = debug.SetMemoryLimit(-1)

// available is the memory of the machine, or what its container may use of it, in bytes.
func available() int64 {
	n, err := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)()
	if err != nil || n > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(n)
}

// keepToMemory lets garbage be collected more often as the budget is reached, or the end of what there is, and holds
// the engine of files, which Go does not know of, to the quarter of the budget that is for open companies.
func (s Serving) keepToMemory(ctx context.Context) error {
	limit := cmp.Or(int64(s.Memory), available())
	if s.Memory > 0 || saidLimit == math.MaxInt64 {
		debug.SetMemoryLimit(limit / 4 * 3)
	}
	return sqlite.Bound(ctx, s.memory()/4)
}
