package paper

import (
	"kontor/internal/business/invoicing"
	"kontor/internal/business/returns"
)

// words are what papers say in one language.
type words struct {
	To, From, Number, Date, SuppliedOn, Due, Customer, CustomerVAT, Order, Orders, Credits, NotBooked           string
	Item, Name, Description, Quantity, Price, Tax, Total, WithoutTax, Paid, Balance, Surplus, Exempt            string
	PurchaseOrder, DeliverTo, YourItem, WantedBy, OrderCancelled                                                string
	Quote, Draft, ValidUntil, ReplacedBy, Yes, No                                                               string
	CountSheet, Warehouse, CountedBy, Location, Books, Counted                                                  string
	OrgNumber, VATNumber, Seat, FTax                                                                            string
	DeliveryNote, Shipment, ShippingMethod, TrackingNumber, Left                                                string
	ReturnSlip, SendTo, Return, RMANumber, ReturnCode, Reason, Condition, SlipHow, NotApproved, ReturnCancelled string

	Types   map[invoicing.Type]string
	Reasons map[returns.Reason]string
}

// wordsOf are the words of a language that letters.Language answered.
func wordsOf(lang string) words {
	switch lang {
	case "sv":
		return swedish()
	case "nb":
		return norwegian()
	case "da":
		return danish()
	case "fi":
		return finnish()
	case "de":
		return german()
	}
	return english()
}

func english() words {
	return words{
		CountSheet: "Count sheet", Warehouse: "Warehouse", CountedBy: "Counted by", Location: "Location",
		Books: "Books", Counted: "Counted", PurchaseOrder: "Purchase order", DeliverTo: "Deliver to",
		YourItem: "Your item", WantedBy: "Wanted by",
		OrderCancelled: "This order is cancelled: please do not deliver anything.", Quote: "Quote", Draft: "draft",
		ValidUntil: "Valid until", ReplacedBy: "Replaced by", Yes: "yes", No: "no", To: "To", From: "From", Number: "Number", Date: "Date",
		SuppliedOn: "Date of supply", Due: "Due", Customer: "Customer", CustomerVAT: "VAT number of the customer",
		Order: "Order", Orders: "Orders", Credits: "Credits invoice", NotBooked: "not booked yet", Item: "Item",
		Name: "Name", Description: "Description", Quantity: "Quantity", Price: "Price", Tax: "Tax", Total: "Total",
		WithoutTax: "Without tax", Paid: "Paid", Balance: "Balance", Surplus: "Paid too much",
		Exempt:    "Exempt from VAT: supply of goods within the European Union, article 138 of Directive 2006/112/EC",
		OrgNumber: "Org. no.", VATNumber: "VAT number", Seat: "Registered office", FTax: "Approved for F-tax",
		DeliveryNote: "Delivery note", Shipment: "Shipment", ShippingMethod: "Shipping method",
		TrackingNumber: "Tracking number", Left: "Left", ReturnSlip: "Return slip", SendTo: "Send the goods to",
		Return: "Return", RMANumber: "Your reference", ReturnCode: "Return code", Reason: "Reason",
		Condition:       "Condition",
		SlipHow:         "Put this slip into the parcel with the goods below and send it to the address above.",
		NotApproved:     "The return is not approved yet: please wait for that before you send anything.",
		ReturnCancelled: "This return is cancelled: please do not send anything.",
		Types: map[invoicing.Type]string{invoicing.Standard: "Invoice", invoicing.CreditNote: "Credit note",
			invoicing.Receipt: "Receipt"},
		Reasons: map[returns.Reason]string{returns.Defective: "Defective", returns.WrongItem: "Wrong item",
			returns.DamagedInTransit: "Damaged in transit", returns.CustomerRemorse: "Changed my mind",
			returns.Warranty: "Warranty", returns.QualityIssue: "Poor quality",
			returns.OverDelivery: "Too much delivered", returns.Other: "Other"},
	}
}

