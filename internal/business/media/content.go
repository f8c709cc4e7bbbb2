package media

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"unicode/utf8"

	"golang.org/x/image/webp"

	"kontor/internal/foundation/fault"
)

// What is wrong with an uploaded file.
var (
	ErrEmptyFile   = fault.New(fault.Invalid, "ChannelMediaAsset.EmptyFile")
	ErrTooLarge    = fault.New(fault.Invalid, "ChannelMediaAsset.FileTooLarge")
	ErrUnsupported = fault.New(fault.Invalid, "ChannelMediaAsset.UnsupportedType")
)

// MaxFile is the most bytes of a file.
const MaxFile = 10 << 20

// The media types of files, as their content shows them.
const (
	typePNG  = "image/png"
	typeJPEG = "image/jpeg"
	typeGIF  = "image/gif"
	typeWebP = "image/webp"
	typeSVG  = "image/svg+xml"
	typePDF  = "application/pdf"
)

// extensions are how the names of stored files end.
var extensions = map[string]string{typePNG: ".png", typeJPEG: ".jpg", typeGIF: ".gif", typeWebP: ".webp",
	typeSVG: ".svg", typePDF: ".pdf"}

// typeOf tells the type of a file by its first bytes alone: what its sender calls it proves nothing. "" is none of
// ours.
func typeOf(data []byte) string {
	for _, known := range []struct{ begins, media string }{
		{"\x89PNG\r\n\x1a\n", typePNG}, {"\xff\xd8\xff", typeJPEG}, {"GIF87a", typeGIF}, {"GIF89a", typeGIF},
		{"%PDF-", typePDF},
	} {
		if bytes.HasPrefix(data, []byte(known.begins)) {
			return known.media
		}
	}
	if len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP" {
		return typeWebP
	}
	if text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n"); len(text) > 0 && text[0] == '<' {
		return typeSVG // if cleaning it finds a drawing
	}
	return ""
}

// codec reads the pixels of a type, or their number without them.
type codec struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

// codecs are the types whose pixels we can read. They are named here, and not registered with package image, so that
// nothing else decides what is decoded.
var codecs = map[string]codec{
	typePNG:  {png.DecodeConfig, png.Decode},
	typeJPEG: {jpeg.DecodeConfig, jpeg.Decode},
	typeGIF:  {gif.DecodeConfig, decodeGIF},
	typeWebP: {webp.DecodeConfig, decodeWebP},
}

// content is an upload as it may be kept.
type content struct {
	data          []byte
	contentType   string
	width, height int // as shown; 0 where the file does not say
}

// inspect finds out what an upload is and makes it harmless, without decoding its pixels. ChannelMediaAsset.EmptyFile,
// .FileTooLarge, .UnsupportedType.
func inspect(data []byte, documents bool) (content, error) {
	accepted := fault.Say("PNG, JPEG, GIF, WebP and SVG")
	if documents {
		accepted = fault.Say("PNG, JPEG, GIF, WebP and SVG pictures and PDF documents")
	}
	c := content{data: data, contentType: typeOf(data)}
	switch {
	case len(data) == 0:
		return c, ErrEmptyFile.At("file", "the file is empty")
	case len(data) > MaxFile:
		return c, ErrTooLarge.At("file", "the file has %d bytes; at most %d (10 MB) are taken", len(data), MaxFile)
	case c.contentType == "" || c.contentType == typePDF && !documents:
		return c, ErrUnsupported.At("file", "the content of the file is of none of the accepted types: %s", accepted)
	case c.contentType == typePDF:
		return c, nil
	case c.contentType == typeSVG:
		d, err := cleanSVG(data)
		if err != nil {
			return c, ErrUnsupported.At("file",
				"the content of the file is no SVG drawing (%s), nor of another accepted type: %s", said(err), accepted)
		}
		if len(d.data) > MaxFile {
			return c, ErrTooLarge.At("file", "the drawing has more than 10 MB once it is written plainly")
		}
		c.data, c.width, c.height = d.data, d.width, d.height
		return c, nil
	}
	size, err := codecs[c.contentType].config(bytes.NewReader(data))
	if err != nil || size.Width <= 0 || size.Height <= 0 {
		return c, ErrUnsupported.At("file", "the file begins like %s but cannot be read as one: export it anew",
			c.contentType)
	}
	c.width, c.height = size.Width, size.Height
	if orientation(data, c.contentType).turned() {
		c.width, c.height = c.height, c.width
	}
	return c, nil
}

// said is what a parser has to say, in a form that can be shown.
func said(err error) string {
	text := err.Error()
	if len(text) > 120 || !utf8.ValidString(text) {
		return "it is not well-formed"
	}
	return text
}
