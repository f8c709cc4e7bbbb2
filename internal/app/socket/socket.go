// Package socket lets a command of another process be done by the server that has the data open, over a Unix
// socket in the data folder. The client sends its command line once; what the command prints and its exit code come
// back in frames. Standard input is sent only when the command asks for it. A client that goes away ends its command.
package socket

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// Call is a command line as another process was given it.
type Call struct {
	Args     []string          `json:"args"`
	Dir      string            `json:"dir"`      // its working folder
	Env      map[string]string `json:"env"`      // its KONTOR_ variables
	Terminal bool              `json:"terminal"` // its standard error is one

	Stdin          io.Reader `json:"-"`
	Stdout, Stderr io.Writer `json:"-"`
}

// Run does a call and answers its exit code.
type Run func(ctx context.Context, c Call) int

// The frames: a kind, a length of four bytes, the payload.
const (
	frameCall   = 'c' // client: the call, as JSON
	frameInput  = 'i' // client: standard input; an empty one is its end
	frameWanted = 'w' // server: send standard input
	frameOut    = 'o' // server: standard output
	frameErr    = 'e' // server: standard error
	frameExit   = 'x' // server: one byte, the exit code
)

const (
	maxFrame = 1 << 20
	chunk    = 64 << 10
	greeting = 5 * time.Second
)

// Listener takes calls at the socket of a data folder.
type Listener struct {
	net.Listener
	path string
	wg   sync.WaitGroup
}

// Listen opens the socket of folder dir. The caller has the folder's lock, so a socket that is there
// already was left by a process that died, and is replaced.
func Listen(dir string) (*Listener, error) {
	path, done, err := address(dir)
	if err != nil {
		return nil, err
	}
	defer done()
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("the socket for other commands cannot be opened: %w", err)
	}
	l.SetUnlinkOnClose(false) // the path may be good only now; Close removes it by another way
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return &Listener{Listener: l, path: dir}, nil
}

// Serve does calls, several at a time, until the listener is closed.
func (l *Listener) Serve(ctx context.Context, run Run) error {
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		l.wg.Go(func() {
			defer c.Close()
			serve(ctx, c, run)
		})
	}
}

// Close stops taking calls, removes the socket and waits for the calls under way.
func (l *Listener) Close() error {
	path, done, err := address(l.path)
	if err == nil {
		err = os.Remove(path)
		done()
	}
	err = errors.Join(err, l.Listener.Close())
	l.wg.Wait()
	return err
}

func serve(ctx context.Context, c net.Conn, run Run) {
	_ = c.SetReadDeadline(time.Now().Add(greeting))
	kind, b, err := readFrame(c)
	var call Call
	if err != nil || kind != frameCall || json.Unmarshal(b, &call) != nil {
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &frames{w: c}
	in, feed := io.Pipe()
	defer in.Close()
	go func() {
		defer cancel() // the client went away, or wants no more
		for {
			kind, b, err := readFrame(c)
			switch {
			case err != nil:
				feed.CloseWithError(io.ErrUnexpectedEOF)
				return
			case kind != frameInput:
			case len(b) == 0:
				feed.Close()
			default:
				_, _ = feed.Write(b)
			}
		}
	}()
	call.Stdin = &wanted{r: in, w: w}
	call.Stdout, call.Stderr = w.to(frameOut), w.to(frameErr)
	code := run(ctx, call)
	_ = w.send(frameExit, []byte{byte(code)})
}

// wanted asks for standard input when it is first read.
type wanted struct {
	once sync.Once
	r    io.Reader
	w    *frames
}

func (i *wanted) Read(b []byte) (int, error) {
	i.once.Do(func() { _ = i.w.send(frameWanted, nil) })
	return i.r.Read(b)
}

// Do hands a call to the server of folder dir and answers its exit code. answered is false when no server
// listens there: nothing was done then. A call that ctx ends is waited for: it says what was done until then.
func Do(ctx context.Context, dir string, call Call) (code int, answered bool, err error) {
	path, done, err := address(dir)
	if err != nil {
		return 0, false, nil // no folder, no server
	}
	defer done()
	c, err := net.DialTimeout("unix", path, greeting)
	if err != nil {
		return 0, false, nil
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.(*net.UnixConn).CloseWrite() })()
	b, err := json.Marshal(call)
	if err != nil {
		return 0, true, err
	}
	w := &frames{w: c}
	if err := w.send(frameCall, b); err != nil {
		return 0, true, err
	}
	code, err = follow(c, w, call)
	if err != nil {
		err = fmt.Errorf("the server went away before it answered; whether the work was done must be looked up: %w",
			err)
	}
	return code, true, err
}

// follow prints what comes back until the exit code does.
func follow(c net.Conn, w *frames, call Call) (int, error) {
	for {
		kind, b, err := readFrame(c)
		if err != nil {
			return 0, err
		}
		switch kind {
		case frameOut:
			_, err = call.Stdout.Write(b)
		case frameErr:
			_, err = call.Stderr.Write(b)
		case frameWanted:
			go pump(call.Stdin, w)
		case frameExit:
			if len(b) != 1 {
				return 0, io.ErrUnexpectedEOF
			}
			return int(b[0]), nil
		}
		if err != nil {
			return 0, err
		}
	}
}

func pump(r io.Reader, w *frames) {
	b := make([]byte, chunk)
	for {
		n, err := r.Read(b)
		if n > 0 && w.send(frameInput, b[:n]) != nil {
			return
		}
		if err != nil {
			_ = w.send(frameInput, nil)
			return
		}
	}
}

// frames writes whole frames, from several goroutines.
type frames struct {
	mu sync.Mutex
	w  io.Writer
}

func (f *frames) send(kind byte, b []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	head := make([]byte, 5, 5+len(b))
	head[0] = kind
	binary.BigEndian.PutUint32(head[1:], uint32(len(b)))
	_, err := f.w.Write(append(head, b...))
	return err
}

func (f *frames) to(kind byte) io.Writer { return stream{f, kind} }

type stream struct {
	f    *frames
	kind byte
}

// Write sends b in frames of at most chunk bytes.
func (s stream) Write(b []byte) (int, error) {
	sent := 0
	for sent < len(b) {
		n := min(chunk, len(b)-sent)
		if err := s.f.send(s.kind, b[sent:sent+n]); err != nil {
			return sent, err
		}
		sent += n
	}
	return sent, nil
}

func readFrame(r io.Reader) (kind byte, b []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > maxFrame {
		return 0, nil, fmt.Errorf("socket: a frame of %d bytes", n)
	}
	b = make([]byte, n)
	_, err = io.ReadFull(r, b)
	return head[0], b, err
}

// Answers reports whether a server listens at the socket of folder dir.
func Answers(dir string) bool {
	path, done, err := address(dir)
	if err != nil {
		return false
	}
	defer done()
	c, err := net.DialTimeout("unix", path, greeting)
	if err != nil {
		return false
	}
	return c.Close() == nil
}
