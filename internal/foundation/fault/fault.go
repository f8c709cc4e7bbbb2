// Package fault is every way the house says no: a code for programs, a sentence
// for people, the fields that are wrong, and a cause for the log alone.
package fault

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"kontor/internal/foundation/dec"
)

// Kind is the class of a fault; a surface maps it to its protocol (HTTP status).
type Kind int

// The kinds, with the HTTP status both APIs answer.
const (
	Internal        Kind = iota // 500: ours
	Invalid                     // 400: the request breaks a rule
	Unauthenticated             // 401
	Denied                      // 403
	NotFound                    // 404: what the path names does not exist
	Conflict                    // 409: the state of the record forbids it
	Gone                        // 410
	Stale                       // 412: If-Match names an older revision
	TooLarge                    // 413
	Unsupported                 // 415
	NotAcceptable               // 406: none of the forms that the caller takes
	TooMany                     // 429
	Unavailable                 // 503: try again
)

// Code names one way of failing as Area.Reason, for example Item.NotFound.
type Code struct {
	Kind Kind
	Name string
}

// New declares a code. Codes are declared in the var block of the package that raises them.
func New(kind Kind, name string) Code { return Code{kind, name} }

// Because is the fault with its sentence: what is wrong, which rule, how to mend it.
func (c Code) Because(format string, args ...any) *Fault {
	said := Say(format, args...)
	return &Fault{Kind: c.Kind, Code: c.Name, Detail: said.text, said: said}
}

// At is the fault of one field of a request body or query. It is always Invalid (400),
// also for a code that is NotFound where the path names the record.
func (c Code) At(path, format string, args ...any) *Fault {
	said := Say(format, args...)
	return &Fault{Kind: Invalid, Code: c.Name, Detail: said.text, said: said,
		Fields: []Field{{path, c.Name, said.text, said}}}
}

// Field is one thing wrong with one field.
type Field struct {
	Path    string `json:"field"` // "lines[2].quantity"
	Code    string `json:"code"`
	Message string `json:"message"`
	said    Said
}

// Said are the parts of the message.
func (f Field) Said() Said { return f.said.or(f.Message) }

// When is err where there is one, else the fault where something is so, else nil. As with List.If, what is told of it
// is worked out either way.
func (c Code) When(is bool, err error, format string, args ...any) error {
	if err == nil && is {
		err = c.Because(format, args...)
	}
	return err
}

// Fault is an error that may be shown: everything but Cause is safe for a stranger.
type Fault struct {
	Kind   Kind
	Code   string
	Detail string
	Fields []Field
	// Extra are further members of the problem document (acceptedFields, requiredScope …).
	Extra map[string]any
	// RetryAfterSeconds is sent as Retry-After when above zero.
	RetryAfterSeconds int
	// Cause is for the log only.
	Cause error
	said  Said
}

// Said are the parts of the detail.
func (f *Fault) Said() Said { return f.said.or(f.Detail) }

// Field is the fault as that of one field.
func (f *Fault) Field(path string) Field { return Field{path, f.Code, f.Detail, f.said} }

// Sentence is the detail for whoever is shown no fields beside it: it names the field that the fault is of.
func (f *Fault) Sentence() string {
	if len(f.Fields) == 1 && f.Detail == f.Fields[0].Message {
		return f.Fields[0].Path + ": " + f.Detail
	}
	return f.Detail
}

func (f *Fault) Error() string {
	if f.Cause != nil {
		return f.Code + ": " + f.Detail + ": " + f.Cause.Error()
	}
	return f.Code + ": " + f.Detail
}

func (f *Fault) Unwrap() error { return f.Cause }

// With adds a member to the problem document.
func (f *Fault) With(name string, value any) *Fault {
	if f.Extra == nil {
		f.Extra = map[string]any{}
	}
	f.Extra[name] = value
	return f
}

// And is the fault with further fields that are wrong. What is said of a field that the fault names already, or of a
// part of it, follows from that and is left out.
func (f *Fault) And(more []Field) *Fault {
	all := List{code: f.Code, fields: slices.Clone(f.Fields)}
	for _, one := range more {
		follows := func(of Field) bool { return isIn(one.Path, of.Path) || isIn(of.Path, one.Path) }
		if !slices.ContainsFunc(f.Fields, follows) {
			all.append(one)
		}
	}
	if len(all.fields) == len(f.Fields) {
		return f
	}
	both := As(all.Err())
	both.Extra = f.Extra
	return both
}

// isIn reports whether a path is another or leads into it.
func isIn(path, outer string) bool {
	inner, ok := strings.CutPrefix(path, outer)
	return ok && (inner == "" || inner[0] == '.' || inner[0] == '[')
}

// In is the fault with the field of the request that led to it: one that agrees with the rules and not with what there
// is keeps its kind, and is shown where it can be mended.
func (f *Fault) In(path string) *Fault {
	f.Fields = append(f.Fields, f.Field(path))
	return f
}

