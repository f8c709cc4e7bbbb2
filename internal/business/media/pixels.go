package media

import (
	"bytes"
	"image"
	"image/draw"
	"image/gif"
	"io"

	"golang.org/x/image/webp"
)

// decodeWebP reads a picture whose colours are those that a browser shows: the lossy kind keeps brightness within 16 to
// 235 and colour within 16 to 240 (RFC 6386, section 9.2: ITU-R BT.601), and package webp hands both out as if they
// used the whole byte. White would be grey.
func decodeWebP(r io.Reader) (image.Image, error) {
	src, err := webp.Decode(r)
	switch p := src.(type) {
	case *image.YCbCr:
		widen(p)
	case *image.NYCbCrA:
		widen(&p.YCbCr)
	}
	return src, err
}

// widen spreads the levels of a video over the whole byte, where they lie.
func widen(p *image.YCbCr) {
	brightness, colour := levels(16, 235, 0), levels(16, 240, 128)
	for _, plane := range []struct {
		pix []uint8
		as  *[256]uint8
	}{{p.Y, brightness}, {p.Cb, colour}, {p.Cr, colour}} {
		for i, v := range plane.pix {
			plane.pix[i] = plane.as[v]
		}
	}
}

// levels are the values of a byte once low is 0 and high is 255; middle stays, where one is given.
func levels(low, high, middle int) *[256]uint8 {
	var as [256]uint8
	from := max(low, middle)
	for v := range as {
		n, span := 2*255*(v-from), high-low
		if n < 0 {
			n -= span
		} else {
			n += span
		}
		as[v] = uint8(min(max(middle+n/(2*span), 0), 255))
	}
	return &as
}

// decodeGIF reads the first picture of a GIF where it lies on the whole, which may be larger.
func decodeGIF(r io.Reader) (image.Image, error) {
	var read bytes.Buffer
	whole, err := gif.DecodeConfig(io.TeeReader(r, &read))
	if err != nil {
		return nil, err
	}
	first, err := gif.Decode(io.MultiReader(&read, r))
	canvas := image.Rect(0, 0, whole.Width, whole.Height)
	if err != nil || first.Bounds() == canvas || whole.Width*whole.Height > maxPixels {
		return first, err
	}
	shown := image.NewNRGBA(canvas)
	draw.Draw(shown, first.Bounds(), first, first.Bounds().Min, draw.Src)
	return shown, nil
}
