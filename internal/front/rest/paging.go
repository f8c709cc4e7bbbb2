package rest

import (
	"kontor/internal/foundation/db"
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

// recordKeys are the folded keys of the rows; nil where a row has none.
func (p Paged[Row]) recordKeys() []string {
	keys := make([]string, len(p.Items))
	for i := range p.Items {
		k, ok := any(p.Items[i]).(Keyed)
		if !ok {
			return nil
		}
		keys[i] = record.Fold(k.RecordKey())
	}
	return keys
}

// PageOf makes the envelope of what a list found, showing each row with show.
func PageOf[T, Row any](found record.Found[T], p Paging, show func(T) Row) Paged[Row] {
	out := Paged[Row]{Items: make([]Row, len(found.Items)), TotalCount: found.Total, Page: p.Page, PageSize: p.PageSize}
	for i := range found.Items {
		out.Items[i] = show(found.Items[i])
	}
	if p.PageSize > 0 {
		out.TotalPages = (found.Total + p.PageSize - 1) / p.PageSize
	}
	out.HasPreviousPage = p.Page > 1 && out.TotalPages > 0
	out.HasNextPage = p.Page < out.TotalPages
	return out
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

// Record is the page as the rooms' lists take it.
func (p Paging) Record() record.Page {
	return record.Page{Number: p.Page, Size: p.PageSize, Since: p.ModifiedSince, Horizon: p.Horizon}
}
