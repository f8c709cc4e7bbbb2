// Package gz makes answers smaller for who takes gzip. An answer that is kept nowhere (no-store) may hold a secret
// beside what somebody else chose, and its length would tell of it (BREACH): callers send such answers as they are.
package gz

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// least is how many bytes an answer has before making it smaller is worth the work.
const least = 1 << 10

// Worth reports whether an answer is large enough, and of a kind that gets smaller: texts do, pictures and papers are
// small already.
func Worth(media string, size int) bool {
	if size < least {
		return false
	}
	media, _, _ = strings.Cut(media, ";")
	switch media {
	case "application/json", "application/problem+json", "application/xml", "application/xhtml+xml", "image/svg+xml":
		return true
	}
	return strings.HasPrefix(media, "text/") && media != "text/event-stream"
}

// Taken reports whether values of the header Accept-Encoding allow gzip. Without the header nothing is made smaller,
// although RFC 9110, section 12.5.3, would allow it: who wants that says so.
func Taken(accepted []string) bool {
	taken, others := -1.0, -1.0
	for _, value := range accepted {
		for part := range strings.SplitSeq(value, ",") {
			coding, parameters, _ := strings.Cut(part, ";")
			switch strings.ToLower(strings.TrimSpace(coding)) {
			case "gzip", "x-gzip":
				taken = weight(parameters)
			case "*":
				others = weight(parameters)
			}
		}
	}
	if taken < 0 {
		taken = others // "*" stands for every coding that is not named
	}
	return taken > 0
}

// weight is q of a coding, 1 without one.
func weight(parameters string) float64 {
	name, value, _ := strings.Cut(strings.TrimSpace(parameters), "=")
	if !strings.EqualFold(strings.TrimSpace(name), "q") {
		return 1
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return 0
	}
	return q
}

// writers compress at the fastest level: of a page of fifty orders the best one saves another tenth, at several times
// the work.
var writers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// Append appends body to dst, made smaller.
func Append(dst, body []byte) []byte {
	w := writers.Get().(*gzip.Writer)
	defer writers.Put(w)
	out := bytes.NewBuffer(dst)
	w.Reset(out)
	// Neither fails on a buffer.
	_, _ = w.Write(body)
	_ = w.Close()
	return out.Bytes()
}

// Through writes to w what write says, made smaller as it comes: for what is too long to be held. What fails is left
// without its end, so that it is not taken for whole.
func Through(w io.Writer, write func(io.Writer) error) error {
	z := writers.Get().(*gzip.Writer)
	defer writers.Put(z)
	z.Reset(w)
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}

// Kept is the smaller form of an answer that is sent more than once, made for the first who takes it.
type Kept struct {
	once  sync.Once
	bytes []byte
}

// Of is body, which is the same each time, made smaller.
func (k *Kept) Of(body []byte) []byte {
	k.once.Do(func() { k.bytes = bytes.Clone(Append(make([]byte, 0, len(body)/4), body)) })
	return k.bytes
}
