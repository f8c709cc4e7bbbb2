package fault

import (
	"fmt"
	"reflect"
	"strings"

	"kontor/internal/foundation/each"
)

// Said is a sentence in its parts: the pattern, as fmt writes it, and what stands in it. Programs get the sentence in
// English; who speaks to people says the same in their language, by the pattern. A Said may stand in another one. The
// zero value is nothing.
type Said struct {
	Format string
	Args   []any
	text   string
}

// Say is a sentence, put together. A list of words stands in it with commas between them; among the arguments it stays
// a list, for whoever says its words in another language.
func Say(format string, args ...any) Said {
	told := each.Of(args, func(a any) any { return listed(a) })
	return Said{Format: format, Args: args, text: fmt.Sprintf(format, told...)}
}

// listed is an argument as English has it; who says how it is written has said so.
func listed(arg any) any {
	v := reflect.ValueOf(arg)
	if _, says := arg.(fmt.Stringer); says || v.Kind() != reflect.Slice || v.Type().Elem().Kind() != reflect.String {
		return arg
	}
	words := make([]string, v.Len())
	for i := range words {
		words[i] = v.Index(i).String()
	}
	return strings.Join(words, ", ")
}

// String is the sentence in English.
func (s Said) String() string { return s.text }

// All are sentences one after another.
type All []Said

// String is the sentences in English, with semicolons between them.
func (a All) String() string {
	parts := each.Of(a, func(s Said) string { return s.text })
	return strings.Join(parts, "; ")
}

// Ended is a sentence with one full stop at its end, whatever the last thing in it ends with.
func Ended(s string) string {
	if whole, twice := strings.CutSuffix(s, ".."); twice && !strings.HasSuffix(whole, ".") {
		return whole + "."
	}
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// Is reports whether anything is said.
func (s Said) Is() bool { return s.text != "" }

// or is the sentence, or a text whose parts are not known.
func (s Said) or(text string) Said {
	if s.text != text {
		return Said{text: text}
	}
	return s
}
