package media

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"os"
	"slices"
	"testing"
)

// madeSmall is the picture 160 wide.
func madeSmall(t *testing.T, data []byte) ([]byte, image.Image) {
	t.Helper()
	small, err := thumbnail(data, typeOf(data), 160)
	if err != nil {
		t.Fatal(err)
	}
	return small, decoded(t, small)
}

// The two files are white, black, red and blue, a quarter each, written by libwebp; glass.webp is transparent in its
// upper right corner.
func TestWhiteStaysWhiteInAPictureMadeOfWebP(t *testing.T) {
	for _, name := range []string{"quarters.webp", "glass.webp"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		_, p := madeSmall(t, data)
		for at, want := range map[image.Point]color.Color{{40, 20}: color.White, {120, 25}: color.Black,
			{40, 60}: color.NRGBA{R: 220, G: 20, B: 20, A: 255}, {120, 60}: color.NRGBA{R: 20, G: 20, B: 220, A: 255}} {
			if got := p.At(at.X, at.Y); !near(got, want) {
				t.Errorf("%s: %v became %v", name, want, got)
			}
		}
	}
}

func TestTheFirstPictureOfAGIFLiesWhereItBelongs(t *testing.T) {
	part := image.NewPaletted(image.Rect(200, 100, 400, 200), color.Palette{red, blue})
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{part}, Delay: []int{0},
		Config: image.Config{Width: 400, Height: 400, ColorModel: part.Palette}}); err != nil {
		t.Fatal(err)
	}
	_, p := madeSmall(t, b.Bytes())
	if p.Bounds().Size() != image.Pt(160, 160) || !near(p.At(120, 60), red) || !near(p.At(40, 60), color.Transparent) ||
		!near(p.At(120, 120), color.Transparent) {
		t.Errorf("%v, %v where red should be, %v beside it", p.Bounds(), p.At(120, 60), p.At(40, 60))
	}
}

// withChunk is a PNG with one chunk more behind its header.
func withChunk(png []byte, name string, body []byte) []byte {
	c := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	c = append(append(c, name...), body...)
	c = binary.BigEndian.AppendUint32(c, crc32.ChecksumIEEE(c[4:]))
	return slices.Concat(png[:33], c, png[33:])
}

func TestATurnedPNGStandsUpright(t *testing.T) {
	tiff := "MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
	photo := withChunk(encoded(t, painted(800, 400), typePNG), "eXIf", []byte(tiff))
	if c, err := inspect(photo, false); err != nil || c.width != 400 || c.height != 800 {
		t.Errorf("it is said to be %d x %d: %v", c.width, c.height, err)
	}
	_, p := madeSmall(t, photo)
	if p.Bounds().Size() != image.Pt(160, 320) || !near(p.At(80, 10), red) || !near(p.At(80, 300), blue) {
		t.Errorf("%v, %v where red should be", p.Bounds(), p.At(80, 10))
	}
}

// aProfile is as long as one, and says which colours it is of.
func aProfile(space, name string) []byte {
	p := make([]byte, 480)
	copy(p[16:], space)
	copy(p[200:], name)
	return p
}

// riffed is a WebP with a chunk before its pixels.
func riffed(webp []byte, name string, body []byte) []byte {
	c := append([]byte(name), binary.LittleEndian.AppendUint32(nil, uint32(len(body)))...)
	extended := append([]byte("VP8X\x0a\x00\x00\x00\x20\x00\x00\x00"), 399&0xff, 399>>8, 0, 199, 0, 0)
	all := slices.Concat([]byte("WEBP"), extended, c, body, webp[12:])
	return slices.Concat([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(len(all))), all)
}

// The colours of a camera that knows more of them than sRGB are those of the smaller picture too.
func TestASmallerPictureKeepsItsColourProfile(t *testing.T) {
	photo := encoded(t, painted(400, 200), typeJPEG)
	glass := painted(400, 200)
	glass.SetNRGBA(0, 0, color.NRGBA{})
	webp, err := os.ReadFile("testdata/quarters.webp")
	if err != nil {
		t.Fatal(err)
	}
	inPNG := func(png, profile []byte) []byte {
		var packed bytes.Buffer
		packed.WriteString("a\x00\x00")
		z := zlib.NewWriter(&packed)
		z.Write(profile)
		z.Close()
		return withChunk(png, "iCCP", packed.Bytes())
	}
	for name, with := range map[string]func(profile []byte) []byte{
		"jpeg":              func(p []byte) []byte { return withProfile(photo, p) },
		"png":               func(p []byte) []byte { return inPNG(encoded(t, painted(400, 200), typePNG), p) },
		"png with a window": func(p []byte) []byte { return inPNG(encoded(t, glass, typePNG), p) },
		"webp":              func(p []byte) []byte { return riffed(webp, "ICCP", p) },
	} {
		wide := aProfile("RGB ", "Display P3")
		small, _ := madeSmall(t, with(wide))
		if got := profile(small, typeOf(small)); !bytes.Equal(got, wide) {
			t.Errorf("%s: %d bytes of a profile are kept", name, len(got))
		}
		for _, plain := range [][]byte{aProfile("RGB ", "sRGB IEC61966-2.1"), aProfile("CMYK", "Coated"),
			aProfile("RGB ", "s\x00R\x00G\x00B"), make([]byte, 20), append(wide, make([]byte, 1<<16)...)} {
			var of []byte
			if len(plain) <= maxProfile || name != "jpeg" { // a JPEG has no room for more
				of = with(plain)
			} else {
				of = photo
			}
			small, _ := madeSmall(t, of)
			if bytes.Contains(small, []byte(jpegProfile)) || bytes.Contains(small, []byte("iCCP")) {
				t.Errorf("%s: a profile of %d bytes is kept", name, len(plain))
			}
		}
	}
}
