package preview

import (
	"net/url"

	"kontor/internal/business/catalog"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
)

// PriceLists are price lists and the prices of items in them.
func PriceLists() rest.Group {
	return rest.Group{Tag: "PriceLists", Scope: "price-lists",
		Doc: "Price lists and prices per item. Fixed prices are written here; calculated ones are read.",
		Ops: []rest.Op{
			rest.List("listPriceLists", "/price-lists", "Price lists by code, inactive ones included.",
				rest.Lists[listPriceListsIn](shownPriceList, pricing.Page)).
				Cached(), rest.Create("createPriceList", "/price-lists", "Creates a price list.",
				rest.Creates[newPriceList](shownPriceList, pricing.Create)).
				Extension().
				Raises(pricing.ErrExists, pricing.ErrUnknownCode, pricing.ErrInvalid, pricing.ErrListValidity).
				Example(
					`{"code": "WHOLESALE-2026", "name": "Wholesale 2026", "currencyCode": "SEK", "type": "CustomerGroup", "customerGroupCodes": ["WHOLESALE"]}`),
			rest.Get("getPriceList", "/price-lists/{code}", "One price list.",
				shownPriceList.Of(pricing.Find)).CachedOne(pricing.Lists).
				Raises(pricing.ErrNotFound), rest.Patch("updatePriceList", "/price-lists/{code}",
				"Changes a price list's head.",
				rest.Edits[priceListFields](shownPriceList, pricing.Change)).
				Extension().
				Raises(pricing.ErrNotFound, pricing.ErrUnknownCode, pricing.ErrInvalid, pricing.ErrListValidity).
				Example(`{"validTo": "2026-12-31"}`),

			rest.List("listPriceListLines", "/price-lists/{code}/lines",
				"Lines of a price list by item, minQuantity and validFrom.", listPriceListLines).
				Cached().Raises(pricing.ErrNotFound),
			rest.Batch("batchUpsertPriceListLines", "/price-lists/{code}/lines/batch",
				"Creates or replaces up to 500 fixed prices, row by row.", batchPriceListLines).
				Raises(pricing.ErrNotFound, pricing.ErrUnknownItem, pricing.ErrDuplicate, pricing.ErrQuantityRange,
					pricing.ErrValidityRange, pricing.ErrNotFixed, pricing.ErrLineExists, pricing.ErrNoSuchLine,
					limit.ErrQuantity, limit.ErrAmount).
				Example(
					`{"mode": "upsert", "lines": [{"itemNumber": "A-100", "unitPrice": "199.00"}, {"itemNumber": "A-100", "minQuantity": "10", "unitPrice": "179.00"}]}`),
			rest.Get("getPriceListLine", "/price-lists/{code}/lines/{itemNumber}", "One line.", getPriceListLine).
				Extension().
				Raises(pricing.ErrNotFound, pricing.ErrLineNotFound, pricing.ErrAmbiguous),
			rest.Put("putPriceListLine", "/price-lists/{code}/lines/{itemNumber}", "Creates or replaces a fixed price.",
				putPriceListLine).
				Raises(pricing.ErrNotFound, catalog.ErrNotFound, pricing.ErrQuantityRange, pricing.ErrValidityRange,
					pricing.ErrNotFixed, pricing.ErrAmbiguous, limit.ErrQuantity, limit.ErrAmount).
				Example(`{"unitPrice": "199.00"}`),
			rest.Delete("deletePriceListLine", "/price-lists/{code}/lines/{itemNumber}", "Deletes a fixed price.",
				deletePriceListLine).
				Raises(pricing.ErrNotFound, pricing.ErrLineNotFound, pricing.ErrNotFixed, pricing.ErrAmbiguous),
		}}
}

