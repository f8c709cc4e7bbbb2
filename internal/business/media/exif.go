package media

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
)

// turn is how a camera held its picture: the orientation of Exif (CIPA DC-008, tag 0x0112), 1 to 8.
type turn int

// turned reports whether width and height are exchanged when the picture is shown.
func (t turn) turned() bool { return t >= 5 }

// orientation reads how a picture is to be shown; 1, as it is, where it does not say. Browsers heed it in JPEG and PNG.
func orientation(data []byte, contentType string) turn {
	switch contentType {
	case typeJPEG:
		for marker, segment := range segments(data) {
			if tiff, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); ok && marker == 0xe1 {
				return orientationTag(tiff)
			}
		}
	case typePNG:
		return orientationTag(chunk(pngChunks(data), "eXIf"))
	}
	return 1
}

// orientationTag finds the tag in the first directory of a TIFF header.
func orientationTag(tiff []byte) turn {
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder
	switch string(tiff[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 1
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return 1
	}
	for n := uint64(order.Uint16(tiff[at:])); n > 0; n-- {
		entry := at + 2 + 12*(n-1)
		if entry+12 > uint64(len(tiff)) || order.Uint16(tiff[entry:]) != 0x0112 {
			continue
		}
		if t := turn(order.Uint16(tiff[entry+8:])); t >= 1 && t <= 8 {
			return t
		}
	}
	return 1
}

// upright is a picture as it is to be shown.
func (t turn) upright(src *image.RGBA) *image.RGBA {
	if t <= 1 || t > 8 {
		return src
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	if t.turned() {
		dst = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			to := t.place(x, y, w, h)
			dst.SetRGBA(to.X, to.Y, color.RGBA(src.RGBAAt(x, y)))
		}
	}
	return dst
}

// place is where a pixel of a picture of w by h goes.
func (t turn) place(x, y, w, h int) image.Point {
	switch t {
	case 2:
		return image.Pt(w-1-x, y)
	case 3:
		return image.Pt(w-1-x, h-1-y)
	case 4:
		return image.Pt(x, h-1-y)
	case 5:
		return image.Pt(y, x)
	case 6:
		return image.Pt(h-1-y, x)
	case 7:
		return image.Pt(h-1-y, w-1-x)
	case 8:
		return image.Pt(y, w-1-x)
	}
	return image.Pt(x, y)
}
