package demo

import "slices"

// What the shop sells, as tables. The names are made up; no brand of this world is meant.

type category struct{ code, name, parent string }

func categoryTree() []category {
	return []category{
		{"CLOTHING", "Clothing", ""}, {"JACKETS", "Jackets", "CLOTHING"}, {"TROUSERS", "Trousers", "CLOTHING"},
		{"BASELAYERS", "Base layers and fleece", "CLOTHING"}, {"ACCESSORIES", "Hats, gloves and socks", "CLOTHING"},
		{"FOOTWEAR", "Footwear", ""}, {"BOOTS", "Hiking boots", "FOOTWEAR"},
		{"SHOES", "Shoes and slippers", "FOOTWEAR"}, {"CAMPING", "Camping", ""}, {"TENTS", "Tents", "CAMPING"},
		{"SLEEPING", "Sleeping bags and mats", "CAMPING"}, {"COOKING", "Stoves and cookware", "CAMPING"},
		{"FOOD", "Trail food", "CAMPING"}, {"LIGHTS", "Lights", "CAMPING"}, {"PACKS", "Backpacks and bags", ""},
		{"DAYPACKS", "Daypacks", "PACKS"}, {"TREKKING", "Trekking packs", "PACKS"}, {"DRYBAGS", "Dry bags", "PACKS"},
		{"CLIMBING", "Climbing", ""}, {"ROPES", "Ropes", "CLIMBING"},
		{"HARDWARE", "Harnesses and hardware", "CLIMBING"}, {"WINTER", "Winter", ""}, {"SNOW", "Snow safety", "WINTER"},
		{"SKI", "Skiing", "WINTER"}, {"TOOLS", "Tools and navigation", ""}, {"CARE", "Care and repair", ""},
		{"SERVICES", "Services", ""},
	}
}

type brand struct{ code, name string }

func brandList() []brand {
	return []brand{{"NORDLYS", "Nordlys"}, {"VARDE", "Varde Works"}, {"TINDE", "Tinde Alpine"},
		{"KVITFJELL", "Kvitfjell Mills"}, {"LOMVI", "Lomvi Sea"}, {"GNIST", "Gnist Camp"}}
}

type attribute struct {
	code, name, dataType, unit string
	multi                      bool
}

func attributeList() []attribute {
	return []attribute{
		{"COLOUR", "Colour", "Text", "", false}, {"SIZE", "Size", "Text", "", false},
		{"SEASON", "Season", "Text", "", true}, {"CAPACITY", "Capacity", "DecimalNumber", "l", false},
		{"PERSONS", "Persons", "WholeNumber", "", false}, {"TEMPERATURE", "Comfort temperature", "WholeNumber", "°C",
			false},
		{"LENGTH", "Length", "DecimalNumber", "m", false}, {"BRIGHTNESS", "Brightness", "WholeNumber", "lm", false},
		{"WATERPROOF", "Waterproof", "Boolean", "", false},
	}
}

// grade is one of the forms a product is sold in: its label in the name, the value of the attribute that tells it
// apart, and how much dearer and heavier it is than the plain one, in percent.
type grade struct {
	label, value string
	percent      int
}

// line of products: each model in each grade is an item.
type line struct {
	code, noun, category, brand string
	models                      []string
	grades                      []grade
	attribute                   string // that the grades' values are of
	seasons                     []string
	price, gram                 int    // of the plain one, in kroner and gram
	unit, tax, tracking         string // "" = piece, standard rate, none
	kind                        string // "" = Stock
	breaks                      bool   // cheaper by the ten
}

func plain() []grade { return []grade{{"", "", 100}} }

// lines are all there is but clothes: what a camp needs, and what one carries.
func lines() []line { return slices.Concat(camp(), carried()) }