// priceListFields are what may be written of a price list.
type priceListFields struct {
	Name                string       `json:"name" req:"true" text:"name"`
	Description         rest.Text    `json:"description" text:"note"`
	CurrencyCode        string       `json:"currencyCode" req:"true" doc:"ISO 4217; applies to every price."`
	Type                pricing.Type `json:"type" req:"true"`
	IsActive            bool         `json:"isActive" default:"true" doc:"An inactive list is never applied to an order."`
	IsPriceIncludingTax bool         `json:"isPriceIncludingTax"`
	Priority            int          `json:"priority" doc:"The lower number wins where several lists apply."`
	BasePriceListCode   rest.Text    `json:"basePriceListCode" doc:"Parent list of lines with the strategy ParentPriceList."`
	ValidFrom           rest.Date    `json:"validFrom"`
	ValidTo             rest.Date    `json:"validTo"`
	IsDefault           bool         `json:"isDefault" doc:"The company's Standard list; setting it takes it from the list that was."`
	CustomerNumbers     []string     `json:"customerNumbers" doc:"Whom a Contract or Customer list is for."`
	CustomerGroupCodes  []string     `json:"customerGroupCodes" doc:"Which groups a CustomerGroup list is for."`
	ChannelCodes        []string     `json:"channelCodes" doc:"Which channels a Campaign or Standard list is for; a Campaign list without any is for everybody."`
}

type newPriceList struct {
	Code string `json:"code" req:"true"`
	priceListFields
}

// PriceList is a price list on the wire.
type PriceList struct {
	rest.Tag
	Code string `json:"code"`
	priceListFields
	rest.Stamps
	Links rest.Links `json:"links" of:"Code" self:"/preview/price-lists/"`
}

const priceListsPath = "/preview/price-lists/"

var shownPriceList = rest.Shows(rest.Shown[PriceList, pricing.List]())

type listPriceListsIn struct {
	rest.Paging
	Search       string       `query:"search" doc:"Part of code, name or description."`
	Type         pricing.Type `query:"type"`
	CurrencyCode string       `query:"currencyCode"`
	IsActive     *bool        `query:"isActive"`
}

// PriceListLine is a price of an item in a list.
type PriceListLine struct {
	rest.WideTag
	ItemNumber   string         `json:"itemNumber" of:"Item"`
	ItemName     string         `json:"itemName"`
	MinQuantity  dec.Dec        `json:"minQuantity" doc:"From this quantity on, in base units; 0 is from the first unit. Part of the key."`
	MaxQuantity  *dec.Dec       `json:"maxQuantity" doc:"Up to this quantity, inclusive."`
	ValidFrom    rest.Date      `json:"validFrom" doc:"Part of the key."`
	ValidTo      rest.Date      `json:"validTo"`
	Strategy     price.Strategy `json:"strategy"`
	UnitPrice    *dec.Fixed     `json:"unitPrice" doc:"Of a base unit: as entered, or as last calculated; null before the first calculation."`
	Percentage   *dec.Dec       `json:"percentage" doc:"CostPlusPercent adds it; BasePriceDiscount and ParentPriceList take it off."`
	FixedAmount  *dec.Fixed     `json:"fixedAmount" doc:"CostPlusAmount adds it to the cost."`
	CalculatedAt rest.Time      `json:"calculatedAt" doc:"When unitPrice was calculated; null on fixed prices."`
	rest.Stamps
	Links rest.Links `json:"links" of:"-"`
}

var priceListLineShown = rest.ShownIn[PriceListLine, pricing.Line]()

func priceListLineOf(l pricing.Line, digits int) PriceListLine {
	out := priceListLineShown(digits, l)
	out.Links = priceListLineLinks(l)
	return out
}

// priceListLineLinks name a line by what of its key is not the ordinary: the ordinary price has no query.
func priceListLineLinks(l pricing.Line) rest.Links {
	links := rest.Self(priceListsPath, l.ListCode, "lines", l.Item)
	query := url.Values{}
	if l.MinQuantity != 0 {
		query.Set("minQuantity", l.MinQuantity.String())
	}
	if l.ValidFrom != "" {
		query.Set("validFrom", string(l.ValidFrom))
	}
	if len(query) > 0 {
		links.Self += "?" + query.Encode()
	}
	return links
}

type listPriceListLinesIn struct {
	rest.Paging
	Code       string   `path:"code"`
	ItemNumber string   `query:"itemNumber"`
	ValidOn    day.Date `query:"validOn" doc:"Only lines in force that day."`
}

