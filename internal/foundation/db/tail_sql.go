package db

import (
	"fmt"
	"strings"
)

// tailText is the statement of all sources, and of the company's data and epoch as one text.
func (s *Store) tailText() string {
	s.tailOnce.Do(func() {
		var b strings.Builder
		b.WriteString(`-- db.tail
			select -1, epoch, generation, '', '' from company_state where company = :company`)
		for i, source := range s.sources {
			fmt.Fprintf(&b, "\nunion all select %d, stamp, resource, key, kind from (%s limit :most) as of%d", i,
				source.Query, i)
		}
		s.tail = strings.NewReplacer(":company", "$1::text", ":from", "$2::bigint", ":most", "$3::bigint").
			Replace(b.String())
	})
	return s.tail
}
