package rest

import (
	"fmt"
	"reflect"
	"strings"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// LLMs is the surface as plain text, after the llms.txt proposal: a title, a summary, then every operation with what it
// takes, so that a program which reads text alone can find its way. The guide stands after the summary.
func LLMs(s Surface) (string, error) {
	plans, err := plansOf(s)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n> %s\n\n%s\n", s.Title, s.Description, strings.TrimSpace(s.Guide))
	tag := ""
	for _, p := range plans {
		if p.tag != tag {
			tag = p.tag
			fmt.Fprintf(&b, "\n## %s\n\n", tag)
			for _, g := range s.Groups {
				if g.Tag == tag {
					b.WriteString(g.Doc + "\n\n")
				}
			}
		}
		p.tell(&b, s)
	}
	return b.String(), nil
}

// tell writes one operation.
func (p *plan) tell(b *strings.Builder, s Surface) {
	op := p.op
	fmt.Fprintf(b, "- `%s %s%s` (%s, answers %d): %s%s\n", op.Method, s.Prefix, op.Path, op.ID, op.Status, op.Doc,
		sentenceOfScope(op))
	if len(p.query) > 0 {
		names := each.Of(p.query, func(f *field) string { return f.name })
		b.WriteString("  Query: " + strings.Join(names, ", ") + ".\n")
	}
	if op.Traits.Example != "" {
		b.WriteString("  Body, for example: `" + op.Traits.Example + "`\n")
	}
	if len(op.Traits.Media) > 0 {
		b.WriteString("  Answer: " + strings.Join(op.Traits.Media, " or ") + ".\n")
	}
	if p.encode != nil && op.Out.Kind() == reflect.Struct {
		if fields := p.encode.told(); fields != "" {
			b.WriteString("  Answer: " + fields + ".\n")
		}
	}
	if len(op.Codes) > 0 {
		codes := each.Of(op.Codes, func(c fault.Code) string { return c.Name })
		b.WriteString("  Refuses with: " + strings.Join(codes, ", ") + ".\n")
	}
}

// told are the names of an answer's fields.
func (s *shape) told() string {
	names := each.Of(s.fields, func(f *field) string { return f.name })
	return strings.Join(names, ", ")
}