func listPriceListLines(tx *db.Tx, in listPriceListLinesIn) (rest.Paged[PriceListLine], error) {
	list, found, err := pricing.PageOfLines(tx, in.Code, pricing.LineFilter{Item: in.ItemNumber, ValidOn: in.ValidOn},
		in.Record())
	if err != nil {
		return rest.Paged[PriceListLine]{}, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return rest.Paged[PriceListLine]{}, err
	}
	digits := book.Digits(list.CurrencyCode)
	return rest.PageOf(found, in.Paging, func(l pricing.Line) PriceListLine { return priceListLineOf(l, digits) }), nil
}

type priceListLineIn struct {
	Code        string   `path:"code"`
	ItemNumber  string   `path:"itemNumber"`
	MinQuantity *dec.Dec `query:"minQuantity" min:"0" doc:"Left out: the ordinary price."`
	ValidFrom   day.Date `query:"validFrom" doc:"Left out: the price without a first day."`
}

func (in priceListLineIn) key() pricing.LineKey {
	k := pricing.LineKey{MinQuantity: in.MinQuantity}
	if in.ValidFrom != "" {
		k.ValidFrom = &in.ValidFrom
	}
	return k
}

func getPriceListLine(tx *db.Tx, in priceListLineIn) (PriceListLine, error) {
	list, l, err := pricing.FindLine(tx, in.Code, in.ItemNumber, in.key())
	if err != nil {
		return PriceListLine{}, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return PriceListLine{}, err
	}
	return priceListLineOf(l, book.Digits(list.CurrencyCode)), nil
}

func deletePriceListLine(tx *db.Tx, in priceListLineIn) (rest.NoContent, error) {
	return rest.NoContent{}, pricing.DeleteLine(tx, in.Code, in.ItemNumber, in.key())
}

// fixedPrice is a price as it is written, less the item.
type fixedPrice struct {
	UnitPrice   dec.Dec   `json:"unitPrice" req:"true" min:"0" doc:"Of a base unit."`
	MinQuantity *dec.Dec  `json:"minQuantity" min:"0" doc:"In base units; left out: the ordinary price. Part of the key."`
	MaxQuantity *dec.Dec  `json:"maxQuantity" min:"0" doc:"Inclusive; left out: no limit."`
	ValidFrom   rest.Date `json:"validFrom" doc:"Part of the key."`
	ValidTo     rest.Date `json:"validTo" doc:"Inclusive; left out: no last day."`
}

var (
	fixedPrices = rest.Written[fixedPrice, pricing.Line]()
	priceLines  = rest.Written[[]priceListRow, []pricing.Line]()
)

func putPriceListLine(tx *db.Tx, in rest.With[rest.Part, fixedPrice]) (rest.NoContent, error) {
	line := fixedPrices(in.Body)
	line.Item = in.At.Key
	out, err := pricing.SetPrice(tx, in.At.Of, line)
	return rest.NoContent{Tag: rest.Tag{Value: out.Line.ETag()}}, err
}

type batchUpsertPriceListLinesRequest struct {
	Lines []priceListRow `json:"lines" req:"true" minItems:"1" maxItems:"500"`
	Mode  pricing.Mode   `json:"mode" default:"upsert"`
}

// priceListRow is a row of a batch of prices.
type priceListRow struct {
	ItemNumber string `json:"itemNumber" of:"Item" req:"true"`
	fixedPrice
}

// BatchPriceListLines is the answer to a batch of prices.
type BatchPriceListLines struct {
	tally
	Results []BatchPriceListLineResult `json:"results"`
}

// BatchPriceListLineResult is what became of a row.
type BatchPriceListLineResult struct{ itemOutcome }

func batchPriceListLines(tx *db.Tx, in rest.With[rest.Key, batchUpsertPriceListLinesRequest]) (BatchPriceListLines,
	error) {
	rows := in.Body.Lines
	saved, err := pricing.SetPrices(tx, in.At.Key, priceLines(rows), in.Body.Mode)
	out := BatchPriceListLines{Results: make([]BatchPriceListLineResult, len(saved))}
	for n, s := range saved {
		out.Results[n] = BatchPriceListLineResult{out.ofItem(n, rows[n].ItemNumber, s.Err, s.Created)}
	}
	return out, err
}
