package media

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"kontor/internal/foundation/fault"
)

// tinyWebP is a WebP of one pixel.
const tinyWebP = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"

// painted is a picture of w by h pixels, the left half red, the right half blue.
func painted(w, h int) *image.NRGBA {
	p := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{R: 255, A: 255}
			if x >= w/2 {
				c = color.NRGBA{B: 255, A: 255}
			}
			p.SetNRGBA(x, y, c)
		}
	}
	return p
}

// encoded is a picture in one of the types.
func encoded(t testing.TB, p image.Image, contentType string) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch contentType {
	case typePNG:
		err = png.Encode(&b, p)
	case typeJPEG:
		err = jpeg.Encode(&b, p, &jpeg.Options{Quality: 95})
	case typeGIF:
		err = gif.Encode(&b, p, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// heldAs is a JPEG that says how the camera was held.
func heldAs(jpeg []byte, order string, t byte) []byte {
	tiff := "MM\x00*\x00\x00\x00\x08\x00\x02\x01\x0f\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00\x01\x12\x00\x03\x00\x00\x00\x01\x00" +
		string(t) + "\x00\x00\x00\x00\x00\x00"
	if order == "II" {
		tiff = "II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00" + string(t) +
			"\x00\x00\x00\x00\x00\x00\x00"
	}
	segment := "Exif\x00\x00" + tiff
	head := "\xff\xd8\xff\xe0\x00\x04ab\xff\xff\xe1\x00" + string(byte(len(segment)+2)) + segment
	return append([]byte(head), jpeg[2:]...)
}

func TestUploadsAreWhatTheyHold(t *testing.T) {
	webp, err := base64.StdEncoding.DecodeString(tinyWebP)
	if err != nil {
		t.Fatal(err)
	}
	photo := encoded(t, painted(30, 20), typeJPEG)
	for name, c := range map[string]struct {
		data          []byte
		contentType   string
		width, height int
	}{
		"png":         {encoded(t, painted(30, 20), typePNG), typePNG, 30, 20},
		"jpeg":        {photo, typeJPEG, 30, 20},
		"turned jpeg": {heldAs(photo, "MM", 6), typeJPEG, 20, 30},
		"other order": {heldAs(photo, "II", 8), typeJPEG, 20, 30},
		"upside down": {heldAs(photo, "II", 3), typeJPEG, 30, 20},
		"gif":         {encoded(t, painted(30, 20), typeGIF), typeGIF, 30, 20},
		"webp":        {webp, typeWebP, 1, 1},
		"svg":         {[]byte("\ufeff\n<!-- x --><svg width='30' height='20'><script/></svg>"), typeSVG, 30, 20},
		"pdf":         {[]byte("%PDF-1.7\n"), typePDF, 0, 0},
	} {
		got, err := inspect(c.data, true)
		if err != nil || got.contentType != c.contentType || got.width != c.width || got.height != c.height {
			t.Errorf("%s: %s %d x %d %v", name, got.contentType, got.width, got.height, err)
		}
		if strings.Contains(string(got.data), "script") {
			t.Errorf("%s is kept with its script", name)
		}
	}
}

func TestWhatIsNotTaken(t *testing.T) {
	whole := encoded(t, painted(3, 2), typePNG)
	for name, c := range map[string]struct {
		data []byte
		code fault.Code
	}{
		"nothing":     {nil, ErrEmptyFile},
		"too much":    {make([]byte, MaxFile+1), ErrTooLarge},
		"text":        {[]byte("hello"), ErrUnsupported},
		"html":        {[]byte("<!doctype html><script>"), ErrUnsupported},
		"half a head": {whole[:20], ErrUnsupported},
		"a pdf":       {[]byte("%PDF-1.7"), ErrUnsupported},
		"a late pdf":  {[]byte(" %PDF-1.7"), ErrUnsupported},
		"executable":  {[]byte("MZ\x90\x00"), ErrUnsupported},
		"svgz":        {[]byte("\x1f\x8b\x08"), ErrUnsupported},
		"riff":        {[]byte("RIFF\x00\x00\x00\x00WAVE"), ErrUnsupported},
		"jpeg head":   {[]byte("\xff\xd8\xff\xe0"), ErrUnsupported},
	} {
		if _, err := inspect(c.data, false); !fault.Is(err, c.code) || fault.As(err).Fields[0].Path != "file" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzInspect(f *testing.F) {
	photo := encoded(f, painted(30, 20), typeJPEG)
	f.Add(heldAs(photo, "MM", 6))
	f.Add(heldAs(photo, "II", 5))
	f.Add(encoded(f, painted(3, 2), typePNG))
	f.Add(encoded(f, painted(3, 2), typeGIF))
	if webp, err := base64.StdEncoding.DecodeString(tinyWebP); err == nil {
		f.Add(webp)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := inspect(data, true)
		if err != nil {
			return
		}
		if c.width < 0 || c.height < 0 || extensions[c.contentType] == "" || len(c.data) == 0 {
			t.Errorf("%+v", c)
		}
		if file := (File{ContentType: c.contentType, Width: c.width, Height: c.height}); c.width*c.height < 1_000_000 &&
			file.shrinks(1) {
			if small, err := thumbnail(data, c.contentType, 1); err == nil && typeOf(small) == "" {
				t.Errorf("a thumbnail of no type: %x", small)
			}
		}
	})
}
