package media

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"os"
	"slices"
	"strings"
	"testing"

	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/fault"
)

// noise is a picture that no format makes small, so that its pixels begin early in its file.
func noise(w, h int) image.Image {
	p := image.NewNRGBA(image.Rect(0, 0, w, h))
	state := uint32(1)
	for i := range p.Pix {
		state = state*1664525 + 1013904223
		p.Pix[i] = byte(state>>24) | 0xff*byte(i&3/3)
	}
	return p
}

// samples are whole pictures of every type that has pixels.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	webp, err := os.ReadFile("testdata/quarters.webp")
	if err != nil {
		t.Fatal(err)
	}
	tiny, err := base64.StdEncoding.DecodeString(tinyWebP)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"a.png": encoded(t, noise(90, 60), typePNG), "a.jpg": encoded(t, noise(90, 60), typeJPEG),
		"a.gif": encoded(t, noise(90, 60), typeGIF), "a.webp": webp, "tiny.webp": tiny}
}

// A picture whose file breaks off amid its pixels, or holds something else behind its head, would be shown in part or
// not at all.
func TestADamagedPictureIsRefused(t *testing.T) {
	l := NewLibrary(blob.Folder(t.TempDir()), "", 1<<26)
	for name, whole := range samples(t) {
		if _, err := l.Take(t.Context(), "acme", name, whole, false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		head := slices.Clone(whole)
		for i := len(head) * 3 / 4; i < len(head); i++ {
			head[i] = 0xff
		}
		for what, bad := range map[string][]byte{"breaks off": whole[:len(whole)*3/4], "ends in rubbish": head} {
			if what == "ends in rubbish" && strings.HasSuffix(name, ".webp") {
				continue // its last bytes are numbers of any value
			}
			_, err := l.Take(t.Context(), "acme", name, bad, true)
			f := fault.As(err)
			if !fault.Is(err, ErrUnsupported) || f.Fields[0].Path != "file" ||
				!strings.Contains(f.Fields[0].Message, name) {
				t.Errorf("%s %s: %v", name, what, err)
			}
			if kept, err := l.TakeMailed(t.Context(), "acme", name, bad); err != nil || kept.FileSize != len(bad) {
				t.Errorf("%s %s and came with a mail: %v", name, what, err)
			}
		}
	}
}

// What browsers show and we cannot read, or do not want to, is not called damaged.
func TestAPictureBeyondUsIsTaken(t *testing.T) {
	whole := samples(t)
	part := image.NewPaletted(image.Rect(0, 0, 30, 20), color.Palette{red, blue})
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{part, part}, Delay: []int{9, 9}}); err != nil {
		t.Fatal(err)
	}
	moves := b.Bytes()
	wide := slices.Clone(moves)
	wide[6] = 29 // the whole is narrower than its first picture
	animated := riffed(whole["a.webp"], "ANIM", make([]byte, 6))
	animated[20] |= 1 << 1
	animated = bytes.Replace(animated, []byte("VP8 "), []byte("ANMF"), 1)
	fine := slices.Clone(whole["a.jpg"])
	fine[bytes.Index(fine, []byte("\xff\xc0"))+11] = 0x31 // three times as fine across as the others
	giant := slices.Clone(whole["a.png"])
	binary.BigEndian.PutUint32(giant[16:], 90_000)
	for name, c := range map[string]content{
		"a JPEG without its last mark": {contentType: typeJPEG, data: bytes.TrimSuffix(whole["a.jpg"], []byte(endOfJPEG))},
		"a JPEG and what follows it":   {contentType: typeJPEG, data: append(slices.Clone(whole["a.jpg"]), "more"...)},
		"a JPEG of odd colours":        {contentType: typeJPEG, data: fine},
		"a JPEG in many scans":         {contentType: typeJPEG, data: scanned(160, 1000)},
		"a GIF that is narrower":       {contentType: typeGIF, data: wide},
		"a GIF that moves":             {contentType: typeGIF, data: moves},
		"a GIF without its last mark":  {contentType: typeGIF, data: bytes.TrimSuffix(moves, []byte(";"))},
		"a WebP that moves":            {contentType: typeWebP, data: animated},
		"a giant":                      {contentType: typePNG, data: giant, width: 90_000, height: 600},
	} {
		if !isWhole(c) {
			t.Errorf("%s is called damaged", name)
		}
	}
	frames := bytes.Repeat([]byte("\xff\xc2\x00\x0b\x08\xff\xff\xff\xff\x01\x01\x11\x00"), 99) // of four gigapixels
	for name, c := range map[string]content{
		"WebP that moves":          {contentType: typeWebP, data: animated[:len(animated)-1]},
		"GIF in its last picture":  {contentType: typeGIF, data: moves[:len(moves)-3]},
		"GIF before its last":      {contentType: typeGIF, data: moves[:bytes.LastIndexByte(moves, ',')+3]},
		"JPEG and becomes rubbish": {contentType: typeJPEG, data: append(whole["a.jpg"][:700:700], frames...)},
	} {
		if isWhole(c) {
			t.Errorf("a %s, which breaks off, is taken", name)
		}
	}
}
