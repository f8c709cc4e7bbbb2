package db

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
)

// parsed is a statement cut at its named parameters.
type parsed struct {
	pieces  []string // text before each parameter, and after the last
	names   []string
	slots   []int    // parameter -> index of its first use, so that a name is bound once
	order   []string // distinct names
	company bool
	writes  bool   // it writes rows; rather said too often than too seldom
	locks   bool   // it writes none, and locks some
	moves   bool   // those of the company's facts and epoch
	from    Tables // that it reads
	into    Tables // that it writes
	reads   bool   // it reads a table, and so takes a snapshot
	mark    byte   // what stands before a parameter's number: ? or $
	text    string // the whole text when no parameter is a list
}

func parse(query string, e *Engine) *parsed {
	query = e.Rewrite(query)
	p := &parsed{mark: e.Mark}
	seen := map[string]int{}
	start := 0
	for i := 0; i < len(query); i++ {
		switch c := query[i]; {
		case c == '\'':
			i += 1 + strings.IndexByte(query[i+1:], '\'')
		case c == '-' && strings.HasPrefix(query[i:], "--"):
			if n := strings.IndexByte(query[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(query)
			}
		case c == ':' && i+1 < len(query) && query[i+1] == ':':
			i++
		case c == ':' && i+1 < len(query) && letter(query[i+1]):
			p.pieces = append(p.pieces, query[start:i])
			start = p.parameter(query, i+1, seen)
			i = start - 1
		}
	}
	p.pieces = append(p.pieces, query[min(start, len(query)):])
	p.text = p.render(nil)
	code := codeOf(query)
	words := wordsOf(code)
	p.from, p.into = tablesOf(code)
	p.reads = slices.Contains(words, "from")
	p.writes = slices.ContainsFunc(words,
		func(w string) bool { return w == "insert" || w == "update" || w == "delete" || w == "replace" })
	p.locks = p.writes && !slices.Contains(words, "insert") && !slices.Contains(words, "delete") && words[0] == "select"
	p.moves = p.writes && slices.Contains(words, stateTable)
	return p
}

// parameter notes the parameter whose name begins at i, and answers where it ends. seen are those noted before.
func (p *parsed) parameter(query string, i int, seen map[string]int) (end int) {
	end = i
	for end < len(query) && (letter(query[end]) || query[end] >= '0' && query[end] <= '9') {
		end++
	}
	name := query[i:end]
	slot, ok := seen[name]
	if !ok {
		slot = len(p.order)
		seen[name] = slot
		p.order = append(p.order, name)
	}
	p.names = append(p.names, name)
	p.slots = append(p.slots, slot)
	p.company = p.company || name == "company"
	return end
}

// codeOf is a statement without its comments and strings.
func codeOf(query string) string {
	var code strings.Builder
	for i := 0; i < len(query); i++ {
		switch {
		case query[i] == '\'':
			i += 1 + strings.IndexByte(query[i+1:], '\'')
		case strings.HasPrefix(query[i:], "--"):
			end := strings.IndexByte(query[i:], '\n')
			if end < 0 {
				end = len(query) - i
			}
			i += end
			code.WriteByte(' ')
		default:
			code.WriteByte(query[i])
		}
	}
	return code.String()
}

// wordsOf are the words of a statement's code.
func wordsOf(code string) []string {
	return strings.FieldsFunc(strings.ToLower(code), func(r rune) bool { return r > 0x7f || !letter(byte(r)) })
}

// stateTable holds the company's facts and its epoch.
const stateTable = "company_state"

// What stands for the width of a list that is bound as one array.
const (
	textArray = -1
	intArray  = -2
)

// listPart is the beginning of a condition on a list: what is compared, and how.
var listPart = lazy.Regexp(`([\w.]+) (not )?in \($`)

// render numbers the parameters; widths holds how many values a list parameter takes.
func (p *parsed) render(widths []int) string {
	first := make([]int, len(p.order))
	for i, n := 0, 1; i < len(p.order); i++ {
		first[i] = n
		if widths != nil && widths[i] > 0 {
			n += widths[i]
		} else {
			n++
		}
	}
	var b strings.Builder
	through, after := -1, "" // the list that rows are looked up by, and what ends a condition
	for i, slot := range p.slots {
		piece := p.pieces[i]
		if after != "" {
			piece = after + piece[1:]
		}
		after = ""
		width := 1
		if widths != nil && widths[slot] != 0 {
			width = widths[slot]
		}
		if width < 0 {
			if through < 0 {
				through = slot
			}
			piece, after = p.arrayed(piece, p.pieces[i+1], first[slot], width, slot == through)
		}
		b.WriteString(piece)
		for k := range max(0, width) {
			if k > 0 {
				b.WriteByte(',')
			}
			b.WriteByte(p.mark)
			b.WriteString(strconv.Itoa(first[slot] + k))
		}
	}
	last := p.pieces[len(p.pieces)-1]
	if after != "" {
		last = after + last[1:]
	}
	b.WriteString(last)
	return b.String()
}

// arrayed is a piece of a statement with the array that follows it, and what stands instead of the bracket after that.
// Written as a subquery, a list is something to join: a planner that knows nothing of a table, which nobody has looked
// at since it was filled, believes that it finds one row there, and goes through the list for each of ten thousand. So
// the first list of a statement is one to look rows up by in an index; each further one, of which the index would look
// up every combination, is made a hash table and asked for each row.
func (p *parsed) arrayed(piece, next string, number, kind int, lookedUp bool) (string, string) {
	array := fmt.Sprintf("%c%d::text[]", p.mark, number)
	if kind == intArray {
		array = fmt.Sprintf("%c%d::bigint[]", p.mark, number)
	}
	m := listPart().FindStringSubmatchIndex(piece)
	if m == nil || !strings.HasPrefix(next, ")") {
		return piece + "select unnest(" + array + ")", ""
	}
	before, what, not := piece[:m[0]], piece[m[2]:m[3]], m[4] >= 0
	switch {
	case not:
		return piece + "select unnest(" + array + ")", "" // never joined
	case lookedUp:
		return before + what + " = any (" + array, ")"
	}
	return before + "(" + what + " in (select unnest(" + array + ")", ")) is true"
}

// bind answers the text to prepare and its values in order, and how it is best planned; a refusal of a value that no
// column holds.
func (p *parsed) bind(tx *Tx, a Args) (string, []any, Planning, error) {
	args := make([]any, 0, len(p.order))
	var widths []int
	var how Planning
	for i, name := range p.order {
		v, ok := a[name]
		if !ok {
			v = tx.always(name)
		}
		list := asList(v)
		if list == nil {
			v = plain(v)
			if err := fits(v); err != nil {
				return "", nil, how, err
			}
			args = append(args, v)
			continue
		}
		if err := fits(list...); err != nil {
			return "", nil, how, err
		}
		if widths == nil {
			widths = make([]int, len(p.order))
		}
		if kind := arrayKind(tx.cell.engine, list); kind != 0 {
			widths[i] = kind
			if len(list) >= longList {
				how = PlanEach
			}
			args = append(args, tx.cell.engine.Array(list))
			continue
		}
		widths[i] = bucket(len(list))
		for k := range widths[i] {
			if k < len(list) {
				args = append(args, list[k])
			} else if len(list) > 0 {
				args = append(args, list[len(list)-1])
			} else {
				args = append(args, nil) // nothing equals NULL
			}
		}
	}
	if widths == nil {
		return p.text, args, how, nil
	}
	return p.render(widths), args, how, nil
}

// fits refuses a text that PostgreSQL would not take, on both engines: what one cannot hold, or look for, none is asked
// about. Texts of requests are looked at before; this is for whatever comes in by another way.
func fits(values ...any) error {
	for _, v := range values {
		if text, ok := v.(string); ok && (strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text)) {
			return fault.ErrInvalid.Because("a text holds U+0000, or bytes that are no UTF-8: leave them out")
		}
	}
	return nil
}

