package bench

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"time"

	"kontor/internal/foundation/halt"
)

// profile writes a CPU profile into a folder until end is called.
func profile(dir, name string) (end func()) {
	halt.On(os.MkdirAll(dir, 0o700))
	f := halt.Must(os.Create(filepath.Join(dir, name+".pprof")))
	if err := pprof.StartCPUProfile(f); err != nil {
		halt.On(errors.Join(err, f.Close()))
	}
	return func() { pprof.StopCPUProfile(); halt.On(f.Close()) }
}

// fsync is the median of what it takes to append 4 KiB to a file and have them on the disk, in milliseconds.
func fsync(dir string) float64 {
	f := halt.Must(os.CreateTemp(dir, "fsync-"))
	defer os.Remove(f.Name())
	defer f.Close()
	block := make([]byte, 4096)
	var took []float64
	for range 100 {
		start := time.Now()
		halt.Must(f.Write(block))
		halt.On(f.Sync())
		took = append(took, time.Since(start).Seconds()*1000)
	}
	return median(took)
}

// loadAverage is what the kernel says of the last minute; "" where it says nothing.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
