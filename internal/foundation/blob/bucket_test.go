package blob

import (
	"context"
	"net"
	"net/url"
	"testing"
	"time"
)

// A bucket that takes connections and says nothing is given up, each time it is tried.
func TestASilentBucketIsGivenUp(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	go func() {
		for {
			if _, err := silent.Accept(); err != nil { // and kept until the test has ended
				return
			}
		}
	}()
	u, err := url.Parse("s3://key:secret@files?region=x&endpoint=http://" + silent.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s, err := openBucket(u, 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := s.Put(ctx, "a", []byte("b")); err == nil || ctx.Err() != nil {
		t.Errorf("a file was put with %v, %v", err, ctx.Err())
	}
	if _, err := s.Open(ctx, "a"); err == nil || ctx.Err() != nil {
		t.Errorf("a file was opened with %v, %v", err, ctx.Err())
	}
}
