// Package papertest reads printed papers: what stands on them, and their bars.
package papertest

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	stream  = regexp.MustCompile(`(?s)<<\n(?:/Filter/FlateDecode)?/Length (\d+)\n>>\nstream\n`)
	mapping = regexp.MustCompile(`<([0-9A-F]{4})><([0-9A-F]{4})><([0-9A-F]{4})>\n`)
	written = regexp.MustCompile(
		`BT\n(-?[\d.]+) (-?[\d.]+) TD\n/F(\d+) [\d.]+ Tf [\d.]+ Tc\n(?:[^\n]*\n)*?\[([^\]]*)\] TJ\nET\n`)
	glyphs = regexp.MustCompile(`<([0-9A-F]*)>`)
	bar    = regexp.MustCompile(`(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) re f\n`)
)

// word is text that was put somewhere.
type word struct {
	x, y float64
	text string
}

// Text is what a paper says, from top to bottom: what stands on one line is parted by two spaces, a page by an empty
// line.
func Text(pdf []byte) (string, error) {
	contents, fonts, err := parts(pdf)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for n, content := range contents {
		words, err := wordsOf(content, fonts)
		if err != nil {
			return "", err
		}
		slices.SortStableFunc(words, func(a, b word) int {
			if a.y != b.y {
				return int(1000 * (b.y - a.y))
			}
			return int(1000 * (a.x - b.x))
		})
		for i, w := range words {
			switch {
			case i == 0 && n > 0:
				out.WriteString("\n")
			case i > 0 && words[i-1].y == w.y:
				out.WriteString("  ")
			case i > 0:
				out.WriteString("\n")
			}
			out.WriteString(w.text)
		}
		out.WriteString("\n")
	}
	return out.String(), nil
}

// wordsOf are the texts that were put on a page.
func wordsOf(content string, fonts []map[string]rune) (words []word, err error) {
	for _, m := range written.FindAllStringSubmatch(content, -1) {
		w, err := read(m, fonts)
		if err != nil {
			return nil, err
		}
		if w.text != "" {
			words = append(words, w)
		}
	}
	return words, nil
}

// Lost are the texts that stand beyond the lower edge of their page.
func Lost(pdf []byte) (lost []string, err error) {
	contents, fonts, err := parts(pdf)
	for _, content := range contents {
		words, err := wordsOf(content, fonts)
		if err != nil {
			return nil, err
		}
		for _, w := range words {
			if w.y < 0 {
				lost = append(lost, w.text)
			}
		}
	}
	return lost, err
}

// Bars are the runs of a paper's bar codes, in points: a bar, a space, a bar. The last page's stand last.
func Bars(pdf []byte) (runs []float64, err error) {
	contents, _, err := parts(pdf)
	if err != nil {
		return nil, err
	}
	end := 0.0
	for _, content := range contents {
		for i, m := range bar.FindAllStringSubmatch(content, -1) {
			x, errX := strconv.ParseFloat(m[1], 64)
			width, errW := strconv.ParseFloat(m[3], 64)
			if err := errors.Join(errX, errW); err != nil {
				return nil, err
			}
			if i > 0 {
				runs = append(runs, x-end)
			}
			runs, end = append(runs, width), x+width
		}
	}
	return runs, nil
}

// parts are what is drawn on each page, and what the glyphs of each font mean.
func parts(pdf []byte) (contents []string, fonts []map[string]rune, err error) {
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		return nil, nil, fmt.Errorf("this is no PDF: %.20q", pdf)
	}
	for _, at := range stream.FindAllSubmatchIndex(pdf, -1) {
		length, err := strconv.Atoi(string(pdf[at[2]:at[3]]))
		if err != nil || at[1]+length > len(pdf) {
			return nil, nil, fmt.Errorf("a stream of %s bytes is longer than the paper", pdf[at[2]:at[3]])
		}
		data := pdf[at[1] : at[1]+length]
		if bytes.Contains(data, []byte("begincmap")) {
			font := map[string]rune{}
			for _, m := range mapping.FindAllSubmatch(data, -1) {
				r, err := strconv.ParseUint(string(m[3]), 16, 32)
				if err != nil {
					return nil, nil, err
				}
				font[string(m[1])] = rune(r)
			}
			fonts = append(fonts, font)
			continue
		}
		if z, err := zlib.NewReader(bytes.NewReader(data)); err == nil {
			text, err := io.ReadAll(z)
			if err != nil {
				return nil, nil, err
			}
			contents = append(contents, string(text))
		}
	}
	return contents, fonts, nil
}

// read reads one piece of text.
func read(m []string, fonts []map[string]rune) (w word, err error) {
	var errs [3]error
	w.x, errs[0] = strconv.ParseFloat(m[1], 64)
	w.y, errs[1] = strconv.ParseFloat(m[2], 64)
	font, err := strconv.Atoi(m[3])
	errs[2] = err
	if err := errors.Join(errs[:]...); err != nil {
		return w, err
	}
	if font < 1 || font > len(fonts) {
		return w, fmt.Errorf("there is no font %d", font)
	}
	var text strings.Builder
	for _, g := range glyphs.FindAllStringSubmatch(m[4], -1) {
		if _, err := hex.DecodeString(g[1]); err != nil {
			return w, err
		}
		for i := 0; i+4 <= len(g[1]); i += 4 {
			text.WriteRune(fonts[font-1][g[1][i:i+4]])
		}
	}
	w.text = text.String()
	return w, nil
}