func camp() []line {
	return []line{
		{code: "TNT", noun: "tent", category: "TENTS", brand: "NORDLYS",
			models: []string{"Fjell", "Vidde", "Skog", "Tinde"}, grades: []grade{{"2", "2", 100}, {"3", "3", 125},
				{"4", "4", 155}}, attribute: "PERSONS",
			seasons: []string{"Spring", "Summer", "Autumn"}, price: 3490, gram: 2400},
		{code: "SLB", noun: "sleeping bag", category: "SLEEPING", brand: "KVITFJELL",
			models: []string{"Polar", "Myr", "Natt"}, grades: []grade{{"+5 °C", "5", 100}, {"-5 °C", "-5", 130},
				{"-15 °C", "-15", 180}},
			attribute: "TEMPERATURE", price: 1490, gram: 950},
		{code: "MAT", noun: "sleeping mat", category: "SLEEPING", brand: "NORDLYS",
			models: []string{"Mose", "Lyng", "Torv"}, grades: []grade{{"short", "1.2", 80}, {"regular", "1.83", 100},
				{"long", "1.96", 120}}, attribute: "LENGTH",
			price: 799, gram: 480},
		{code: "STV", noun: "stove", category: "COOKING", brand: "GNIST", models: []string{"Flamme", "Bål", "Glo"},
			grades: []grade{{"solo", "", 100}, {"duo", "", 150}}, price: 690, gram: 190},
		{code: "POT", noun: "pot set", category: "COOKING", brand: "GNIST", models: []string{"Gryte", "Kjele"},
			grades: []grade{{"1 l", "1", 100}, {"2 l", "2", 140}, {"3 l", "3", 180}}, attribute: "CAPACITY", price: 349,
			gram: 280},
		{code: "GAS", noun: "gas canister", category: "COOKING", brand: "GNIST", models: []string{"Alle år"},
			grades: []grade{{"100 g", "", 100}, {"230 g", "", 140}, {"450 g", "", 200}}, price: 59, gram: 200,
			breaks: true},
		{code: "MEL", noun: "freeze-dried meal", category: "FOOD", brand: "GNIST",
			models: []string{"Lapskaus", "Chili", "Pasta", "Havregrøt", "Fiskegryte", "Linsegryte"}, grades: plain(),
			price: 119, gram: 140, tax: "RED", tracking: "Batch", breaks: true},
		{code: "BAR", noun: "energy bar", category: "FOOD", brand: "GNIST", models: []string{"Blåbær", "Nøtt", "Havre"},
			grades: plain(), price: 29, gram: 60, tax: "RED", breaks: true},
		{code: "LMP", noun: "headlamp", category: "LIGHTS", brand: "VARDE", models: []string{"Stjerne", "Måne"},
			grades: []grade{{"200", "200", 100}, {"400", "400", 150}, {"900", "900", 240}}, attribute: "BRIGHTNESS",
			price: 349, gram: 90},
		{code: "LAN", noun: "lantern", category: "LIGHTS", brand: "VARDE", models: []string{"Lykt", "Glød"},
			grades: plain(), price: 299, gram: 310},
		{code: "DPK", noun: "daypack", category: "DAYPACKS", brand: "TINDE", models: []string{"Tur", "Sti", "Topp"},
			grades: []grade{{"18", "18", 100}, {"25", "25", 120}, {"32", "32", 145}}, attribute: "CAPACITY", price: 799,
			gram: 650},
		{code: "TPK", noun: "trekking pack", category: "TREKKING", brand: "TINDE",
			models: []string{"Langtur", "Jutul", "Sarek"}, grades: []grade{{"50", "50", 100}, {"65", "65", 115},
				{"80", "80", 130}}, attribute: "CAPACITY",
			price: 1990, gram: 1900},
		{code: "DRY", noun: "dry bag", category: "DRYBAGS", brand: "LOMVI", models: []string{"Elv", "Sjø"},
			grades:    []grade{{"5 l", "5", 100}, {"10 l", "10", 125}, {"20 l", "20", 160}, {"40 l", "40", 220}},
			attribute: "CAPACITY", price: 149, gram: 70},
		{code: "BTL", noun: "bottle", category: "TOOLS", brand: "LOMVI", models: []string{"Kilde", "Varm"},
			grades: []grade{{"0.5 l", "0.5", 100}, {"0.75 l", "0.75", 115}, {"1 l", "1", 130}}, attribute: "CAPACITY",
			price: 199, gram: 230},
		{code: "KNF", noun: "knife", category: "TOOLS", brand: "VARDE", models: []string{"Bjørk", "Furu", "Rein"},
			grades: plain(), price: 449, gram: 120},
		{code: "CMP", noun: "compass", category: "TOOLS", brand: "VARDE", models: []string{"Nord", "Kurs"},
			grades: plain(), price: 349, gram: 45},
		{code: "GPS", noun: "GPS watch", category: "TOOLS", brand: "VARDE", models: []string{"Spor", "Spor Pro"},
			grades: plain(), price: 3990, gram: 60, tracking: "Serial"},
		{code: "PLS", noun: "trekking poles", category: "TOOLS", brand: "TINDE",
			models: []string{"Stav", "Karbon", "Brett"}, grades: plain(), price: 699, gram: 480, unit: "PR"},
		{code: "ROP", noun: "climbing rope", category: "ROPES", brand: "TINDE", models: []string{"Egg", "Svaberg"},
			grades: []grade{{"40 m", "40", 100}, {"60 m", "60", 140}, {"70 m", "70", 160}}, attribute: "LENGTH",
			price: 1190, gram: 2600},
		{code: "CRD", noun: "cord 6 mm", category: "ROPES", brand: "TINDE", models: []string{"Reip"},
			grades: []grade{{"blue", "", 100}, {"red", "", 100}}, price: 15, gram: 25, unit: "M", breaks: true},
		{code: "CAR", noun: "carabiner", category: "HARDWARE", brand: "TINDE",
			models: []string{"Krok", "Lås", "Lett", "Stål"}, grades: plain(), price: 89, gram: 60, breaks: true},
	}
}

