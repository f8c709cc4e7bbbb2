package page

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"kontor/internal/foundation/spool"
)

// A reader gets a file as long as so much of it reaches him within a while, however long it is.
const (
	sentAtOnce  = 256 << 10
	sendingTime = time.Minute
)

// send sends a file that is made in a transaction, once that is over: a reader who takes his time must not keep a
// snapshot of the data open, and what goes wrong is told instead of cutting the file off.
func (x *exchange) send(where Where, media string, make func(c *Ctx, to io.Writer) (name string, err error)) error {
	f, err := spool.New()
	if err != nil {
		return err
	}
	defer f.Close()
	name := ""
	err = x.read(where, func(c *Ctx) (err error) {
		if _, err = f.Seek(0, io.SeekStart); err == nil { // the transaction may be tried again
			err = f.Truncate(0)
		}
		if err == nil {
			name, err = make(c, f)
		}
		return err
	})
	if err != nil {
		return err
	}
	size, err := f.Seek(0, io.SeekCurrent)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	h := x.w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("Content-Length", strconv.FormatInt(size, 10))
	within := http.NewResponseController(x.w)
	for err == nil {
		if err = within.SetWriteDeadline(time.Now().Add(sendingTime)); errors.Is(err, http.ErrNotSupported) {
			err = nil // who serves has no deadline
		}
		if err == nil {
			_, err = io.CopyN(x.w, f, sentAtOnce)
		}
	}
	if !errors.Is(err, io.EOF) {
		panic(http.ErrAbortHandler) // the reader went away
	}
	return nil
}
