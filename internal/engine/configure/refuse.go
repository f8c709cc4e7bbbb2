package configure

import (
	"fmt"
	"regexp/syntax"
	"strconv"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"kontor/internal/foundation/fault"
)

// mostPattern bounds a pattern (RE2) by the steps of the program it becomes: a counted repetition such as x{1000} is
// short to write, and every character of a text is held against every step.
const mostPattern = 500

// NameInRules is how rules speak of the feature: values.width, values["cable-duct"].
func (f *Feature) NameInRules() string {
	for i, r := range f.Code {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return fmt.Sprintf("%s[%q]", valuesName, f.Code)
		}
	}
	return valuesName + "." + f.Code
}

// Example is a rule that can be written of the schema's features.
func (s *Schema) Example() string {
	var parts []string
	for i := range s.Features {
		f := &s.Features[i]
		name := f.NameInRules()
		switch {
		case len(parts) == 2:
		case f.Type == TypeOption && len(f.Options) > 0:
			parts = append(parts, name+" != "+strconv.Quote(f.Options[0].Code))
		case f.Type == TypeNumber && f.Max != nil:
			parts = append(parts, name+" <= "+f.Max.String())
		case f.Type == TypeNumber:
			parts = append(parts, name+" <= 200")
		case f.Type == TypeBoolean:
			parts = append(parts, name)
		case f.Type == TypeText:
			parts = append(parts, "size("+name+") <= 20")
		}
	}
	return strings.Join(parts, " || ")
}

// refusedBy says what the language itself refuses, in words for who wrote the rule, who need not know how it is read.
func (c *compilation) refusedBy(expression string, found *cel.Issues) bool {
	if found == nil || len(found.Errors()) == 0 {
		return false
	}
	e := found.Errors()[0]
	at := place{max(e.Location.Line(), 1), max(e.Location.Column(), 0) + 1}
	c.wrong.add(c.path, "at %s: %s", at, c.plain(e, from(expression, at)))
	return true
}

// from is what stands at a place of an expression, to the end of its line or for 20 characters.
func from(expression string, at place) string {
	lines := strings.Split(expression, "\n")
	if at.line > len(lines) {
		return ""
	}
	rest := []rune(lines[at.line-1])
	rest = rest[min(at.column-1, len(rest)):]
	return strings.TrimSpace(string(rest[:min(len(rest), 20)]))
}

// plain turns a sentence of the language into one of ours.
func (c *compilation) plain(e *common.Error, rest string) fault.Said {
	var name, on string
	switch {
	case strings.Contains(e.Message, "recursion"):
		return fault.Say("nests too deep: write it with fewer brackets within one another")
	case quoted(e.Message, "undeclared reference to '%s'", &name):
		if strings.HasPrefix(name, "@") {
			break
		}
		return fault.Say("nothing is called %q: choices begin with values., and texts stand in quotes, as in %s", name,
			c.schema.Example())
	case quoted(e.Message, "found no matching overload for '%s' applied to '%s'", &name, &on):
		sign, isSign := operators.FindReverse(name)
		if left, right, two := strings.Cut(strings.Trim(on, "()"), ", "); isSign && two && !strings.Contains(right,
			", ") && sign != "" {
			return fault.Say(
				"%s cannot stand between %s and %s: hold numbers against numbers, and texts in quotes against texts",
				sign, kindOf(left), kindOf(right))
		}
	case strings.Contains(e.Message, "yntax error") && rest == "":
		return fault.Say("something is missing here: write it out, like %s", c.schema.Example())
	}
	return fault.Say("%q cannot stand here: write it like %s", rest, c.schema.Example())
}

// quoted reads the words in quotes out of a sentence of the language.
func quoted(message, pattern string, to ...*string) bool {
	parts := strings.Split(pattern, "%s")
	for i, p := range parts[:len(parts)-1] {
		rest, ok := strings.CutPrefix(message, p)
		if !ok {
			return false
		}
		if *to[i], message, ok = strings.Cut(rest, "'"); !ok {
			return false
		}
		message = "'" + message
	}
	return true
}

// kindOf is a type of the language as people call it.
func kindOf(t string) string {
	switch {
	case t == "double", t == "int", t == "uint":
		return "a number"
	case t == "string":
		return "a text"
	case t == "bool":
		return "yes or no"
	case strings.HasPrefix(t, "list"):
		return "a list"
	}
	return "something else"
}

// checkPattern bounds what a text is matched with, which must be written out to be bounded.
func (c *compilation) checkPattern(e ast.Expr) {
	if !isString(e) {
		c.refuse(e, "the pattern of matches must be written out, in quotes")
		return
	}
	pattern := string(e.AsLiteral().(types.String))
	read, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		c.refuse(e, "%q is no pattern that texts can be matched with", pattern)
	} else if steps(read) > mostPattern {
		c.refuse(e, "the pattern is too large: repeat less in it")
	}
}

// steps is about how long the program of a pattern is. It is counted, not made: making it is what takes long.
func steps(p *syntax.Regexp) int {
	n := 1
	if p.Op == syntax.OpLiteral {
		n = len(p.Rune)
	}
	for _, sub := range p.Sub {
		n += steps(sub)
	}
	if p.Op == syntax.OpRepeat {
		n *= max(p.Min, p.Max, 1)
	}
	return n
}
