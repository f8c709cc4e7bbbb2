package preview

import (
	"context"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
)

// Reserve keeps a host name for a company's channel, before the channel takes it. Channel.DomainTaken.
type Reserve func(ctx context.Context, company, host, channelCode string) error

// Channels are the places where the company sells, and what is published in each.
func Channels(reserve Reserve) rest.Group {
	return rest.Group{Tag: "Channels", Scope: "channels",
		Doc: "Sales channels with their commercial terms, and the items published in them.", Ops: []rest.Op{
			rest.List("listChannels", "/channels", "Channels by code.",
				rest.Lists[listChannelsIn](shownChannel, channel.List)).Cached(),
			rest.Get("getChannel", "/channels/{channelCode}", "One channel with its commercial terms.",
				shownChannel.Of(channel.Find)).
				Raises(channel.ErrNotFound).CachedOne(channel.Channels),
			rest.Before(rest.Patch("updateChannel", "/channels/{channelCode}", "Changes a channel's commercial terms.",
				rest.Edits[channelFields](shownChannel, channel.Change)), reserving(reserve)).
				Raises(channel.ErrNotFound, channel.ErrUnknownCode, channel.ErrDomainTaken).Extension().
				Example(`{"isActive": true, "countries": ["SE", "NO"]}`),

			rest.List("listItemChannels", "/item-channels", "Publications by item number and channel.",
				rest.Lists[listItemChannelsIn](shownItemChannel, channel.ListPublications)).
				Cached(), rest.Get("getItemChannel", "/item-channels/{itemNumber}/{channelCode}", "One publication.",
				rest.OfPart[rest.Part](shownItemChannel, channel.FindPublication)).
				Raises(channel.ErrPublicationNotFound),
			rest.Put("putItemChannel", "/item-channels/{itemNumber}/{channelCode}",
				"Publishes an item in a channel, or replaces its publication.", putItemChannel).
				Raises(catalog.ErrNotFound, channel.ErrNotFound, channel.ErrSlugInvalid, channel.ErrSlugTaken,
					channel.ErrWindowInvalid).
				Example(`{"isPublished": true, "title": "Hammer, 500 g", "isFeatured": false}`),
			rest.Delete("deleteItemChannel", "/item-channels/{itemNumber}/{channelCode}",
				"Takes an item out of a channel.", rest.GonePart[rest.Part](channel.Withdraw)).
				Raises(channel.ErrPublicationNotFound),
			rest.Batch("batchUpsertItemChannels", "/item-channels/batch",
				"Publishes up to 200 items, row by row: a refused row does not stop the others.", batchItemChannels).
				Raises(channel.ErrUnknownItem, channel.ErrUnknownChannel, channel.ErrDuplicateInBatch,
					channel.ErrSlugInvalid, channel.ErrSlugTaken, channel.ErrWindowInvalid).
				Example(`{"itemChannels": [{"itemNumber": "A-100", "channelCode": "WEB", "isPublished": true}]}`),
		}}
}

// channelFields are what may be written of a channel.
type channelFields struct {
	Name                string       `json:"name" req:"true" text:"name" example:"Web shop"`
	Type                channel.Type `json:"type"`
	Domain              rest.Text    `json:"domain" text:"name" doc:"Host name, one channel's only." example:"shop.example.com"`
	CurrencyCode        string       `json:"currencyCode" req:"true"`
	WarehouseCode       string       `json:"warehouseCode" req:"true" doc:"Stock is promised from here."`
	PriceListCode       rest.Text    `json:"priceListCode" doc:"Preferred over the company's default list."`
	OrderTypeCode       string       `json:"orderTypeCode" req:"true" doc:"Of orders placed here."`
	IsActive            bool         `json:"isActive"`
	IsPriceIncludingTax bool         `json:"isPriceIncludingTax" doc:"Prices are shown, and documents made, with tax included."`
	Languages           []string     `json:"languages" maxItems:"50" doc:"Language tags; the first is the default." example:"[\"sv\", \"en\"]"`
	Countries           []string     `json:"countries" maxItems:"250" doc:"ISO 3166-1 alpha-2; empty sells everywhere." example:"[\"SE\"]"`
}

var channelsFields = rest.Alike[channelFields, channel.Channel]()

// Channel is a channel on the wire.
type Channel struct {
	rest.Tag
	ChannelCode string `json:"channelCode" of:"Code" example:"WEB"`
	channelFields
	ID string `json:"id" format:"uuid"`
	rest.Stamps
	Links rest.Links `json:"links" of:"Code" self:"/preview/channels/"`
}

var shownChannel = rest.Shows(rest.Shown[Channel, channel.Channel]())

type listChannelsIn struct {
	rest.Paging
	Type     channel.Type `query:"type"`
	IsActive *bool        `query:"isActive"`
}

