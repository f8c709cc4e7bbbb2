package demo

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/configuration"
	"kontor/internal/business/media"
	"kontor/internal/business/production"
	"kontor/internal/business/stock"
	"kontor/internal/engine/configure"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/halt"
)

// Lavvo is the item that the sample company sews to order.
const Lavvo = "LVO-100"

// part is what a lavvo is sewn of; nobody buys it by itself.
type part struct {
	number, name, unit string
	cost, stored       int64
}

func parts() []part {
	return []part{
		{"PRT-COTTON", "Lavvo cloth, cotton 330 g", "M", 145, 240}, {"PRT-ZIP", "Zip, 2 m, two sliders", "", 120, 40},
		{"PRT-PEGS", "Pegs of steel, set of 12", "", 95, 60}, {"PRT-BAG", "Bag for a lavvo", "", 140, 25},
		{"PRT-POLE-W", "Centre pole, spruce", "", 210, 12}, {"PRT-POLE-A", "Centre pole, aluminium", "", 520, 8},
		{"PRT-POLE-C", "Centre pole, carbon", "", 1390, 3}, {"PRT-STOVE", "Wood stove with pipe", "", 1750, 5},
		{"PRT-FLOOR", "Groundsheet", "", 430, 14},
	}
}

// storeParts makes the parts and puts them on their shelf.
func storeParts(tx *db.Tx) {
	var items []catalog.Item
	for _, p := range parts() {
		i := newItem(p.number, p.name, "CARE", "NORDLYS", p.unit)
		if p.unit == "M" {
			i.DecimalPlaces = 1
		}
		items = append(items, i)
	}
	halt.On(catalog.CreateMany(tx, items))
	var moves []stock.Move
	for n, p := range parts() {
		moves = append(moves, stock.Move{ItemID: items[n].ID, Item: p.number, Tracking: catalog.None, Warehouse: "MAIN",
			Location: "C-03", Quantity: dec.Int(p.stored), UnitCost: crowns(p.cost), RefType: "Opening",
			Notes: "For the sewing room"})
	}
	halt.Must(stock.Receive(tx, stock.Receipt, moves))
}

// madeToOrder makes the lavvo with its choices and its bill of materials.
func (f *filler) madeToOrder(files *media.Library) {
	picture := halt.Must(files.Take(f.ctx, f.company, "lavvo.svg", draw("LVO", paints()[0]), false))
	schema := written[configure.Schema]("lavvo.json", nil)
	f.found(func(tx *db.Tx) {
		i := newItem(Lavvo, "Lavvo made to order", "TENTS", "NORDLYS", "")
		price, weight := dec.Int(9900), dec.Int(9)
		i.SalesPrice, i.WeightKg, i.Replenishment = &price, &weight, catalog.Manufacture
		i.Description, i.GTIN = textOf("LVO").Long, gtin(900)
		storeParts(tx)
		halt.On(catalog.CreateMany(tx, []catalog.Item{i}))
		out := halt.Must(channel.Publish(tx, []channel.Publication{{ItemNumber: Lavvo, ChannelCode: "WEB",
			IsPublished: true, IsPurchasable: true, AllowBackorder: true, IsFeatured: true, ShortDescription: textOf("LVO").Short,
			SortOrder: 1_000}}))
		halt.On(out[0].Err)
		shown := media.ItemAsset{Kind: media.Image, File: picture, Title: "Lavvo", AltText: "A lavvo with an open door"}
		halt.Must(media.CreateItemAsset(tx, Lavvo, shown))
		halt.Must(configuration.SaveSchema(tx, Lavvo, schema))
		halt.Must(production.ChangeBOM(tx, Lavvo, func(b *production.BOM) error {
			b.Lines = []production.BOMLine{{Item: "PRT-COTTON", Quantity: dec.Int(14), ScrapPercent: dec.Int(5)}}
			for _, one := range []string{"PRT-ZIP", "PRT-PEGS", "PRT-BAG"} {
				b.Lines = append(b.Lines, production.BOMLine{Item: one, Quantity: dec.One})
			}
			return nil
		}))
	})
}
