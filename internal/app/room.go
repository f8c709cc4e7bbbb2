package app

import (
	"cmp"
	"math"
	"runtime/debug"
)

// What one open company takes: files (its data and its log for the writer and for a reader, the index of the log, and
// one for what does not fit in memory), those of a connection more that reads, and memory: the schema that each
// connection keeps (half a megabyte), the pages it has read or written, and its prepared statements. Measured by
// kontor bench companies.
const (
	filesOfCompany = 6
	filesOfReader  = 2
	bytesOfCompany = 3 << 20
)

// usualMemory is the budget where nothing is said of it, and leastFiles and leastOpen are what a server does not go
// below.
const (
	usualMemory = 1 << 30
	leastFiles  = 256
	leastOpen   = 8
)

// room is what may be open at once. A quarter of the files that this process may open is left to callers and to what
// else is open, so that they can be let in whatever the companies do; a quarter of the memory is for open companies.
type room struct{ companies, readers int }

// room is derived from --open-companies, or else from the limit of open files and the memory budget.
func (s Serving) room() room {
	files := max(leastFiles, openFilesLimit()) * 3 / 4
	readers := files / 4 / filesOfReader
	most := (files - readers*filesOfReader) / filesOfCompany
	fits := min(most, int(s.memory()/4/bytesOfCompany))
	return room{companies: max(leastOpen, cmp.Or(min(s.OpenCompanies, most), fits)), readers: readers}
}

// memory is the budget: --memory, or GOMEMLIMIT, or usualMemory.
func (s Serving) memory() int64 {
	if s.Memory > 0 {
		return s.Memory
	}
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		return limit
	}
	return usualMemory
}

// keepToMemory lets garbage be collected more often as the budget is reached. A quarter is left for what the engine of
// files keeps, which Go does not know of.
func (s Serving) keepToMemory() {
	if s.Memory > 0 {
		debug.SetMemoryLimit(s.Memory / 4 * 3)
	}
}
