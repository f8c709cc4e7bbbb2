package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"strings"
)

// endOfJPEG ends a JPEG. Cameras leave it out, and all the pixels are there without it.
const endOfJPEG = "\xff\xd9"

// isWhole reports whether a picture shows all that it has. Pixels that we cannot read, or that take more to be read
// than any picture is worth, have the benefit of the doubt: browsers show more than we decode.
func isWhole(c content) bool {
	as, data := codecs[c.contentType], c.data
	switch {
	case !c.isDecoded():
		return true
	case c.contentType == typeJPEG:
		end, scans, _ := exhaustingFrom(data) // rubbish begins to be exhausting too, but can be read up to there
		if end < len(data) && scans == 0 {
			return true
		}
		data = append(data[:end:end], endOfJPEG...)
	case isExhausting(data, c.contentType):
		return true
	case isAnimatedWebP(data):
		return int(binary.LittleEndian.Uint32(data[4:])) <= len(data)-8
	}
	_, err := as.decode(bytes.NewReader(data))
	return (err == nil || isBeyondUs(err)) && !(c.contentType == typeGIF && breaksOffGIF(data))
}

// isDecoded reports whether a file has pixels that we can read, and not too many.
func (c content) isDecoded() bool {
	_, readable := codecs[c.contentType]
	return readable && c.width*c.height <= maxPixels
}

// isAnimatedWebP reports whether a file is a WebP of several pictures, which package webp cannot read.
func isAnimatedWebP(data []byte) bool {
	const animated = 1 << 1
	return typeOf(data) == typeWebP && len(data) > 20 && string(data[12:16]) == "VP8X" && data[20]&animated != 0
}

// beyondUs is how decoders begin what they say of a picture that may be whole although they gave up on it: colours that
// they do not know, or not so finely, or, in a GIF, more than belongs there, which browsers leave out.
var beyondUs = []string{"unsupported JPEG feature: unknown color model", "unsupported JPEG feature: luma/chroma",
	"gif: frame bounds larger", "gif: too much"}

func isBeyondUs(err error) bool {
	return slices.ContainsFunc(beyondUs, func(begins string) bool { return strings.HasPrefix(err.Error(), begins) })
}

// breaksOffGIF reports whether the pictures of a GIF behind its first, which alone is decoded, break off. Where one
// ends, the file may end too.
func breaksOffGIF(data []byte) bool {
	colours := func(flags byte) int {
		if flags&0x80 == 0 {
			return 0
		}
		return 3 << (flags&7 + 1)
	}
	at := 13 + colours(data[10])
	for at < len(data) {
		switch {
		case data[at] == '!': // what is said of the next picture
			at += 2
		case data[at] == ',' && at+9 < len(data):
			at += 11 + colours(data[at+9])
		case data[at] == ',':
			return true
		default: // the end
			return false
		}
		for at < len(data) && data[at] != 0 {
			at += 1 + int(data[at])
		}
		at++
	}
	return at > len(data)
}

// refuseDamaged refuses a picture that is not whole. Only a few are decoded at a time, and none waits for more of those
// that are made smaller than are being made. ChannelMediaAsset.UnsupportedType.
func (l *Library) refuseDamaged(ctx context.Context, name string, c content) error {
	if !c.isDecoded() {
		return nil
	}
	select {
	case l.looks <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.looks }()
	isSound := true
	err := l.decoding(ctx, c.data, c.contentType, c.width*c.height, func() { isSound = isWhole(c) })
	if err != nil || isSound {
		return err
	}
	return ErrUnsupported.At("file", "the picture in %s is damaged, or broke off on its way here, and cannot be shown "+
		"whole: send the file once more, or save the picture anew first", name)
}