// From keeps the cause for the log.
func (f *Fault) From(err error) *Fault { f.Cause = err; return f }

// After says in how many seconds the same may be asked again.
func (f *Fault) After(seconds int) *Fault { f.RetryAfterSeconds = seconds; return f }

// As finds the fault in err. A number out of range is one, whoever met it: dec's arithmetic, the database as it summed
// up, or a row that was read. Any other error becomes Server.Error with err as its cause.
func As(err error) *Fault {
	var f *Fault
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, dec.ErrRange):
		return ErrOutOfRange.Because(
			"an amount, a quantity or a sum of them has more than 12 digits before the point: lower the quantity or the price").
			From(err)
	}
	return &Fault{Kind: Internal, Code: "Server.Error",
		Detail: "Something failed on our side. Try again; if it stays, report the request id.", Cause: err}
}

// Guard runs fn; a panic becomes the error that Crashed makes of it, so that one who fails takes nobody along.
func Guard(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Crashed(p)
		}
	}()
	return fn()
}

// Crashed is the error of a panic that was recovered: of a number out of range the refusal it is to whoever asked, of
// anything else ours, with where it happened.
func Crashed(p any) error {
	err, ok := p.(error)
	switch {
	case !ok:
		err = fmt.Errorf("%v", p)
	case errors.Is(err, dec.ErrRange):
		return As(err)
	}
	return fmt.Errorf("panic: %w\n%s", err, debug.Stack())
}

// Is reports whether err is a fault with this code.
func Is(err error, c Code) bool {
	var f *Fault
	return errors.As(err, &f) && f.Code == c.Name
}

// List gathers faults, so that a request learns everything that is wrong with it at once, as far as anybody reads: of
// more than Most faults the others are only counted. The zero value is ready to use.
type List struct {
	code   string
	fields []Field
	more   int
}

// Most is how many faults a list names.
const Most = 100

// Add notes one thing wrong with the field at path.
func (l *List) Add(c Code, path, format string, args ...any) {
	if l.IsFull() {
		l.more++ // without a sentence that nobody would read
		return
	}
	l.Note(c, path, Say(format, args...))
}

// If is Add where something is so. What is told of it is worked out either way: where that takes more than a look, or
// is there only then, an if around Add says the same.
func (l *List) If(is bool, c Code, path, format string, args ...any) {
	if is {
		l.Add(c, path, format, args...)
	}
}

// IsFull reports whether further faults are only counted.
func (l *List) IsFull() bool { return len(l.fields) >= Most }

// Count is how many faults there are, named or not.
func (l *List) Count() int { return len(l.fields) + l.more }

// Note notes what was said already, such as a refusal of a part, as something wrong with the field at path.
func (l *List) Note(c Code, path string, said Said) {
	l.code = cmp.Or(l.code, c.Name)
	l.append(Field{path, c.Name, said.text, said})
}

func (l *List) append(fields ...Field) {
	room := min(Most-len(l.fields), len(fields))
	l.fields = append(l.fields, fields[:room]...)
	l.more += len(fields) - room
}

// AddError notes err if it is an Invalid fault with fields and returns nil; any other error is returned.
func (l *List) AddError(err error) error {
	var f *Fault
	if err == nil || !errors.As(err, &f) || f.Kind != Invalid || len(f.Fields) == 0 {
		return err
	}
	l.code = cmp.Or(l.code, f.Code)
	l.append(f.Fields...)
	return nil
}

// Empty reports whether nothing is wrong so far.
func (l *List) Empty() bool { return len(l.fields) == 0 }

// Fields are the things noted so far, in order, at most Most of them.
func (l *List) Fields() []Field { return l.fields }

// Err is nil when nothing was noted, else one Invalid fault with every field. Its code is the
// first fault's; its detail reads as the sentences one after another.
func (l *List) Err() error {
	if l.Empty() {
		return nil
	}
	var b strings.Builder
	for i, f := range l.fields {
		if i == 5 {
			fmt.Fprintf(&b, " (and %d more)", l.Count()-i)
			break
		}
		if i > 0 {
			b.WriteString(" ")
		}
		b.WriteString(f.Path + ": " + Ended(f.Message))
	}
	if l.more > 0 {
		fmt.Fprintf(&b, " Only the first %d are named: mend them, and send the request again.", Most)
	}
	return &Fault{Kind: Invalid, Code: l.code, Detail: b.String(), Fields: l.fields}
}

// Codes that belong to no room.
var (
	ErrInvalid      = New(Invalid, "Request.Invalid")
	ErrUnknownField = New(Invalid, "Request.UnknownField")
	ErrStale        = New(Stale, "Precondition.Failed")
	ErrUnavailable  = New(Unavailable, "Server.Unavailable")
	ErrOutOfRange   = New(Invalid, "Decimal.OutOfRange")
)
