package demo

import "slices"

// text is what the shop says of a product line: a line in lists, more on its page.
type text struct{ short, long string }

// isFeatured reports whether the shop puts an item first.
func isFeatured(number string) bool {
	return slices.Contains([]string{"TNT-102", "JKS", "DPK-102", "BTS", "STV-101", "FLC", "LMP-102", "SLB-102", "HAT",
		"TPK-101"}, number)
}

// textOf is what the shop says of a line; nothing of what speaks for itself.
func textOf(code string) text {
	if t, ok := clothes()[code]; ok {
		return t
	}
	return equipment()[code]
}

func equipment() map[string]text {
	return map[string]text{
		"LVO": {"Yours alone: choose size, cloth, pole and stove.",
			"A tent of cloth around one pole, as people in the north have lived in for two thousand years. Sewn when you order it, in our own sewing room, from the cloth that you choose."},
		"TNT": {"Stands in a storm, packs into a loaf.",
			"Two layers, three poles and a porch that takes the wet boots. The poles are colour coded, so it goes up in the dark as well."},
		"SLB": {"Warm where it counts.",
			"Recycled down in box chambers, with a collar that keeps the warmth in and a zip that does not bite."},
		"MAT": {"Five centimetres between you and the root.",
			"Inflates in ten breaths, rolls up to the size of a bottle, and comes with the patch you will need one day."},
		"STV": {"Coffee in three minutes.",
			"Folds into a fist, stands on three legs and boils half a litre while the view is still new."},
		"POT": {"One pot for everything.",
			"Hard-anodised aluminium with a lid that strains and a handle that stays cool."},
		"GAS": {"Burns down to minus fifteen.", "A mixture for all seasons with a valve that closes by itself."},
		"MEL": {"Dinner from hot water.",
			"Cooked in small batches and freeze-dried the same day. Pour in water, wait eight minutes, eat out of the bag."},
		"BAR": {"For the last hill.", "Oats, nuts and berries and nothing that you would have to look up."},
		"LMP": {"Sees the next cairn.",
			"A wide beam for the camp and a narrow one for the path, with a red light that spares the eyes of the others."},
		"LAN": {"A little sun for the tent.", "Hangs or stands, dims to a glow and runs for four nights."},
		"DPK": {"Everything for the day, in its place.",
			"A ventilated back, two bottle pockets and room for the extra sweater that mother asked about."},
		"TPK": {"Carries a week lightly.",
			"The back length adjusts while you wear it, the hip belt takes the weight, and the rain cover lives in the bottom."},
		"DRY": {"What is inside stays dry.", "Welded seams and a roll closure. Floats when it has to."},
		"BTL": {"Keeps what you pour in.",
			"Steel without a taste of its own. The warm one keeps coffee hot until the top."},
		"KNF": {"For wood, bread and rope.", "A blade of Swedish steel in a handle of Nordic wood, ground by hand."},
		"CMP": {"Knows where north is.", "Settles in a second, with a mirror to aim and a scale to measure."},
		"GPS": {"Finds the way home.", "Maps of the north on the wrist, two weeks on one charge."},
		"PLS": {"Two more legs.", "Adjusts with one hand, folds to forty centimetres, grips of cork."},
		"ROP": {"Holds.", "A dry-treated single rope of 9.8 millimetres with a middle mark that stays."},
		"CRD": {"By the metre.",
			"Six millimetres thick, for guy lines, prusiks and what breaks on the way. Sold by the metre, also by halves."},
		"CAR": {"Clicks shut.", "Hot-forged, with a gate that works in mittens."},
		"HLM": {"Light enough to keep on.", "Foam inside a hard shell, with clips for a headlamp."},
		"SNW": {"Walk on top.", "An aluminium frame, steel teeth and a heel lift for the steep parts."},
		"BCN": {"The one you hope never to use.",
			"Three antennas, a clear display, and a search that a tired person understands."},
		"PRB": {"Two seconds to full length.", "Aluminium sections on a steel wire, marked every five centimetres."},
		"SHV": {"Moves snow.", "A blade of tempered aluminium that does not fold, on a telescopic shaft."},
		"WAX": {"For the track of the day.",
			"From new snow to ice. The right one is the one below the temperature outside."},
		"SKP": {"Light and straight.", "Carbon shafts, cork grips, baskets for groomed tracks."},
		"WSH": {"Makes rain run off again.", "Wash it in, hang it up, done. Free of fluorine."},
		"RPR": {"Mend it.",
			"Everything for the hole you will get: patches, glue, needle, and instructions that work in the rain."},
		"SVC": {"Done by us, in the shop.", "Book a time and bring it along."},
		"GFT": {"Let them choose.", "Printed on stiff paper, sent in an envelope, good for three years."},
	}
}

