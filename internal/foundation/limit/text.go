package limit

// How long texts may be, in characters. A code is a key or a number, and one line; a path is an address; a note is what
// somebody writes in a field of several lines.
const (
	Code = 50
	Name = 200
	Path = 2_000
	Note = 4_000
	Mail = 254 // of an address in an envelope (RFC 5321)
	HTML = 100_000
)

// Text is the greatest length of a kind of text, as fields are tagged with it: text:"name". Without a tag a text is a
// code.
func Text(kind string) (most int, known bool) {
	most, known = map[string]int{"": Code, "code": Code, "name": Name, "path": Path, "note": Note, "email": Mail,
		"html": HTML}[kind]
	return most, known
}