func carried() []line {
	return []line{
		{code: "HLM", noun: "helmet", category: "HARDWARE", brand: "TINDE", models: []string{"Hatt", "Skall"},
			grades: []grade{{"S/M", "S/M", 100}, {"L/XL", "L/XL", 100}}, attribute: "SIZE", price: 699, gram: 280},
		{code: "SNW", noun: "snowshoes", category: "SNOW", brand: "KVITFJELL", models: []string{"Truge", "Labb"},
			grades: []grade{{"M", "M", 100}, {"L", "L", 105}}, attribute: "SIZE", seasons: []string{"Winter"},
			price: 1690, gram: 1700, unit: "PR"},
		{code: "BCN", noun: "avalanche beacon", category: "SNOW", brand: "VARDE",
			models: []string{"Signal", "Signal Pro"}, grades: plain(), seasons: []string{"Winter"}, price: 2990,
			gram: 210, tracking: "Serial"},
		{code: "PRB", noun: "avalanche probe", category: "SNOW", brand: "VARDE", models: []string{"Sonde"},
			grades: []grade{{"2.4 m", "2.4", 100}, {"3.2 m", "3.2", 125}}, attribute: "LENGTH", price: 499, gram: 260},
		{code: "SHV", noun: "snow shovel", category: "SNOW", brand: "VARDE", models: []string{"Spade", "Fonn"},
			grades: plain(), price: 549, gram: 620},
		{code: "WAX", noun: "ski wax", category: "SKI", brand: "KVITFJELL",
			models: []string{"Blå", "Rød", "Grønn", "Klister"}, grades: plain(), seasons: []string{"Winter"},
			price: 119, gram: 45, breaks: true},
		{code: "SKP", noun: "ski poles", category: "SKI", brand: "KVITFJELL", models: []string{"Løype"},
			grades:    []grade{{"140 cm", "1.4", 100}, {"150 cm", "1.5", 100}, {"160 cm", "1.6", 100}},
			attribute: "LENGTH", price: 399, gram: 390, unit: "PR"},
		{code: "WSH", noun: "wash-in proofing", category: "CARE", brand: "NORDLYS", models: []string{"Regn"},
			grades: []grade{{"300 ml", "0.3", 100}, {"1 l", "1", 260}}, attribute: "CAPACITY", price: 129, gram: 330},
		{code: "RPR", noun: "repair kit", category: "CARE", brand: "NORDLYS",
			models: []string{"Lapp", "Telt", "Glidelås"}, grades: plain(), price: 99, gram: 60},
		{code: "SVC", noun: "", category: "SERVICES", models: []string{"Boot fitting", "Ski waxing",
			"Tent repair, hour"}, grades: plain(), price: 390, unit: "H", kind: "Service"},
		{code: "GFT", noun: "gift card in paper", category: "SERVICES", models: []string{"Nordlys"}, grades: plain(),
			price: 500, kind: "NonStock", tax: "ZERO"},
	}
}

