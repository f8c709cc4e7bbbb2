package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// A seal is a skippable frame of zstd (RFC 8878, 3.1.2), which every reader of zstd passes over. It holds the
// SHA-256 of all bytes before it: a changed byte is refused even where it happens to unpack to the same data, and a
// lost end where nothing after it was needed.
const (
	sealMagic = 0x184D2A50
	sealHead  = 8
	sealSize  = sealHead + sha256.Size
)

func seal(sum []byte) []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, sealSize), sealMagic)
	b = binary.LittleEndian.AppendUint32(b, sha256.Size)
	return append(b, sum...)
}

// sealed lets fill write to out and puts the seal behind it.
func sealed(out io.Writer, fill func(io.Writer) error) error {
	h := sha256.New()
	if err := fill(io.MultiWriter(out, h)); err != nil {
		return err
	}
	_, err := out.Write(seal(h.Sum(nil)))
	return err
}

var errSeal = errors.New("it does not match the seal at its end: copy it again from where it was made")

// unbroken checks the seal of the archive at path.
func unbroken(path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	return isSealed(in, info.Size())
}

// isSealed checks the seal at the end of so many bytes.
func isSealed(in io.Reader, size int64) error {
	if size < sealSize {
		return errSeal
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(in, size-sealSize)); err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	end, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	if !bytes.Equal(end, seal(h.Sum(nil))) {
		return errSeal
	}
	return nil
}
