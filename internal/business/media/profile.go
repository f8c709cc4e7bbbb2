package media

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
	"iter"
	"slices"
)

// maxProfile is the most bytes of a colour profile that goes with a smaller picture: what one segment of a JPEG holds.
// Those of cameras and screens have a few hundred; what is larger describes a printer.
const maxProfile = 0xffff - 2 - len(jpegProfile) - 2

// jpegProfile is what a segment with a part of a profile begins with, before its number and their count (ICC.1, annex
// B.4).
const jpegProfile = "ICC_PROFILE\x00"

// profile is the colour profile by which the numbers of a picture's pixels are meant (ICC.1): none where they are those
// of sRGB, which everybody takes them for, or no red, green and blue, which is what smaller pictures are kept in.
func profile(data []byte, contentType string) []byte {
	var p []byte
	switch contentType {
	case typeJPEG:
		p = jpegParts(data)
	case typePNG:
		p = unpacked(chunk(pngChunks(data), "iCCP"))
	case typeWebP:
		p = chunk(webpChunks(data), "ICCP")
	}
	const space = 16 // where the kind of colours stands
	if len(p) < 128 || len(p) > maxProfile || string(p[space:space+4]) != "RGB " ||
		bytes.Contains(p, []byte("sRGB")) || bytes.Contains(p, []byte("s\x00R\x00G\x00B")) {
		return nil
	}
	return p
}

// withProfile is a picture that we made, with the profile its pixels are meant by.
func withProfile(picture, profile []byte) []byte {
	if len(profile) == 0 {
		return picture
	}
	var segment bytes.Buffer
	at := 2 // behind the marker that a JPEG begins with
	if typeOf(picture) == typePNG {
		at = 8 + 12 + 13 // behind the signature and the header
		segment.WriteString("\x00\x00\x00\x00iCCPICC\x00\x00")
		z := zlib.NewWriter(&segment)
		_, _ = z.Write(profile) // into memory
		_ = z.Close()
		binary.BigEndian.PutUint32(segment.Bytes(), uint32(segment.Len()-8))
		_ = binary.Write(&segment, binary.BigEndian, crc32.ChecksumIEEE(segment.Bytes()[4:]))
	} else {
		segment.WriteString("\xff\xe2")
		_ = binary.Write(&segment, binary.BigEndian, uint16(2+len(jpegProfile)+2+len(profile)))
		segment.WriteString(jpegProfile + "\x01\x01")
		segment.Write(profile)
	}
	return slices.Concat(picture[:at], segment.Bytes(), picture[at:])
}

// jpegParts is the profile of a JPEG that is kept in one segment.
func jpegParts(data []byte) []byte {
	for marker, segment := range segments(data) {
		if marker == 0xe2 && bytes.HasPrefix(segment, []byte(jpegProfile+"\x01\x01")) {
			return segment[len(jpegProfile)+2:]
		}
	}
	return nil
}

// unpacked is the profile in a chunk of a PNG: a name, how it is packed, and the rest.
func unpacked(chunk []byte) []byte {
	_, packed, ok := bytes.Cut(chunk, []byte{0})
	if !ok || len(packed) == 0 || packed[0] != 0 {
		return nil
	}
	z, err := zlib.NewReader(bytes.NewReader(packed[1:]))
	if err != nil {
		return nil
	}
	p, err := io.ReadAll(io.LimitReader(z, int64(maxProfile)+1))
	if err != nil {
		return nil
	}
	return p
}

// chunk is the first of that name; nil without one.
func chunk(all iter.Seq2[string, []byte], name string) []byte {
	for n, body := range all {
		if n == name {
			return body
		}
	}
	return nil
}

// segments are those of a JPEG before its pixels: FF, a marker, and a length that counts itself (ITU T.81, annex B).
func segments(data []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		for at := 2; at+4 <= len(data) && data[at] == 0xff; {
			marker, size := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
			if marker == 0xff { // fill byte
				at++
				continue
			}
			if marker == 0xda || size < 2 || at+2+size > len(data) || !yield(marker, data[at+4:at+2+size]) {
				return // pixels begin, or it is cut short
			}
			at += 2 + size
		}
	}
}

// pngChunks are those of a PNG before its pixels: a length, a name, as many bytes, and their checksum.
func pngChunks(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for at := 8; at+12 <= len(data); {
			size, name := int(binary.BigEndian.Uint32(data[at:])), string(data[at+4:at+8])
			if name == "IDAT" || size > len(data)-at-12 || !yield(name, data[at+8:at+8+size]) {
				return
			}
			at += 12 + size
		}
	}
}

// webpChunks are those of a WebP: a name, a length, and as many bytes, filled up to an even number.
func webpChunks(data []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for at := 12; at+8 <= len(data); {
			name, size := string(data[at:at+4]), int(binary.LittleEndian.Uint32(data[at+4:]))
			if size > len(data)-at-8 || !yield(name, data[at+8:at+8+size]) {
				return
			}
			at += 8 + size + size&1
		}
	}
}
