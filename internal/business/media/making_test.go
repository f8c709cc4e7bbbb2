package media

import (
	"context"
	"image"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kontor/internal/foundation/blob"
)

// What a picture takes to be decoded is what its decoder holds.
func TestWhatAPictureTakes(t *testing.T) {
	webp, err := os.ReadFile("testdata/quarters.webp")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data   []byte
		pixels int
		want   int
	}{
		"progressive":      {scanned(160, 1), 160 * 160, 5 * 160 * 160},
		"exhausting":       {scanned(4992, 100_000), 4992 * 4992, 5 * 4992 * 4992},
		"baseline":         {encoded(t, painted(400, 300), typeJPEG), 400 * 300, 400 * 300 * 6 / 4},
		"of PNG":           {encoded(t, painted(400, 300), typePNG), 400 * 300, 400 * 300 * 4},
		"of WebP":          {webp, 320 * 200, 320 * 200 * 8},
		"a giant of a GIF": {encoded(t, painted(40, 30), typeGIF), 1 << 30, mostMemory},
	} {
		if got := memoryOf(c.data, typeOf(c.data), c.pixels); got != c.want {
			t.Errorf("%s takes %d bytes, want %d", name, got, c.want)
		}
	}
}

// All that are decoded at a time have room together; one that has not waits, and one that never has is alone.
func TestPicturesShareTheirRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const room = 300_000
		l := NewLibrary(nil, "", room)
		small, large := encoded(t, painted(200, 150), typePNG), encoded(t, painted(400, 300), typePNG)
		var held, most, alone atomic.Int64
		var work sync.WaitGroup
		decode := func(data []byte, w, h int) {
			work.Go(func() {
				err := l.decoding(t.Context(), data, typePNG, w*h, func() {
					now := held.Add(int64(4 * w * h))
					defer held.Add(-int64(4 * w * h))
					if w == 400 {
						alone.Add(now)
						return
					}
					time.Sleep(time.Second) // until everybody else waits for room
					most.Store(max(most.Load(), now))
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		for range 6 {
			decode(small, 200, 150)
		}
		decode(large, 400, 300)
		work.Wait()
		if most.Load() > room || alone.Load() != 4*400*300 {
			t.Errorf("%d bytes were held at once, and %d beside the one that is alone", most.Load(), alone.Load())
		}
		if err := l.rooms.Acquire(t.Context(), room); err != nil {
			t.Fatal(err)
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if err := l.decoding(gone, small, typePNG, 200*150, func() { t.Error("decoded for nobody") }); err == nil {
			t.Error("there was room where there is none")
		}
	})
}

// Who asks for a smaller picture and goes away leaves the queue, and the picture with him, unless somebody else waits.
func TestWhoGoesAwayLeavesTheQueue(t *testing.T) {
	l := NewLibrary(blob.Folder(t.TempDir()), "", 1<<26)
	f, err := l.Take(t.Context(), "acme", "a.png", encoded(t, painted(700, 350), typePNG), false)
	if err != nil {
		t.Fatal(err)
	}
	for range cap(l.turns) {
		l.turns <- struct{}{}
	}
	asks := func(ctx context.Context) <-chan error {
		answer := make(chan error, 1)
		go func() {
			got, err := l.Open(ctx, "acme", f, 160)
			if err == nil {
				err = got.Close()
			}
			answer <- err
		}()
		return answer
	}
	waiting := func() *making {
		for {
			l.mu.Lock()
			m := l.making[f.key("acme")]
			l.mu.Unlock()
			if m != nil {
				return m
			}
		}
	}
	gone, leave := context.WithCancel(t.Context())
	first := asks(gone)
	m := waiting()
	leave()
	if err := <-first; err == nil {
		t.Error("who went away was answered")
	}
	<-m.done
	if len(l.making) != 0 {
		t.Error("the picture still waits for its turn, for nobody")
	}
	gone, leave = context.WithCancel(t.Context())
	first, second := asks(gone), asks(t.Context())
	for m = waiting(); ; {
		l.mu.Lock()
		both := m.waiting == 2
		l.mu.Unlock()
		if both {
			break
		}
	}
	leave()
	if err := <-first; err == nil {
		t.Error("who went away was answered")
	}
	<-l.turns
	if err := <-second; err != nil {
		t.Errorf("who waited was not: %v", err)
	}
}

// A picture that is made in all its widths at once looks in each as it would alone.
func TestWidthsMadeTogetherLookAsEachAlone(t *testing.T) {
	waves := image.NewNRGBA(image.Rect(0, 0, 1301, 99))
	for i := 0; i < len(waves.Pix); i += 4 {
		x, y := float64(i/4%1301), float64(i/4/1301)
		for c := range 3 {
			waves.Pix[i+c] = uint8(128 + 60*math.Sin(x/9+float64(c)) + 60*math.Cos(y/7))
		}
		waves.Pix[i+3] = 255
	}
	src := encoded(t, waves, typePNG)
	made, err := thumbnails(src, typePNG, Widths()...)
	if err != nil {
		t.Fatal(err)
	}
	for i, width := range Widths() {
		alone, err := thumbnail(src, typePNG, width)
		if err != nil {
			t.Fatal(err)
		}
		one, other := decoded(t, alone), decoded(t, made[i])
		if one.Bounds() != other.Bounds() {
			t.Fatalf("%d wide: %v alone, %v", width, one.Bounds(), other.Bounds())
		}
		sum, n := 0, one.Bounds().Dx()*one.Bounds().Dy()
		for at := range n {
			p := image.Pt(at%one.Bounds().Dx(), at/one.Bounds().Dx())
			a, _, _, _ := one.At(p.X, p.Y).RGBA()
			b, _, _, _ := other.At(p.X, p.Y).RGBA()
			sum += max(int(a)-int(b), int(b)-int(a)) >> 8
		}
		if sum > 2*n {
			t.Errorf("%d wide: a pixel differs by %d of 255 on average", width, sum/n)
		}
	}
}
