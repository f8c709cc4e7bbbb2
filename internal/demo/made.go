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
		{"PRT-COTTON", "Lavvo cloth, cotton 330 g", "M", 145, 240}, {"PRT-ZIP", "Zip, 2 m, two sliders", "", 120, 40}, {"PRT-PEGS", "Pegs of steel, set of 12", "", 95, 60},
		{"PRT-BAG", "Bag for a lavvo", "", 140, 25}, {"PRT-POLE-W", "Centre pole, spruce", "", 210, 12}, {"PRT-POLE-A", "Centre pole, aluminium", "", 520, 8},
		{"PRT-POLE-C", "Centre pole, carbon", "", 1390, 3}, {"PRT-STOVE", "Wood stove with pipe", "", 1750, 5}, {"PRT-FLOOR", "Groundsheet", "", 430, 14},
	}
}

// storeParts makes the parts and puts them on their shelf.
func storeParts(tx *db.Tx) error {
	var items []catalog.Item
	for _, p := range parts() {
		i := newItem(p.number, p.name, "CARE", "NORDLYS", p.unit)
		if p.unit == "M" {
			i.DecimalPlaces = 1
		}
		items = append(items, i)
	}
	if err := catalog.CreateMany(tx, items); err != nil {
		return err
	}
	var moves []stock.Move
	for n, p := range parts() {
		moves = append(moves, stock.Move{ItemID: items[n].ID, Item: p.number, Tracking: catalog.None, Warehouse: "MAIN", Location: "C-03", Quantity: dec.Int(p.stored),
			UnitCost: crowns(p.cost), RefType: "Opening", Notes: "For the sewing room"})
	}
	_, err := stock.Receive(tx, stock.Receipt, moves)
	return err
}

// madeToOrder makes the lavvo with its choices and its bill of materials.
func (f *filler) madeToOrder(files *media.Library) error {
	picture, err := files.Take(f.ctx, f.company, "lavvo.svg", draw("LVO", paints()[0]), false)
	if err != nil {
		return err
	}
	return f.found(func(tx *db.Tx) error {
		i := newItem(Lavvo, "Lavvo made to order", "TENTS", "NORDLYS", "")
		price, weight := dec.Int(9900), dec.Int(9)
		i.SalesPrice, i.WeightKg, i.Replenishment = &price, &weight, catalog.Manufacture
		i.Description = "<p>A tent of cloth around one pole, as people in the north have lived in for two thousand years. Sewn when you order it, in our own sewing room, from the cloth that you choose.</p>"
		i.GTIN = gtin(900)
		if err := storeParts(tx); err != nil {
			return err
		}
		if err := catalog.CreateMany(tx, []catalog.Item{i}); err != nil {
			return err
		}
		out, err := channel.Publish(tx, []channel.Publication{{ItemNumber: Lavvo, ChannelCode: "WEB", IsPublished: true, IsPurchasable: true, AllowBackorder: true, IsFeatured: true,
			ShortDescription: "Yours alone: choose size, cloth, pole and stove.", SortOrder: 1_000}})
		if err != nil || out[0].Err != nil {
			return firstOf(err, out[0].Err)
		}
		if _, err := media.CreateItemAsset(tx, Lavvo, media.ItemAsset{Kind: media.Image, File: picture, Title: "Lavvo", AltText: "A lavvo with an open door"}); err != nil {
			return err
		}
		if _, err := configuration.SaveSchema(tx, Lavvo, lavvoSchema()); err != nil {
			return err
		}
		_, err = production.ChangeBOM(tx, Lavvo, func(b *production.BOM) error {
			b.Lines = []production.BOMLine{{Item: "PRT-COTTON", Quantity: dec.Int(14), ScrapPercent: dec.Int(5)}, {Item: "PRT-ZIP", Quantity: dec.One}, {Item: "PRT-PEGS", Quantity: dec.One},
				{Item: "PRT-BAG", Quantity: dec.One}}
			return nil
		})
		return err
	})
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// lavvoSchema is what can be chosen of the lavvo, and what goes together.
func lavvoSchema() configure.Schema {
	kr := func(n int64) *dec.Dec { d := dec.Int(n); return &d }
	return configure.Schema{
		Features: []configure.Feature{
			{Code: "persons", Name: "Room for", Type: configure.TypeOption, IsRequired: true, Options: []configure.Option{
				{Code: "4", Name: "4 persons", IsDefault: true}, {Code: "6", Name: "6 persons", PriceImpact: kr(2_400)}, {Code: "8", Name: "8 persons", PriceImpact: kr(4_800)}}},
			{Code: "cloth", Name: "Cloth", Type: configure.TypeOption, IsRequired: true, Options: []configure.Option{
				{Code: "cotton", Name: "Cotton, breathes", IsDefault: true}, {Code: "canvas", Name: "Heavy canvas, for the whole winter", PricePercent: kr(15)},
				{Code: "nylon", Name: "Ripstop nylon, light", PriceImpact: kr(-600)}}},
			{Code: "colour", Name: "Colour", Type: configure.TypeOption, IsRequired: true, Options: []configure.Option{
				{Code: "sand", Name: "Sand", IsDefault: true}, {Code: "moss", Name: "Moss"}, {Code: "red", Name: "Red", PriceImpact: kr(250)}}},
			{Code: "pole", Name: "Pole", Type: configure.TypeOption, IsRequired: true, Options: []configure.Option{
				{Code: "spruce", Name: "Spruce, in three parts", ItemNumber: "PRT-POLE-W", IsDefault: true}, {Code: "aluminium", Name: "Aluminium", ItemNumber: "PRT-POLE-A", PriceImpact: kr(690)},
				{Code: "carbon", Name: "Carbon", ItemNumber: "PRT-POLE-C", PriceImpact: kr(2_190)}}},
			{Code: "stove", Name: "Wood stove with pipe", Type: configure.TypeBoolean, Options: []configure.Option{{Code: "stove", Name: "With stove", ItemNumber: "PRT-STOVE", PriceImpact: kr(2_990)}}},
			{Code: "floor", Name: "Groundsheet", Type: configure.TypeOption, Options: []configure.Option{
				{Code: "half", Name: "Half, with room for the stove", ItemNumber: "PRT-FLOOR", PriceImpact: kr(590)}, {Code: "whole", Name: "Whole floor", ItemNumber: "PRT-FLOOR", PriceImpact: kr(990)}}},
			{Code: "porch", Name: "Porch", Type: configure.TypeNumber, IsMeasured: true, Unit: "m", Min: kr(0), Max: kr(3), Step: half(),
				Options: []configure.Option{{Code: "porch", Name: "Cloth for the porch", ItemNumber: "PRT-COTTON", PriceImpact: kr(640)}}},
			{Code: "name", Name: "Name above the door", Type: configure.TypeText, MaxLength: 20, Options: []configure.Option{{Code: "name", Name: "Embroidered", PriceImpact: kr(190)}}},
		},
		Rules: []configure.Rule{
			{Message: "A stove burns holes into nylon: choose cotton or canvas with it.", Expression: `!(values.stove && values.cloth == "nylon")`},
			{Message: "A stove stands on the ground: take half a groundsheet, or none.", Expression: `!(values.stove && values.floor == "whole")`},
			{Message: "A carbon pole carries up to six persons' cloth.", Expression: `!(values.pole == "carbon" && values.persons == "8")`},
			{Message: "A porch needs room for six or eight.", Expression: `!(values.porch > 0.0 && values.persons == "4")`},
		},
	}
}

func half() *dec.Dec { d := dec.One / 2; return &d }
