package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// decoded reads a thumbnail.
func decoded(t testing.TB, data []byte) image.Image {
	t.Helper()
	p, err := codecs[typeOf(data)].decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// thumbnail is the picture in one width.
func thumbnail(data []byte, contentType string, width int) ([]byte, error) {
	made, err := thumbnails(data, contentType, width)
	if err == nil && made[0] == nil {
		err = errors.New("the picture is no wider")
	}
	return made[0], err
}

// near reports whether two colours look the same.
func near(a, b color.Color) bool {
	const most = 0x0a00
	ar, ag, ab, aa := a.RGBA()
	br, bg, bb, ba := b.RGBA()
	for _, d := range []int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb), int(aa) - int(ba)} {
		if d < -most || d > most {
			return false
		}
	}
	return true
}

var (
	red  = color.NRGBA{R: 255, A: 255}
	blue = color.NRGBA{B: 255, A: 255}
)

func TestThumbnails(t *testing.T) {
	for _, contentType := range []string{typePNG, typeJPEG, typeGIF} {
		small, err := thumbnail(encoded(t, painted(400, 300), contentType), contentType, 160)
		if err != nil || typeOf(small) != typeJPEG {
			t.Fatalf("%s: %s %v", contentType, typeOf(small), err)
		}
		p := decoded(t, small)
		if p.Bounds().Size() != image.Pt(160, 120) || !near(p.At(20, 60), red) || !near(p.At(140, 60), blue) {
			t.Errorf("%s: %v, %v left, %v right", contentType, p.Bounds(), p.At(20, 60), p.At(140, 60))
		}
	}
	glass := painted(400, 300)
	glass.SetNRGBA(0, 0, color.NRGBA{})
	small, err := thumbnail(encoded(t, glass, typePNG), typePNG, 320)
	if err != nil || typeOf(small) != typePNG {
		t.Errorf("with something transparent: %s %v", typeOf(small), err)
	}
	for _, bad := range [][]byte{nil, encoded(t, painted(160, 4), typePNG),
		encoded(t, painted(400, 300), typePNG)[:300]} {
		if _, err := thumbnail(bad, typePNG, 160); err == nil {
			t.Errorf("%d bytes became a thumbnail", len(bad))
		}
	}
}

// A picture taken with a turned camera is shown upright: what is left in the file is at the top after 6, and so on.
func TestThumbnailsStandUpright(t *testing.T) {
	photo := encoded(t, painted(400, 200), typeJPEG)
	for held, where := range map[byte]struct{ red, blue, size image.Point }{
		1: {image.Pt(10, 40), image.Pt(150, 40), image.Pt(160, 80)},
		2: {image.Pt(150, 40), image.Pt(10, 40), image.Pt(160, 80)},
		3: {image.Pt(150, 40), image.Pt(10, 40), image.Pt(160, 80)},
		4: {image.Pt(10, 40), image.Pt(150, 40), image.Pt(160, 80)},
		5: {image.Pt(80, 10), image.Pt(80, 300), image.Pt(160, 320)},
		6: {image.Pt(80, 10), image.Pt(80, 300), image.Pt(160, 320)},
		7: {image.Pt(80, 300), image.Pt(80, 10), image.Pt(160, 320)},
		8: {image.Pt(80, 300), image.Pt(80, 10), image.Pt(160, 320)},
	} {
		small, err := thumbnail(heldAs(photo, "MM", held), typeJPEG, 160)
		if err != nil {
			t.Fatal(err)
		}
		if p := decoded(t, small); p.Bounds().Size() != where.size || !near(p.At(where.red.X, where.red.Y), red) ||
			!near(p.At(where.blue.X, where.blue.Y), blue) {
			t.Errorf("held as %d: %v, %v where red should be", held, p.Bounds(), p.At(where.red.X, where.red.Y))
		}
	}
}

