package page

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/discussion"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// entryView is an entry of the activity log, ready for the template.
type entryView struct {
	At, Who, What string
	Changes       []entryChange
	// of a comment
	Said     string
	Files    []Link
	Withdraw string // where its author withdraws it

	at db.Time
}

type entryChange struct{ Label, Before, After string }

// mostChanges is how many changes of an entry are shown.
const mostChanges = 40

// beforeName is the part of a record's address that says before which moment its history is shown.
const beforeName = "before"

// history fills in a page of what happened to the record and what was said of it, from the moment the address names, so
// that an old record's costs what a new one's does. It answers what the person was told of and has not read yet.
func (r *anyRecord) history(x *exchange, c *Ctx, t any, p *posted, wrong error,
	v *sheetView) (*discussion.About, error) {
	before, err := strconv.ParseInt(c.Query(beforeName), 10, 64)
	if err != nil || before < 0 {
		before = 0
	}
	about := r.about(c, t)
	entries, err := record.History(c.Tx, r.Resource, about.ID, db.Time(before), historyShown+1)
	if err != nil {
		return nil, err
	}
	v.HasHistory, v.History = true, x.entries(entries)
	var isUnread bool
	if r.isDiscussed() {
		v.History, err = x.timeline(c, about, v.History, db.Time(before), historyShown+1)
		if err == nil {
			isUnread, err = r.comments(x, c, about, p, wrong, v)
		}
		if err != nil {
			return nil, err
		}
	}
	if before > 0 {
		v.Newest = about.Path + "#history"
	}
	if len(v.History) > historyShown {
		v.History = v.History[:historyShown]
		last := int64(v.History[historyShown-1].at)
		v.Older = about.Path + "?" + beforeName + "=" + strconv.FormatInt(last, 10) + "#history"
	}
	if !isUnread {
		return nil, nil
	}
	return &about, nil
}

func (x *exchange) entries(all []record.Entry) []entryView { return each.Of(all, x.entry) }

func (x *exchange) entry(e record.Entry) entryView {
	v := entryView{at: e.At, At: x.t.moment(e.At.Time()), Who: x.t.who(e.Actor),
		What: x.t.sayOf(e.Resource, Words(e.Action))}
	for _, name := range slices.Sorted(maps.Keys(e.Changes)) {
		if len(v.Changes) == mostChanges {
			v.Changes = append(v.Changes, entryChange{Label: fmt.Sprintf("+%d", len(e.Changes)-mostChanges)})
			break
		}
		before, after := x.t.change(e.Resource, name, e.Changes[name])
		v.Changes = append(v.Changes, entryChange{x.t.fieldWords(name), before, after})
	}
	return v
}

// mostOfValue is up to how many characters a structured value is written out in a history.
const mostOfValue = 160

// change is what stood there and what stands there now. A structure too large to be read in a line, such as the schema
// of a made-to-order item, is said to have changed.
func (t *translator) change(resource, name string, pair [2]any) (before, after string) {
	pair = [2]any{t.counted(name, pair[0]), t.counted(name, pair[1])}
	before, after = t.loggedIn(resource, pair[0]), t.loggedIn(resource, pair[1])
	if !isLarge(pair[0], before) && !isLarge(pair[1], after) {
		return before, after
	}
	switch {
	case before == "":
		return "", t.say("Added")
	case after == "":
		return t.say("Removed"), ""
	}
	return "", t.say("Changed")
}

// isLarge reports whether a value of the log has parts and is long. A text that a person wrote has none.
func isLarge(v any, shown string) bool {
	if utf8.RuneCountInString(shown) <= mostOfValue {
		return false
	}
	switch v := v.(type) {
	case map[string]any, []any:
		return true
	case string:
		return (v[0] == '{' || v[0] == '[') && json.Valid([]byte(v))
	}
	return false
}

// fieldWords are a field of the log as people read it: deliveryAddress is Delivery address, lines[2].quantity is
// Lines 2, Quantity.
func (t *translator) fieldWords(name string) string {
	parts := strings.Split(name, ".")
	for i, p := range parts {
		word, rest, indexed := strings.Cut(p, "[")
		parts[i] = t.say(Words(word))
		if indexed {
			parts[i] += " " + strings.TrimSuffix(rest, "]")
		}
	}
	return strings.Join(parts, ", ")
}

// counted is money of the log as people read it, to its last decimal, and anything else as it is.
func (t *translator) counted(name string, v any) any {
	text, ok := v.(string)
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	if !ok || !slices.ContainsFunc([]string{"price", "cost", "amount", "total", "balance", "vat"},
		func(s string) bool { return strings.HasSuffix(name, s) }) {
		return v
	}
	d, err := dec.Parse(text)
	if err != nil {
		return v
	}
	return t.number(d)
}

// sayOf is a word about a kind of records. One that means something else for others is in the tables with the name of
// the kind before it.
func (t *translator) sayOf(resource, english string) string {
	if s, ok := t.words[resource+" "+english]; ok {
		return s
	}
	return t.say(english)
}

// loggedIn is a value of the log of a kind of records.
func (t *translator) loggedIn(resource string, v any) string {
	if s, ok := v.(string); ok && t.words[resource+" "+s] != "" {
		return t.sayOf(resource, s)
	}
	return t.logged(v)
}

// logged is a value of the log.
func (t *translator) logged(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return t.loggedText(v)
	case bool:
		if v {
			return t.say("Yes")
		}
		return t.say("No")
	case map[string]any:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if isPlumbing(k) {
				continue
			}
			if s := t.logged(t.counted(k, v[k])); s != "" {
				parts = append(parts, t.fieldWords(k)+" "+s)
			}
		}
		return strings.Join(parts, ", ")
	case []any:
		parts := each.Of(v, t.logged)
		return strings.Join(parts, "; ")
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// LogDetail is an entry's changes in one line, for lists of the log.
func (c *Ctx) LogDetail(e record.Entry) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(e.Changes)) {
		if len(parts) == 4 {
			parts = append(parts, fmt.Sprintf("+%d", len(e.Changes)-4))
			break
		}
		before, after := c.speak.change(e.Resource, name, e.Changes[name])
		parts = append(parts, short(c.speak.fieldWords(name)+": "+before+" → "+after))
	}
	return strings.Join(parts, "; ")
}

func short(s string) string {
	if r := []rune(s); len(r) > 120 {
		return string(r[:119]) + "…"
	}
	return s
}

// isPlumbing reports whether a field of the log says nothing to people.
func isPlumbing(name string) bool {
	switch name {
	case "id", "changedAt", "createdAt", "modifiedAt", "itemID", "customerID", "orderID":
		return true
	}
	return false
}

// loggedText is a text of the log: moments by the company's clock, enum words as words.
func (t *translator) loggedText(s string) string {
	if len(s) >= 20 && s[4] == '-' && strings.HasSuffix(s, "Z") {
		if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
			if at.IsZero() {
				return ""
			}
			return t.moment(at)
		}
	}
	if d, err := day.Parse(s); err == nil {
		return t.date(d)
	}
	inner := false
	for i, r := range s {
		switch {
		case i == 0 && !unicode.IsUpper(r), i > 0 && !unicode.IsLetter(r):
			return s
		case i > 0 && unicode.IsUpper(r):
			if inner = unicode.IsLower(rune(s[i-1])); !inner {
				return s
			}
		}
	}
	if words := Words(s); inner || t.words[words] != "" {
		return t.say(words)
	}
	return s
}