// minList is from how many values on a list is bound as an array, so that few distinct statements are prepared;
// longList from how many on a statement is planned for the very values: the planner then knows how many they are, and
// makes a hash table of those that it does not look up, which it does of no array that is not known to it.
const (
	minList  = 16
	longList = 256
)

// arrayKind is how a list is bound as an array; 0 = it is not.
func arrayKind(e *Engine, list []any) int {
	if e.Array == nil || len(list) < minList {
		return 0
	}
	kind := 0
	for _, v := range list {
		is := 0
		switch v.(type) {
		case string:
			is = textArray
		case int64:
			is = intArray
		}
		if is == 0 || kind != 0 && is != kind {
			return 0
		}
		kind = is
	}
	return kind
}

// bucket rounds a list's length up, so that few distinct statements are prepared.
func bucket(n int) int {
	size := 1
	for size < n {
		size *= 2
	}
	return min(size, max(n, 16_384))
}

func (tx *Tx) always(name string) any {
	switch name {
	case "company":
		return tx.Company
	case "now":
		return tx.Now
	case "actor":
		return tx.Actor.ID
	}
	panic("db: unbound parameter :" + name)
}

func asList(v any) []any {
	switch v := v.(type) {
	case []string:
		out := make([]any, len(v))
		for i, s := range v {
			out[i] = s
		}
		return out
	case []int64:
		out := make([]any, len(v))
		for i, n := range v {
			out[i] = n
		}
		return out
	case nil, string, int64, int, bool, []byte, dec.Dec, Time, day.Date:
		return nil
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Slice {
		return nil
	}
	out := make([]any, rv.Len())
	for i := range out {
		out[i] = plain(rv.Index(i).Interface())
	}
	return out
}

// Kept is a value that a column keeps as text: what Text writes, its Scan reads.
type Kept interface{ Text() string }

// plain turns a value of the house into one that both drivers bind alike.
func plain(v any) any {
	switch v := v.(type) {
	case nil, string, int64, []byte:
		return v
	case dec.Dec:
		return int64(v)
	case *dec.Dec:
		if v == nil {
			return nil
		}
		return int64(*v)
	case Time:
		if v == 0 {
			return nil
		}
		return int64(v)
	case day.Date:
		return string(v)
	case int:
		return int64(v)
	case bool:
		if v {
			return int64(1)
		}
		return int64(0)
	case *string:
		if v == nil {
			return nil
		}
		return *v
	case Kept:
		return v.Text()
	case driver.Valuer:
		if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer && rv.IsNil() {
			return nil
		}
		w, err := v.Value()
		if err != nil {
			panic(fmt.Sprintf("db: %T: %v", v, err))
		}
		return plain(w)
	}
	return plainKind(reflect.ValueOf(v))
}

// plainKind is plain for a type that is known by its kind alone.
func plainKind(rv reflect.Value) any {
	switch rv.Kind() {
	case reflect.Pointer:
		if rv.IsNil() {
			return nil
		}
		return plain(rv.Elem().Interface())
	case reflect.String:
		return rv.String()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return rv.Int()
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return int64(rv.Uint())
	case reflect.Bool:
		return plain(rv.Bool())
	}
	panic(fmt.Sprintf("db: a %T cannot be bound", rv.Interface()))
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
