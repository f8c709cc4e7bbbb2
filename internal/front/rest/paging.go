package rest

import (
	"reflect"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// maxPageSize is the most rows of a page; a caller who asks for more gets so many.
const maxPageSize = 200

// Paging are the parameters of every list; a list's In embeds it.
type Paging struct {
	Page          int     `query:"page" min:"1" default:"1" doc:"Page, from 1."`
	PageSize      int     `query:"pageSize" min:"1" default:"50" doc:"Rows of a page; more than 200 is read as 200."`
	ModifiedSince db.Time `query:"modifiedSince" doc:"Only records created or changed at or after this instant: with Z, an offset, or neither (UTC)."`
	// Horizon is the instant before which everything committed is visible; it is set by the surface
	// before the list reads, and sent as Sync-Watermark.
	Horizon db.Time
}

// Paged is the envelope of every list.
type Paged[Row any] struct {
	Items           []Row `json:"items"`
	TotalCount      int   `json:"totalCount"`
	Page            int   `json:"page"`
	PageSize        int   `json:"pageSize"`
	TotalPages      int   `json:"totalPages"`
	HasPreviousPage bool  `json:"hasPreviousPage"`
	HasNextPage     bool  `json:"hasNextPage"`
}

// Keyed is a row that knows the business key of its record.
type Keyed interface{ RecordKey() string }

// recordKeys are the folded keys of the rows of a page; none where it is no page, or where a row has none.
func recordKeys(page any) (keys []string, keyed bool) {
	rows := reflect.Indirect(reflect.ValueOf(page)).FieldByName("Items")
	if !rows.IsValid() || !reflect.PointerTo(rows.Type().Elem()).Implements(reflect.TypeFor[Keyed]()) {
		return nil, false
	}
	for i := range rows.Len() {
		keys = append(keys, record.Fold(rows.Index(i).Addr().Interface().(Keyed).RecordKey()))
	}
	return keys, true
}

// PageOf makes the envelope of what a list found, showing each row with show.
func PageOf[T, Row any](found record.Found[T], p Paging, show func(T) Row) Paged[Row] {
	out := Paged[Row]{Items: each.Of(found.Items, show), TotalCount: found.Total, Page: p.Page, PageSize: p.PageSize}
	out.TotalPages, out.HasPreviousPage, out.HasNextPage = p.of(found.Total)
	return out
}

// of is how many pages there are of so many rows, and whether there are some before and after this one.
func (p Paging) of(rows int) (pages int, before, after bool) {
	if p.PageSize > 0 {
		pages = (rows + p.PageSize - 1) / p.PageSize
	}
	return pages, p.Page > 1 && pages > 0, p.Page < pages
}

// PageOfAll makes the envelope of a page of a list that is at hand as a whole.
func PageOfAll[T, Row any](all []T, p Paging, show func(T) Row) Paged[Row] {
	from := len(all) // past the end
	if p.Page-1 <= len(all)/p.PageSize {
		from = min((p.Page-1)*p.PageSize, len(all))
	}
	to := min(from+p.PageSize, len(all))
	return PageOf(record.Found[T]{Items: all[from:to], Total: len(all)}, p, show)
}

func (p Paging) paging() Paging { return p }

// AsksChanges reports whether a list tells what has changed: of all that was acknowledged before it was asked then.
func (p Paging) AsksChanges() bool { return p.ModifiedSince != 0 }

// Record is the page as the rooms' lists take it.
func (p Paging) Record() record.Page {
	return record.Page{Number: p.Page, Size: p.PageSize, Since: p.ModifiedSince, Horizon: p.Horizon}
}
