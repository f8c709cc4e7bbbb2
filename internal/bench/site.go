package bench

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"kontor/internal/app"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/halt"
)

// site is our server, in this process but behind a real socket, with everything that stands before the surfaces.
type site struct {
	kontor *app.App
	url    string
	stop   context.CancelFunc
	ended  chan error
}

// open opens the data at place and serves it, keeping answers in so many bytes. Requests are neither limited nor
// written to a log: the yardstick does neither.
func open(ctx context.Context, place datadir.Dir, keepBytes int64) *site {
	s := app.Serving{Listen: "127.0.0.1:0", KeepBytes: app.Bytes(keepBytes), LogFormat: "text"}
	kontor := halt.Must(app.OpenServing(ctx, place, s, slog.New(slog.DiscardHandler)))
	srv, err := app.Listen(kontor, s)
	if err != nil {
		halt.On(errors.Join(err, kontor.Close(ctx)))
	}
	run, end := context.WithCancel(context.WithoutCancel(ctx))
	out := &site{kontor: kontor, url: srv.URL(), stop: end, ended: make(chan error, 1)}
	go func() { out.ended <- srv.Run(run) }()
	return out
}

func (s *site) close(ctx context.Context) error {
	s.stop()
	return errors.Join(<-s.ended, s.kontor.Close(context.WithoutCancel(ctx)))
}

// key makes a credential for a company.
func (s *site) key(ctx context.Context, c identity.Company) (secret string) {
	halt.On(s.kontor.Control(ctx, func(tx *db.Tx) (err error) {
		_, secret, err = identity.CreateKey(tx, c, identity.NewKey{Name: "bench", Scopes: []string{"*"}}, app.Scopes())
		return err
	}))
	return secret
}

// bare is the yardstick of every request: the least that net/http can do, answering the same bytes.
type bare struct {
	server *http.Server
	url    string
}

// serveBare serves the bare handler, which does the work, if there is any, before it answers.
func serveBare(status int, body []byte, work func()) *bare {
	l := halt.Must(net.Listen("tcp", "127.0.0.1:0"))
	length := strconv.Itoa(len(body))
	b := &bare{url: "http://" + l.Addr().String(), server: &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if work != nil {
				_, err := io.Copy(io.Discard, r.Body)
				if err = errors.Join(err, halt.Told(work)); err != nil {
					http.Error(w, err.Error(), http.StatusInternalServerError)
					return
				}
			}
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", length)
			if status == http.StatusCreated {
				w.Header().Set("Location", "/preview/orders/0")
			}
			w.WriteHeader(status)
			w.Write(body)
		}),
	}}
	go b.server.Serve(l)
	return b
}

func (b *bare) close() { b.server.Close() }