// family is a product with variants: every colour in every size.
type family struct {
	code, name, category, brand string
	colours, sizes              []string
	seasons                     []string
	price, gram                 int
	waterproof                  bool
	unit                        string
}

func families() []family {
	apparel, shoes := []string{"S", "M", "L", "XL"}, []string{"38", "39", "40", "41", "42", "43", "44", "45"}
	return []family{
		{"JKS", "Storm shell jacket", "JACKETS", "NORDLYS", []string{"Red", "Blue", "Black"},
			append([]string{"XS"}, apparel...), []string{"Spring", "Autumn"}, 3290, 480, true, ""},
		{"JKD", "Polar down jacket", "JACKETS", "KVITFJELL", []string{"Black", "Orange"},
			append([]string{"XS"}, apparel...), []string{"Winter"}, 2990, 420, false, ""},
		{"JKW", "Bris windbreaker", "JACKETS", "NORDLYS", []string{"Yellow", "Blue"}, apparel, []string{"Summer"}, 999,
			190, false, ""},
		{"TRH", "Sti hiking trousers", "TROUSERS", "NORDLYS", []string{"Green", "Grey"},
			append([]string{"XS"}, apparel...), []string{"Summer", "Autumn"}, 1290, 390, false, ""},
		{"TRR", "Fjord rain trousers", "TROUSERS", "LOMVI", []string{"Black"}, apparel, nil, 1190, 310, true, ""},
		{"BLT", "Ull merino top", "BASELAYERS", "KVITFJELL", []string{"Black", "Red"},
			append([]string{"XS"}, apparel...), []string{"Winter"}, 749, 210, false, ""},
		{"BLB", "Ull merino tights", "BASELAYERS", "KVITFJELL", []string{"Black"}, append([]string{"XS"}, apparel...),
			[]string{"Winter"}, 699, 190, false, ""},
		{"FLC", "Lune fleece", "BASELAYERS", "NORDLYS", []string{"Grey", "Blue", "Green"}, apparel, nil, 899, 340,
			false, ""},
		{"GLV", "Vott mittens", "ACCESSORIES", "KVITFJELL", []string{"Black"}, []string{"S", "M", "L"},
			[]string{"Winter"}, 499, 140, false, "PR"},
		{"HAT", "Topp beanie", "ACCESSORIES", "KVITFJELL", []string{"Red", "Blue", "Grey", "White"},
			[]string{"One size"}, []string{"Winter"}, 299, 70, false, ""},
		{"SCK", "Ragg socks", "ACCESSORIES", "KVITFJELL", []string{"Grey", "Red"}, []string{"36-39", "40-43", "44-47"},
			nil, 149, 90, false, "PR"},
		{"BTS", "Jotun leather boot", "BOOTS", "TINDE", []string{"Brown"}, shoes, nil, 2490, 1450, true, "PR"},
		{"BTL2", "Lett hiking boot", "BOOTS", "TINDE", []string{"Grey", "Green"}, shoes, nil, 1790, 980, true, "PR"},
		{"SHT", "Sti trail shoe", "SHOES", "TINDE", []string{"Blue", "Black"}, shoes, []string{"Summer"}, 1390, 620,
			false, "PR"},
		{"SLP", "Hytte slipper", "SHOES", "KVITFJELL", []string{"Grey"}, []string{"36-38", "39-41", "42-44", "45-47"},
			nil, 449, 310, false, "PR"},
		{"HRN", "Svev climbing harness", "HARDWARE", "TINDE", []string{"Black"}, []string{"S", "M", "L"}, nil, 799, 380,
			false, ""},
	}
}