func swedish() words {
	return words{
		CountSheet: "Inventeringslista", Warehouse: "Lager", CountedBy: "Inventerat av", Location: "Lagerplats",
		Books: "Enligt bok", Counted: "Räknat", PurchaseOrder: "Inköpsorder", DeliverTo: "Leveransadress",
		YourItem: "Ert artikelnr", WantedBy: "Önskas senast", OrderCancelled: "Ordern är avbruten: leverera ingenting.",
		Quote: "Offert", Draft: "utkast", ValidUntil: "Giltig till", ReplacedBy: "Ersatt av", Yes: "ja", No: "nej",
		To: "Till", From: "Från", Number: "Nummer", Date: "Datum", SuppliedOn: "Leveransdatum", Due: "Förfaller",
		Customer: "Kund", CustomerVAT: "Kundens momsreg.nr", Order: "Order", Orders: "Order",
		Credits: "Krediterar faktura", NotBooked: "inte bokförd ännu", Item: "Artikel", Name: "Namn",
		Description: "Beskrivning", Quantity: "Antal", Price: "Pris", Tax: "Moms", Total: "Totalt",
		WithoutTax: "Exklusive moms", Paid: "Betalt", Balance: "Återstår", Surplus: "Tillgodo",
		Exempt:    "Undantaget från moms: varuleverans inom Europeiska unionen, artikel 138 i direktiv 2006/112/EG",
		OrgNumber: "Org.nr", VATNumber: "Momsreg.nr", Seat: "Säte", FTax: "Godkänd för F-skatt",
		DeliveryNote: "Följesedel", Shipment: "Leverans", ShippingMethod: "Leveranssätt",
		TrackingNumber: "Spårningsnummer", Left: "Avgick", ReturnSlip: "Retursedel", SendTo: "Skicka varorna till",
		Return: "Retur", RMANumber: "Er referens", ReturnCode: "Returkod", Reason: "Orsak", Condition: "Skick",
		SlipHow:         "Lägg den här sedeln i paketet tillsammans med varorna nedan och skicka det till adressen ovan.",
		NotApproved:     "Returen är inte godkänd ännu: vänta med att skicka något tills den är det.",
		ReturnCancelled: "Returen är avbruten: skicka ingenting.",
		Types: map[invoicing.Type]string{invoicing.Standard: "Faktura", invoicing.CreditNote: "Kreditfaktura",
			invoicing.Receipt: "Kvitto"},
		Reasons: map[returns.Reason]string{returns.Defective: "Defekt", returns.WrongItem: "Fel artikel",
			returns.DamagedInTransit: "Transportskadad", returns.CustomerRemorse: "Ångrat köp",
			returns.Warranty: "Garanti", returns.QualityIssue: "Bristande kvalitet",
			returns.OverDelivery: "För mycket levererat", returns.Other: "Annat"},
	}
}

func norwegian() words {
	return words{
		CountSheet: "Telleliste", Warehouse: "Lager", CountedBy: "Talt av", Location: "Plass", Books: "Ifølge bok",
		Counted: "Talt", PurchaseOrder: "Innkjøpsordre", DeliverTo: "Leveringsadresse", YourItem: "Deres varenr.",
		WantedBy: "Ønskes innen", OrderCancelled: "Ordren er avbrutt: ikke lever noe.",
		Quote: "Tilbud", Draft: "utkast", ValidUntil: "Gyldig til", ReplacedBy: "Erstattet av", Yes: "ja", No: "nei",
		To: "Til", From: "Fra", Number: "Nummer", Date: "Dato", SuppliedOn: "Leveringsdato", Due: "Forfall",
		Customer: "Kunde", CustomerVAT: "Kundens mva-nummer", Order: "Ordre", Orders: "Ordrer",
		Credits: "Krediterer faktura", NotBooked: "ikke bokført ennå", Item: "Vare", Name: "Navn",
		Description: "Beskrivelse", Quantity: "Antall", Price: "Pris", Tax: "Mva.", Total: "Totalt",
		WithoutTax: "Uten mva.", Paid: "Betalt", Balance: "Gjenstår", Surplus: "Til gode",
		Exempt:    "Fritatt for mva.: levering av varer innenfor Den europeiske union, artikkel 138 i direktiv 2006/112/EF",
		OrgNumber: "Org.nr.", VATNumber: "Mva-nummer", Seat: "Forretningskontor", FTax: "Godkjent for F-skatt",
		DeliveryNote: "Følgeseddel", Shipment: "Sending", ShippingMethod: "Leveringsmåte",
		TrackingNumber: "Sporingsnummer", Left: "Sendt", ReturnSlip: "Returseddel", SendTo: "Send varene til",
		Return: "Retur", RMANumber: "Deres referanse", ReturnCode: "Returkode", Reason: "Årsak", Condition: "Tilstand",
		SlipHow:         "Legg denne seddelen i pakken sammen med varene nedenfor, og send den til adressen ovenfor.",
		NotApproved:     "Returen er ikke godkjent ennå: vent med å sende noe til den er det.",
		ReturnCancelled: "Returen er avbrutt: ikke send noe.",
		Types: map[invoicing.Type]string{invoicing.Standard: "Faktura", invoicing.CreditNote: "Kreditnota",
			invoicing.Receipt: "Kvittering"},
		Reasons: map[returns.Reason]string{returns.Defective: "Defekt", returns.WrongItem: "Feil vare",
			returns.DamagedInTransit: "Skadet under transport", returns.CustomerRemorse: "Angret kjøp",
			returns.Warranty: "Garanti", returns.QualityIssue: "Dårlig kvalitet",
			returns.OverDelivery: "For mye levert", returns.Other: "Annet"},
	}
}
