package ecom

import (
	"bufio"
	"cmp"
	"context"
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"kontor/internal/business/assortment"
	"kontor/internal/business/channel"
	"kontor/internal/business/media"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/table"
	"kontor/internal/front/rest"
)

// feedFormat is a form of the feed.
type feedFormat string

// Values are the forms.
func (feedFormat) Values() []feedFormat { return []feedFormat{"xml", "csv"} }

// The media types of the feed's forms.
const (
	feedXML = "application/xml"
	feedCSV = "text/csv"
)

type feedIn struct {
	Format feedFormat `query:"format" doc:"xml: RSS 2.0 with the shopping namespace; csv: a row for each product. Left out: xml."`
}

// feedForm moves when feeds are written otherwise, so that nobody keeps one of the old form.
const feedForm = "2"

// fed sends the feed page by page, each read in a snapshot of its own: a slow reader holds nothing up.
func (w Window) fed(_ context.Context, s *rest.Streaming, in feedIn) (rest.NoContent, error) {
	var c channel.Channel
	var tag string
	company := ""
	err := s.ReadCommitted(func(tx *db.Tx) error {
		c, company = storefront.Of(tx).Channel, tx.Company
		mark, err := assortment.FeedMark(tx, c)
		tag = `W/"` + feedForm + "-" + cmp.Or(string(in.Format), "xml") + "-" + mark + `"`
		return err
	})
	if err != nil || s.Fresh(tag) {
		return rest.NoContent{}, err
	}
	shown := feedShown{c, func(f media.File) string {
		if f.Hash == "" {
			return ""
		}
		at := w.Picture(company, f)
		if strings.HasPrefix(at, "/") {
			at = w.Base() + at
		}
		return at
	}}
	write, name := shown.xml, feedXML
	if in.Format == "csv" {
		write, name = shown.csv, feedCSV
	}
	all := func(each func(assortment.FeedRow) error) error {
		for next, more := "", true; more; more = next != "" {
			var rows []assortment.FeedRow
			from := next
			err := s.Read(func(tx *db.Tx) (err error) {
				rows, next, err = assortment.FeedAfter(tx, c, from)
				return err
			})
			for i := 0; err == nil && i < len(rows); i++ {
				err = each(rows[i])
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return rest.NoContent{}, s.Send(name+"; charset=utf-8", func(to io.Writer) error { return write(to, all) })
}

// feedShown writes the products of a channel.
type feedShown struct {
	channel channel.Channel
	picture func(media.File) string
}

// feedFields are the attributes of the shopping namespace, in the order in which they are written.
var feedFields = []string{"id", "title", "description", "link", "image_link", "availability", "availability_date",
	"price", "sale_price", "brand", "gtin", "mpn", "identifier_exists", "condition", "product_type", "item_group_id",
	"shipping_weight"}

// The lengths that the providers of shopping ads take, in characters.
const (
	feedTitle       = 150
	feedDescription = 5_000
)

// values are those of feedFields; "" is left out.
func (f feedShown) values(r assortment.FeedRow) []string {
	money := func(d dec.Dec) string { return d.Fixed(r.Price.Digits) + " " + r.Price.CurrencyCode }
	price, sale := money(*r.Price.UnitPriceIncludingTax), ""
	if own := r.Price.ComparePrice; own != nil {
		price, sale = money(*own), price
	}
	availability, from := "out_of_stock", ""
	switch {
	case r.Stock.Available():
		availability = "in_stock"
	case r.Stock.Status == assortment.OnOrder && r.Stock.Expected != "":
		availability, from = "backorder", string(r.Stock.Expected)
	case r.Stock.Status == assortment.OnOrder:
		availability = "backorder"
	}
	unnamed := ""
	if r.Item.GTIN == "" && (r.Item.ManufacturerNumber == "" || r.BrandName == "") {
		unnamed = "no"
	}
	weight := ""
	if r.Item.WeightKg != nil && *r.Item.WeightKg > 0 {
		weight = r.Item.WeightKg.String() + " kg"
	}
	return []string{r.Item.Number, clipped(r.Name, feedTitle),
		clipped(cmp.Or(assortment.PlainText(r.Description), r.ShortDescription, r.Name), feedDescription),
		f.channel.URL() + f.channel.Paths.ProductPath(r.Slug), f.picture(r.Picture), availability, from, price, sale,
		r.BrandName, r.Item.GTIN, r.Item.ManufacturerNumber, unnamed, "new", strings.Join(r.ProductType, " > "),
		r.Group, weight}
}

// clipped is text on one line, of so many characters at most.
func clipped(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:most-1])) + "…"
}

// rows calls each with every product, one after the other.
type rows func(each func(assortment.FeedRow) error) error

// xml writes the feed as RSS 2.0.
func (f feedShown) xml(to io.Writer, all rows) error {
	b := bufio.NewWriterSize(to, 1<<16)
	element := func(name, value string) {
		_, _ = b.WriteString("<" + name + ">") // a failure stays and is answered by Flush
		_ = xml.EscapeText(b, []byte(value))
		_, _ = b.WriteString("</" + name + ">\n")
	}
	_, _ = b.WriteString(xml.Header + `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">` + "\n<channel>\n")
	element("title", f.channel.Name)
	element("link", f.channel.URL()+"/")
	element("description", f.channel.Name)
	err := all(func(r assortment.FeedRow) error {
		_, _ = b.WriteString("<item>\n")
		for i, v := range f.values(r) {
			if v != "" {
				element("g:"+feedFields[i], v)
			}
		}
		_, err := b.WriteString("</item>\n")
		return err
	})
	if err != nil {
		return err
	}
	_, _ = b.WriteString("</channel>\n</rss>\n")
	return b.Flush()
}

// csv writes the feed as a table. Values that begin like a formula are marked as in every table that leaves the house.
func (f feedShown) csv(to io.Writer, all rows) error {
	t, err := table.Write(to, "feed.csv", slices.Clone(feedFields), table.Options{})
	if err != nil {
		return err
	}
	if err := all(func(r assortment.FeedRow) error { return t.Row(f.values(r)...) }); err != nil {
		return err
	}
	return t.Close()
}
