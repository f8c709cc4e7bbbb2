package paper

import (
	"kontor/internal/business/invoicing"
	"kontor/internal/business/returns"
)

func danish() words {
	return words{
		CountSheet: "Optællingsliste", Warehouse: "Lager", CountedBy: "Optalt af", Location: "Plads",
		Books: "Ifølge bog", Counted: "Optalt", PurchaseOrder: "Indkøbsordre", DeliverTo: "Leveringsadresse",
		YourItem: "Jeres varenr.", WantedBy: "Ønskes senest", OrderCancelled: "Ordren er annulleret: lever ikke noget.",
		Quote: "Tilbud", Draft: "udkast", ValidUntil: "Gyldigt til", ReplacedBy: "Erstattet af", Yes: "ja", No: "nej",
		To: "Til", From: "Fra", Number: "Nummer", Date: "Dato", SuppliedOn: "Leveringsdato", Due: "Forfald",
		Customer: "Kunde", CustomerVAT: "Kundens momsnummer", Order: "Ordre", Orders: "Ordrer",
		Credits: "Krediterer faktura", NotBooked: "ikke bogført endnu", Item: "Vare", Name: "Navn",
		Description: "Beskrivelse", Quantity: "Antal", Price: "Pris", Tax: "Moms", Total: "I alt",
		WithoutTax: "Uden moms", Paid: "Betalt", Balance: "Rest", Surplus: "Til gode",
		Exempt:    "Momsfritaget: levering af varer inden for Den Europæiske Union, artikel 138 i direktiv 2006/112/EF",
		OrgNumber: "CVR/org.nr.", VATNumber: "Momsnummer", Seat: "Hjemsted", FTax: "Godkendt til F-skat",
		DeliveryNote: "Følgeseddel", Shipment: "Forsendelse", ShippingMethod: "Leveringsmåde",
		TrackingNumber: "Trackingnummer", Left: "Afsendt", ReturnSlip: "Returseddel", SendTo: "Send varerne til",
		Return: "Retur", RMANumber: "Jeres reference", ReturnCode: "Returkode", Reason: "Årsag", Condition: "Stand",
		SlipHow:         "Læg denne seddel i pakken sammen med varerne nedenfor, og send den til adressen ovenfor.",
		NotApproved:     "Returneringen er ikke godkendt endnu: vent med at sende noget, til den er det.",
		ReturnCancelled: "Returneringen er annulleret: send ikke noget.",
		Types: map[invoicing.Type]string{invoicing.Standard: "Faktura", invoicing.CreditNote: "Kreditnota",
			invoicing.Receipt: "Kvittering"},
		Reasons: map[returns.Reason]string{returns.Defective: "Defekt", returns.WrongItem: "Forkert vare",
			returns.DamagedInTransit: "Transportskade", returns.CustomerRemorse: "Fortrudt køb",
			returns.Warranty: "Garanti", returns.QualityIssue: "Dårlig kvalitet",
			returns.OverDelivery: "For meget leveret", returns.Other: "Andet"},
	}
}

func finnish() words {
	return words{
		CountSheet: "Inventointilista", Warehouse: "Varasto", CountedBy: "Laskenut", Location: "Paikka",
		Books: "Kirjanpidossa", Counted: "Laskettu", PurchaseOrder: "Ostotilaus", DeliverTo: "Toimitusosoite",
		YourItem: "Tuotenumeronne", WantedBy: "Toivottu viimeistään",
		OrderCancelled: "Tilaus on peruttu: älkää toimittako mitään.", Quote: "Tarjous", Draft: "luonnos",
		ValidUntil: "Voimassa", ReplacedBy: "Korvattu tarjouksella", Yes: "kyllä", No: "ei", To: "Vastaanottaja", From: "Lähettäjä",
		Number: "Numero", Date: "Päivämäärä", SuppliedOn: "Toimituspäivä", Due: "Eräpäivä", Customer: "Asiakas",
		CustomerVAT: "Asiakkaan ALV-numero", Order: "Tilaus", Orders: "Tilaukset", Credits: "Hyvittää laskun",
		NotBooked: "ei vielä kirjattu", Item: "Tuote", Name: "Nimi", Description: "Kuvaus", Quantity: "Määrä",
		Price: "Hinta", Tax: "ALV", Total: "Yhteensä", WithoutTax: "Ilman ALV:tä", Paid: "Maksettu", Balance: "Avoinna",
		Surplus:   "Liikaa maksettu",
		Exempt:    "Veroton: tavaroiden luovutus Euroopan unionin sisällä, direktiivin 2006/112/EY 138 artikla",
		OrgNumber: "Y-tunnus/rek.nro", VATNumber: "ALV-numero", Seat: "Kotipaikka", FTax: "Ruotsin F-verorekisterissä",
		DeliveryNote: "Lähetysluettelo", Shipment: "Lähetys", ShippingMethod: "Toimitustapa",
		TrackingNumber: "Seurantanumero", Left: "Lähetetty", ReturnSlip: "Palautuslomake",
		SendTo: "Lähetä tuotteet osoitteeseen", Return: "Palautus", RMANumber: "Viitteenne",
		ReturnCode: "Palautuskoodi", Reason: "Syy", Condition: "Kunto",
		SlipHow:         "Laita tämä lomake pakettiin alla olevien tuotteiden kanssa ja lähetä paketti yllä olevaan osoitteeseen.",
		NotApproved:     "Palautusta ei ole vielä hyväksytty: odota hyväksyntää ennen kuin lähetät mitään.",
		ReturnCancelled: "Palautus on peruttu: älä lähetä mitään.",
		Types: map[invoicing.Type]string{invoicing.Standard: "Lasku", invoicing.CreditNote: "Hyvityslasku",
			invoicing.Receipt: "Kuitti"},
		Reasons: map[returns.Reason]string{returns.Defective: "Viallinen", returns.WrongItem: "Väärä tuote",
			returns.DamagedInTransit: "Kuljetusvaurio", returns.CustomerRemorse: "Kaupan peruutus",
			returns.Warranty: "Takuu", returns.QualityIssue: "Heikko laatu", returns.OverDelivery: "Toimitettu liikaa",
			returns.Other: "Muu"},
	}
}

