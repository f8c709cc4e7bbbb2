package media

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"slices"

	"kontor/internal/foundation/fault"
)

// Widths are the widths in pixels in which pictures can be had besides their own.
func Widths() []int { return []int{160, 320, 640, 1280} }

// maxPixels is the most pixels of a picture that is made smaller: a decoded one takes up to eight bytes for each.
const maxPixels = 25_000_000

// quality of smaller pictures, as JPEG counts it.
const quality = 82

// shrinks reports whether the file has a smaller picture of this width: drawings need none, and nothing is made larger.
func (f File) shrinks(width int) bool {
	_, readable := codecs[f.ContentType]
	return readable && f.Width > width && f.Width*f.Height <= maxPixels
}

// thumbnails are the picture in data made as narrow as each of widths, which ascend: JPEGs, or where something shines
// through PNGs; none where it is no wider. What takes long, decoding, is done once.
func thumbnails(data []byte, contentType string, widths ...int) ([][]byte, error) {
	out := make([][]byte, len(widths))
	src, err := pixelsOf(data, contentType)
	if err != nil {
		return out, err
	}
	size, held := src.Bounds().Size(), orientation(data, contentType)
	shown := size.X
	if held.turned() {
		shown = size.Y
	}
	for i, width := range slices.Backward(widths) {
		if shown <= width {
			continue
		}
		scaled := func(n int) int { return max(1, (n*width+shown/2)/shown) }
		small := shrink(src, scaled(size.X), scaled(size.Y))
		if out[i], err = written(held.upright(small), profile(data, contentType)); err != nil {
			return out, err
		}
		src = small // the next is half as wide, or less
	}
	return out, nil
}

// pixelsOf decodes a picture that takes no more than a picture does. No request waits for it alone, so a decoder that
// panics must not take the server along.
func pixelsOf(data []byte, contentType string) (src image.Image, err error) {
	if isExhausting(data, contentType) {
		return nil, errors.New("media: a picture that takes more to decode than any is worth")
	}
	err = fault.Guard(func() (err error) {
		src, err = codecs[contentType].decode(bytes.NewReader(data))
		return err
	})
	if err != nil {
		return nil, err
	}
	if size := src.Bounds().Size(); size.X <= 0 || size.Y <= 0 || size.X*size.Y > maxPixels {
		return nil, fmt.Errorf("media: a picture of %v pixels", size)
	}
	return src, nil
}

// written is a smaller picture as a file.
func written(small *image.RGBA, profile []byte) ([]byte, error) {
	var out bytes.Buffer
	var err error
	if small.Opaque() {
		err = jpeg.Encode(&out, small, &jpeg.Options{Quality: quality})
	} else {
		err = png.Encode(&out, small)
	}
	return withProfile(out.Bytes(), profile), err
}

// shrink makes a picture smaller, each pixel the average of the area it covers. It goes through the source row by row,
// so that it needs no more memory than one row of it, where the scalers of x/image/draw keep a column of floats for
// each row.
func shrink(src image.Image, w, h int) *image.RGBA {
	b := src.Bounds()
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	row := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1))
	columns := sharesOf(b.Dx(), w)
	line, sum := make([]float32, 4*w), make([]float32, 4*w)
	for y, s := range sharesOf(b.Dy(), h) {
		draw.Draw(row, row.Rect, src, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
		average(line, row.Pix, columns)
		for i, v := range line {
			sum[i] += v * s.here
		}
		if !s.ends {
			continue
		}
		round(dst.Pix[s.to*dst.Stride:], sum)
		for i, v := range line {
			sum[i] = v * s.next
		}
	}
	return dst
}

// round writes a row of pixels. No colour is stronger than its alpha, which it was multiplied by.
func round(pix []uint8, sum []float32) {
	for i := 0; i < len(sum); i += 4 {
		alpha := uint8(min(sum[i+3]+0.5, 255))
		for c := range 3 {
			pix[i+c] = min(uint8(min(sum[i+c]+0.5, 255)), alpha)
		}
		pix[i+3] = alpha
	}
}

// share says where one of many source pixels in a row goes: into target pixel to with the weight here, and, where that
// one ends with it, into the next with the weight next.
type share struct {
	to         int
	here, next float32
	ends       bool
}

// sharesOf spreads n pixels over fewer. Each weighs to/n of a target pixel; counted in whole numbers, so that no
// rounding adds up.
func sharesOf(n, to int) []share {
	all := make([]share, n)
	for i := range all {
		begin, end := i*to, (i+1)*to // in n-ths of a target pixel
		t := begin / n
		edge := (t + 1) * n
		s := share{to: t, here: float32(min(end, edge)-begin) / float32(n), ends: end >= edge}
		if end > edge {
			s.next = float32(end-edge) / float32(n)
		}
		all[i] = s
	}
	return all
}

// average makes a row of pixels narrower.
func average(line []float32, pix []uint8, columns []share) {
	clear(line)
	for x, s := range columns {
		p, at := pix[4*x:4*x+4:4*x+4], line[4*s.to:]
		for c, v := range p {
			at[c] += float32(v) * s.here
		}
		if s.next > 0 {
			for c, v := range p {
				at[4+c] += float32(v) * s.next
			}
		}
	}
}
