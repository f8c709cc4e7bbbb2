package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
)

func itemRelations() []rest.Op {
	return []rest.Op{
		rest.List("listItemRelations", "/items/{itemNumber}/relations",
			"Related items, cross-sells, accessories, spare parts.", shownRelation.Parts(relationsOf)).
			NoDelta(whyNoDelta).Raises(catalog.ErrNotFound),
		rest.Put("putItemRelation", "/items/{itemNumber}/relations/{relationType}/{targetItemNumber}",
			"Relates an item to another.", putItemRelation).
			Raises(catalog.ErrNotFound, catalog.ErrRelationType, catalog.ErrSelfReference).Example(`{"sortOrder": 10}`),
		rest.Delete("deleteItemRelation", "/items/{itemNumber}/relations/{relationType}/{targetItemNumber}",
			"Removes a relation.", deleteItemRelation).
			Raises(catalog.ErrNotFound, catalog.ErrRelationType, catalog.ErrRelationNotFound),
		rest.Batch("batchCreateItemRelations", "/item-relations/batch", "Creates up to 200 relations, row by row.",
			batchItemRelations).
			Raises(catalog.ErrUnknownSource, catalog.ErrUnknownTarget, catalog.ErrSelfReference,
				catalog.ErrRelationType, catalog.ErrGradedAlternative).
			Example(
				`{"relations": [{"sourceItemNumber": "A-100", "targetItemNumber": "A-200", "relationType": "Accessory"}]}`),
	}
}

// ItemRelation leads to another item, on the wire.
type ItemRelation struct {
	RelationType     catalog.RelationType `json:"relationType" of:"Type"`
	TargetItemNumber string               `json:"targetItemNumber" of:"Target"`
	TargetItemName   string               `json:"targetItemName" of:"Name"`
	SortOrder        int                  `json:"sortOrder"`
}

var shownRelation = rest.Shows(rest.Shown[ItemRelation, catalog.Relation]())

func relationsOf(tx *db.Tx, item string, p record.Page) (found record.Found[catalog.Relation], err error) {
	i, err := catalog.Find(tx, item)
	if err != nil {
		return found, err
	}
	return catalog.ListRelations(tx, i.ID, p)
}

// itemRelationIn names a relation by its path.
type itemRelationIn struct {
	ItemNumber       string `path:"itemNumber"`
	RelationType     string `path:"relationType" doc:"Related, CrossSell, UpSell, Accessory, SparePart, Alternative or Replacement."`
	TargetItemNumber string `path:"targetItemNumber"`
}

type putItemRelationIn struct {
	itemRelationIn
	Body *struct {
		SortOrder int `json:"sortOrder"`
	}
}

func putItemRelation(tx *db.Tx, in putItemRelationIn) (rest.NoContent, error) {
	i, err := catalog.PutRelation(tx, in.ItemNumber, in.RelationType, in.TargetItemNumber,
		rest.OrZero(in.Body).SortOrder)
	return changedItem.One(tx, i, err)
}

func deleteItemRelation(tx *db.Tx, in itemRelationIn) (rest.NoContent, error) {
	i, err := catalog.DeleteRelation(tx, in.ItemNumber, in.RelationType, in.TargetItemNumber)
	return changedItem.One(tx, i, err)
}

type batchCreateItemRelationsRequest struct {
	Relations []itemRelationRow `json:"relations" req:"true" minItems:"1" maxItems:"200"`
}

// itemRelationRow is a row of a batch. Its type is a text, since an unknown one fails its row alone.
type itemRelationRow struct {
	SourceItemNumber string `json:"sourceItemNumber" of:"Source" req:"true"`
	TargetItemNumber string `json:"targetItemNumber" of:"Target" req:"true"`
	RelationType     string `json:"relationType" of:"Type" req:"true" example:"Accessory"`
}

// BatchItemRelations is the answer to a batch of relations.
type BatchItemRelations struct {
	CreatedCount   int                  `json:"createdCount"`
	UnchangedCount int                  `json:"unchangedCount"`
	FailedCount    int                  `json:"failedCount"`
	Results        []ItemRelationResult `json:"results"`
}

// ItemRelationResult is what became of a row.
type ItemRelationResult struct {
	Index            int       `json:"index"`
	SourceItemNumber string    `json:"sourceItemNumber"`
	TargetItemNumber string    `json:"targetItemNumber"`
	Outcome          string    `json:"outcome" doc:"created, unchanged or failed."`
	Error            *RowError `json:"error"`
}

var relationRows = rest.Written[[]itemRelationRow, []catalog.RelationRow]()

func batchItemRelations(tx *db.Tx, in rest.Sent[batchCreateItemRelationsRequest]) (BatchItemRelations, error) {
	rows := relationRows(in.Body.Relations)
	created, refused, err := catalog.Relate(tx, rows)
	if err != nil {
		return BatchItemRelations{}, err
	}
	out := BatchItemRelations{Results: make([]ItemRelationResult, len(rows))}
	var count tally
	for n, r := range rows {
		out.Results[n] = ItemRelationResult{n, r.Source, r.Target, count.outcome(refused[n], created[n], "unchanged"),
			rowError(refused[n])}
	}
	out.CreatedCount, out.UnchangedCount, out.FailedCount = count.CreatedCount, count.UpdatedCount, count.FailedCount
	return out, nil
}