func german() words {
	return words{
		CountSheet: "Zählliste", Warehouse: "Lager", CountedBy: "Gezählt von", Location: "Platz", Books: "Buchbestand",
		Counted: "Gezählt", PurchaseOrder: "Bestellung", DeliverTo: "Lieferadresse", YourItem: "Ihre Artikelnr.",
		WantedBy: "Erwünscht bis", OrderCancelled: "Die Bestellung ist storniert: bitte liefern Sie nichts.",
		Quote: "Angebot", Draft: "Entwurf", ValidUntil: "Gültig bis", ReplacedBy: "Ersetzt durch", Yes: "ja", No: "nein",
		To: "An", From: "Von", Number: "Nummer", Date: "Datum", SuppliedOn: "Lieferdatum", Due: "Fällig",
		Customer: "Kunde", CustomerVAT: "USt-IdNr. des Kunden", Order: "Auftrag", Orders: "Aufträge",
		Credits: "Korrigiert Rechnung", NotBooked: "noch nicht gebucht", Item: "Artikel", Name: "Name",
		Description: "Beschreibung", Quantity: "Menge", Price: "Preis", Tax: "MwSt.", Total: "Gesamt",
		WithoutTax: "Ohne MwSt.", Paid: "Bezahlt", Balance: "Offen", Surplus: "Guthaben",
		Exempt:    "Steuerfreie innergemeinschaftliche Lieferung, Artikel 138 der Richtlinie 2006/112/EG",
		OrgNumber: "Reg.-Nr.", VATNumber: "USt-IdNr.", Seat: "Sitz", FTax: "Zugelassen für F-Steuer",
		DeliveryNote: "Lieferschein", Shipment: "Sendung", ShippingMethod: "Versandart",
		TrackingNumber: "Sendungsnummer", Left: "Versandt", ReturnSlip: "Rücksendeschein", SendTo: "Waren senden an",
		Return: "Rücksendung", RMANumber: "Ihr Zeichen", ReturnCode: "Rücksendecode", Reason: "Grund",
		Condition:       "Zustand",
		SlipHow:         "Legen Sie diesen Schein mit den unten genannten Waren in das Paket und senden Sie es an die obige Adresse.",
		NotApproved:     "Die Rücksendung ist noch nicht genehmigt: Bitte warten Sie darauf, bevor Sie etwas senden.",
		ReturnCancelled: "Diese Rücksendung ist storniert: Bitte senden Sie nichts.",
		Types: map[invoicing.Type]string{invoicing.Standard: "Rechnung",
			invoicing.CreditNote: "Rechnungskorrektur", invoicing.Receipt: "Quittung"},
		Reasons: map[returns.Reason]string{returns.Defective: "Defekt", returns.WrongItem: "Falscher Artikel",
			returns.DamagedInTransit: "Transportschaden", returns.CustomerRemorse: "Kauf bereut",
			returns.Warranty: "Garantie", returns.QualityIssue: "Mangelhafte Qualität",
			returns.OverDelivery: "Zu viel geliefert", returns.Other: "Anderes"},
	}
}