// reserving reserves the domain that a channel is about to get.
func reserving(reserve Reserve) func(*rest.Ahead, *rest.With[rest.Key, rest.Merge[channelFields]]) error {
	return func(a *rest.Ahead, in *rest.With[rest.Key, rest.Merge[channelFields]]) error {
		var f channelFields
		var before string
		err := a.Read(func(tx *db.Tx) error {
			c, err := channel.Find(tx, in.At.Key)
			before, f = c.Domain, channelsFields.Of(c)
			if err != nil {
				return err
			}
			return in.Body.Onto(&f)
		})
		host := strings.ToLower(strings.TrimSpace(string(f.Domain)))
		if err != nil || host == "" || host == before {
			return nil // whatever is wrong is said by the operation itself
		}
		return reserve(a.Context, a.Company(), host, in.At.Key)
	}
}

// publicationFields are what may be written of a publication.
type publicationFields struct {
	IsPublished      bool      `json:"isPublished" default:"true"`
	Slug             rest.Text `json:"slug" text:"name" doc:"Of the item's page, unique in the channel: lower-case letters, digits, hyphens. Left out: kept, or made from the item's name. A changed slug leaves a 301." example:"hammer-500-g"`
	Title            rest.Text `json:"title" text:"name" doc:"Null shows the item's name."`
	Description      rest.Text `json:"description" text:"html"`
	ShortDescription rest.Text `json:"shortDescription" text:"note"`
	MetaTitle        rest.Text `json:"metaTitle" text:"name"`
	MetaDescription  rest.Text `json:"metaDescription" text:"note"`
	SortOrder        int       `json:"sortOrder"`
	PublishFrom      rest.Time `json:"publishFrom" doc:"Not shown before; null: at once."`
	PublishTo        rest.Time `json:"publishTo" doc:"Not shown from then on; null: for good."`
	IsFeatured       bool      `json:"isFeatured"`
	IsPurchasable    bool      `json:"isPurchasable" default:"true" doc:"False shows the item without selling it."`
	AllowBackorder   bool      `json:"allowBackorder" doc:"It may be ordered beyond what is in stock."`
}

var (
	publicationsFields = rest.Alike[publicationFields, channel.Publication]()
	publications       = rest.Written[[]itemChannelRow, []channel.Publication]()
)

// ItemChannel is a publication on the wire.
type ItemChannel struct {
	rest.Tag
	ItemNumber  string `json:"itemNumber" example:"A-100"`
	ChannelCode string `json:"channelCode" example:"WEB"`
	publicationFields
	ID string `json:"id" format:"uuid"`
	rest.Stamps
	Links rest.Links `json:"links" of:"ItemNumber,ChannelCode" self:"/preview/item-channels/"`
}

var shownItemChannel = rest.Shows(rest.Shown[ItemChannel, channel.Publication]())

type listItemChannelsIn struct {
	rest.Paging
	ItemNumber  string `query:"itemNumber"`
	ChannelCode string `query:"channelCode"`
	IsPublished *bool  `query:"isPublished"`
}

// putItemChannel publishes one item. What the path names and is not there is 404, unlike in a batch.
func putItemChannel(tx *db.Tx, in rest.With[rest.Part, publicationFields]) (rest.NoContent, error) {
	if _, err := channel.Find(tx, in.At.Key); err != nil {
		return rest.NoContent{}, err
	}
	if _, err := catalog.Find(tx, in.At.Of); err != nil {
		return rest.NoContent{}, err
	}
	p := channel.Publication{ItemNumber: in.At.Of, ChannelCode: in.At.Key}
	publicationsFields.Onto(in.Body, &p)
	out, err := channel.Publish(tx, []channel.Publication{p})
	if err != nil {
		return rest.NoContent{}, err
	}
	return rest.NoContent{Tag: rest.Tag{Value: out[0].ETag()}}, out[0].Err
}

type itemChannelRow struct {
	ItemNumber  string `json:"itemNumber" req:"true"`
	ChannelCode string `json:"channelCode" req:"true"`
	publicationFields
}

type batchUpsertItemChannelsRequest struct {
	ItemChannels []itemChannelRow `json:"itemChannels" req:"true" minItems:"1" maxItems:"200"`
}

// ItemChannelBatch is the outcome of a batch of publications.
type ItemChannelBatch struct {
	tally
	Results []ItemChannelResult `json:"results"`
}

// ItemChannelResult is what became of one row.
type ItemChannelResult struct {
	Index       int       `json:"index" doc:"Of the row in the request, from 0."`
	ItemNumber  string    `json:"itemNumber"`
	ChannelCode string    `json:"channelCode"`
	Outcome     string    `json:"outcome" doc:"created, updated or failed."`
	Error       *RowError `json:"error"`
}

func batchItemChannels(tx *db.Tx, in rest.Sent[batchUpsertItemChannelsRequest]) (ItemChannelBatch, error) {
	out, err := channel.Publish(tx, publications(in.Body.ItemChannels))
	batch := ItemChannelBatch{Results: make([]ItemChannelResult, len(out))}
	for i, o := range out {
		batch.Results[i] = ItemChannelResult{i, o.ItemNumber, o.ChannelCode, batch.outcome(o.Err, o.IsNew, "updated"),
			rowError(o.Err)}
	}
	return batch, err
}
