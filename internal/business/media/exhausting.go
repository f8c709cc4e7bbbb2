package media

import "encoding/binary"

// What a picture may take to be decoded. A progressive JPEG goes through all pixels again with each scan, of which a
// few bytes are one, and holds five bytes for each sample meanwhile. An interlaced PNG is held twice, whole and in
// parts.
const (
	mostScans  = 100 // programs write a dozen
	mostMemory = 8 * maxPixels
)

// isExhausting reports whether decoding a file takes more than a picture does, in time or in memory.
func isExhausting(data []byte, contentType string) bool {
	switch contentType {
	case typeJPEG:
		at, _, _ := exhaustingFrom(data)
		return at < len(data)
	case typePNG:
		return memoryOfPNG(data) > mostMemory
	}
	return false
}

// memoryOf is how many bytes decoding a file of so many pixels takes, which is not exhausting.
func memoryOf(data []byte, contentType string, pixels int) int {
	const most = 8 // bytes for a pixel of the other types: package webp holds four, twice
	switch contentType {
	case typeJPEG:
		_, _, memory := exhaustingFrom(data)
		return min(memory, mostMemory)
	case typePNG:
		return min(memoryOfPNG(data), mostMemory)
	}
	return min(most*pixels, mostMemory)
}

// memoryOfPNG is how many bytes the pixels take that its header (W3C PNG, 11.2.1) promises: of colours four samples
// each, and two bytes a sample where it says more than eight bits.
func memoryOfPNG(data []byte) int {
	if len(data) < 29 {
		return 0
	}
	width, height := int(binary.BigEndian.Uint32(data[16:])), int(binary.BigEndian.Uint32(data[20:]))
	depth, colour, interlaced := data[24], data[25], data[28] != 0
	each := 1
	if colour == 2 || colour >= 4 {
		each = 4
	}
	if depth > 8 {
		each *= 2
	}
	if interlaced {
		each *= 2
	}
	return width * height * each
}

// exhaustingFrom is where a JPEG begins to take more than a picture does, its length where it does not, how many scans
// there are before, and how many bytes all of it takes.
func exhaustingFrom(data []byte) (at, scans, memory int) {
	for at = 2; at+4 <= len(data); {
		marker := data[at+1]
		switch {
		case data[at] != 0xff: // pixels
			at++
			continue
		case marker == 0xd9: // the end
			return len(data), scans, memory
		case marker == 0xff:
			at++
			continue
		case marker <= 0x01 || marker >= 0xd0 && marker <= 0xd8: // nothing follows
			at += 2
			continue
		case marker >= 0xc0 && marker <= 0xc2:
			memory += frameMemory(data[at+4:], marker == 0xc2)
		case marker == 0xda:
			scans++
		}
		if scans > mostScans || memory > mostMemory {
			return at, scans, memory
		}
		at += 2 + int(binary.BigEndian.Uint16(data[at+2:]))
	}
	return len(data), scans, memory
}

// frameMemory is how many bytes the samples of a frame take (ITU T.81, B.2.2).
func frameMemory(frame []byte, progressive bool) int {
	if len(frame) < 6 {
		return 0
	}
	height, width, parts := int(binary.BigEndian.Uint16(frame[1:])), int(binary.BigEndian.Uint16(frame[3:])), frame[6:]
	samples, h, v := 0, 1, 1
	for i := 0; i < int(frame[5]) && len(parts) >= 3*(i+1); i++ {
		across, down := int(parts[3*i+1]>>4), int(parts[3*i+1]&15)
		samples, h, v = samples+across*down, max(h, across), max(v, down)
	}
	each := 1
	if progressive {
		each = 5
	}
	return width * height * samples / (h * v) * each
}