func clothes() map[string]text {
	return map[string]text{
		"JKS": {"For the weather there is.",
			"Three layers, taped seams, pit zips that open with one hand and a hood that turns with the head."},
		"JKD": {"A stove to wear.", "Down in chambers sewn through, with a shell that takes a shower of snow."},
		"JKW": {"Fits in its own pocket.", "A hundred and ninety grams against the wind on the ridge."},
		"TRH": {"Stretch where you bend.",
			"Stiff cloth on the knees and the seat, stretch everywhere else, and pockets that hold a map."},
		"TRR": {"Over everything.", "Opens along the whole side, so it goes on over boots."},
		"BLT": {"Warm when wet.", "Merino wool of eighteen microns that does not itch and does not smell."},
		"BLB": {"The layer below all others.", "Merino wool with flat seams and a waistband that stays where it is."},
		"FLC": {"The one you never take off.", "Brushed on the inside, smooth on the outside, made of bottles."},
		"GLV": {"Fingers together, fingers warm.", "Boiled wool inside, a shell of leather outside."},
		"HAT": {"Ears in.", "Knitted of wool in one piece. The bobble comes off."},
		"SCK": {"As grandmother made them.", "Thick wool with a reinforced heel."},
		"BTS": {"Resoled, not replaced.",
			"Full leather, a stiff sole and a fit that is yours after a week. We resole them as often as you like."},
		"BTL2": {"Light on the path.", "A membrane, a soft shaft and a sole that holds on wet rock."},
		"SHT":  {"Runs where others walk.", "A low drop, deep lugs, and a toe cap for the stones."},
		"SLP":  {"For the hut.", "Felted wool on a sole that may go out for firewood."},
		"HRN":  {"Sits well for hours.", "Wide leg loops, four gear loops, and a belt that adjusts with a pull."},
	}
}

// What the sample shop has its visitors read. A real one writes its own.
const (
	terms = `Nordlys Outdoor is made up, and so are these terms: whoever orders here gets nothing, and pays nothing.

Who sells
Nordlys Outdoor, Storgata 1, 0155 Oslo, organisation number 999 888 771. Write to hei@nordlys.example.

Prices
All prices are in Norwegian kroner and include VAT. What delivery costs is shown before you order.

Delivery
What is in stock leaves us the next working day. If something is missing we tell you, and you may take the order back.

To change your mind
You have 30 days from the day on which you get the goods. Register the return in your account, or by the code in the confirmation, and send the goods back within 14 days. You get back what you paid, by the way you paid it.

When something is wrong
Tell us within two years of the delivery, or within five where the goods are meant to last longer. We mend or replace them, or give the money back.`
	privacy = `Nordlys Outdoor keeps what an order needs: your name, your addresses, your e-mail address and what you bought.

The accounts keep orders and invoices for as long as the law asks. The carrier and whoever moves the money learn what they need for that, and nobody else does.

The shop sets two cookies: one that knows your cart, and one that says what just happened. It counts no visitors.

Write to hei@nordlys.example to learn what we know about you, or to have it deleted.`
)