// A colour stays itself whatever the sizes, and the average of the whole stays what it was.
func TestShrinkKeepsTheAverage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 60).Draw(t, "w"), rapid.IntRange(1, 60).Draw(t, "h")
		dw, dh := rapid.IntRange(1, w).Draw(t, "dw"), rapid.IntRange(1, h).Draw(t, "dh")
		colours := rapid.SliceOfN(rapid.Uint8(), w*h, w*h).Draw(t, "colours")
		src := image.NewGray(image.Rect(7, 9, 7+w, 9+h))
		copy(src.Pix, colours)
		before := 0.0
		for _, c := range colours {
			before += float64(c) / float64(len(colours))
		}
		dst, after := shrink(src, dw, dh), 0.0
		for i := 0; i < len(dst.Pix); i += 4 {
			after += float64(dst.Pix[i]) / float64(dw*dh)
			if dst.Pix[i] != dst.Pix[i+2] || dst.Pix[i+3] != 255 {
				t.Fatalf("grey became %v", dst.Pix[i:i+4])
			}
		}
		if d := before - after; d > 0.51 || d < -0.51 {
			t.Fatalf("%d x %d to %d x %d: average %f became %f", w, h, dw, dh, before, after)
		}
		glass := image.NewNRGBA(src.Bounds())
		draw.Draw(glass, glass.Rect, image.NewUniform(color.NRGBA{R: 200, G: 17, B: 99, A: 80}), image.Point{},
			draw.Src)
		plain := shrink(glass, dw, dh)
		for i := 0; i < len(plain.Pix); i += 4 {
			if got := fmt.Sprint(plain.Pix[i : i+4]); got != fmt.Sprint(plain.Pix[:4]) {
				t.Fatalf("one colour became %s", got)
			}
		}
	})
}

func BenchmarkThumbnail(b *testing.B) {
	photo := encoded(b, painted(6000, 4000), typeJPEG)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := thumbnail(photo, typeJPEG, 640); err != nil {
			b.Fatal(err)
		}
	}
}

// scanned is a progressive JPEG of one colour, written in one scan of its first coefficients and many of the others,
// each of which takes a few bytes and goes through all pixels.
func scanned(side uint16, scans int) []byte {
	var b bytes.Buffer
	segment := func(marker byte, parts ...[]byte) {
		body := bytes.Join(parts, nil)
		b.Write([]byte{0xff, marker, byte((len(body) + 2) >> 8), byte(len(body) + 2)})
		b.Write(body)
	}
	size := []byte{byte(side >> 8), byte(side)}
	oneCode := append([]byte{1}, make([]byte, 15)...)
	b.Write([]byte{0xff, 0xd8})
	segment(0xdb, []byte{0}, bytes.Repeat([]byte{1}, 64))
	segment(0xc2, []byte{8}, size, size, []byte{1, 1, 0x11, 0})
	segment(0xc4, []byte{0x00}, oneCode, []byte{0}, []byte{0x10}, oneCode, []byte{0xe0})
	blocks := int(side/8) * int(side/8)
	segment(0xda, []byte{1, 1, 0, 0, 0, 0})
	b.Write(make([]byte, (blocks+7)/8))
	for range scans {
		segment(0xda, []byte{1, 1, 0, 1, 63, 0})
		b.Write(make([]byte, ((blocks+16383)/16384*15+7)/8))
	}
	b.Write([]byte{0xff, 0xd9})
	return b.Bytes()
}

// A picture that was made to keep us busy, or to fill the memory, is shown as it is, at once.
func TestAPictureThatExhaustsIsNotDecoded(t *testing.T) {
	if _, err := thumbnail(scanned(1600, 9), typeJPEG, 160); err != nil {
		t.Errorf("in a few scans: %v", err)
	}
	began := time.Now()
	if _, err := thumbnail(scanned(1600, 100_000), typeJPEG, 160); err == nil {
		t.Error("100,000 scans were gone through")
	}
	four := bytes.Replace(scanned(4992, 1), []byte{1, 1, 0x11, 0},
		[]byte{4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0}, 1)
	four[bytes.Index(four, []byte{0xff, 0xc2})+3] += 9
	if _, err := thumbnail(four, typeJPEG, 160); err == nil || !strings.Contains(err.Error(), "takes more") {
		t.Errorf("half a gigabyte of coefficients: %v", err)
	}
	var png16 bytes.Buffer
	if err := png.Encode(&png16, image.NewNRGBA64(image.Rect(0, 0, 200, 9))); err != nil {
		t.Fatal(err)
	}
	if _, err := thumbnail(png16.Bytes(), typePNG, 160); err != nil {
		t.Errorf("sixteen bits a sample: %v", err)
	}
	deep := png16.Bytes()
	binary.BigEndian.PutUint32(deep[16:], 5000)
	binary.BigEndian.PutUint32(deep[20:], 5000)
	deep[28] = 1 // interlaced
	if _, err := thumbnail(deep, typePNG, 160); err == nil || !strings.Contains(err.Error(), "takes more") {
		t.Errorf("a PNG of 200 MB that is held twice: %v", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s to leave them alone", took)
	}
}
