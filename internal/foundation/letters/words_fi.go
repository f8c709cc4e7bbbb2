package letters

func finnish() words {
	w := finnishAccounts()
	w.ShippedSubject = "Tilauksesi %s on matkalla"
	w.ShippedIntro = "Olemme lähettäneet tuotteita tilauksestasi %s."
	w.Carrier = "Kuljetusyhtiö"
	w.TrackingNumber = "Seurantatunnus"
	w.Track = "Seuraa lähetystä"
	w.CollectSubject = "Tilauksesi %s on noudettavissa"
	w.CollectIntro = "Tilauksesi %s tuotteet ovat noudettavissa. Ota tilausnumero mukaan, kun tulet noutamaan ne."
	w.CollectAt = "Noutopaikka"
	w.PurchaseSubject = "Ostotilaus %s"
	w.PurchaseIntro = "Tilaamme liitteenä olevan ostotilauksen tuotteet. Vahvistakaa määrät ja toimituspäivä vastaamalla tähän viestiin."
	w.WantedBy = "Toivottu viimeistään"
	w.TotalWithoutTax = "Yhteensä ilman veroa"
	w.StockSubject = "%s on taas varastossa"
	w.StockIntro = "Pyysit ilmoitusta, kun %s on varastossa. Nyt se on. Emme voi varata sitä sinulle."
	w.Price = "Hinta"
	w.ViewItem = "Näytä tuote"
	w.Unwatch = "Lopeta seuranta"
	w.RefundSubject = "Tilauksen %s hyvitys"
	w.RefundIntro = "Olemme hyvittäneet %s tilauksestasi %s."
	w.RefundWhen = "Voi kestää muutaman pankkipäivän, ennen kuin rahat näkyvät tilillä."
	w.RefundReturn = "Palautus %s"
	w.RefundCancelled = "Tilaus peruttiin."
	w.RefundRest = "Tilaus maksoi vähemmän kuin siitä maksettiin."
	w.RefundNoOrder = "Tällä maksulla ei tehty tilausta."
	w.RefundPlain = "Hyvitys"
	w.RefundPlainIntro = "Olemme hyvittäneet %s."
	w.Reason = "Syy"
	w.ApprovalSubject = "Tilaus %s odottaa hyväksyntääsi"
	w.Colleague = "Kollega"
	w.ApprovalIntro = "%s haluaa tehdä tilauksen %s, jonka summa on %s. Se vaatii hyväksyntäsi."
	w.Review = "Tarkista tilaus"
	w.ApprovedSubject = "Tilaus %s on hyväksytty"
	w.ApprovedIntro = "%s on hyväksynyt tilauksesi %s, jonka summa on %s."
	w.RejectedSubject = "Tilausta %s ei hyväksytty"
	w.RejectedIntro = "%s ei hyväksynyt tilaustasi %s, jonka summa on %s. Tilaus on peruttu."
	w.QuoteSubject = "Tarjous %s"
	w.QuoteIntro = "Tässä on tarjouksemme. Se on liitteenä PDF-tiedostona. Alla olevalla painikkeella voit lukea, hyväksyä tai hylätä sen ilman salasanaa."
	w.QuoteNumber = "Tarjousnumero"
	w.ValidUntil = "Voimassa"
	w.AnswerQuote = "Lue ja vastaa"
	w.InvoiceSubject = "Lasku %s"
	w.InvoiceIntro = "Tässä on lasku tilauksestasi %s. Se on liitteenä PDF-muodossa."
	w.InvoiceNumber = "Laskun numero"
	w.DueDate = "Eräpäivä"
	w.Date = "Päivämäärä"
	w.CreditSubject = "Hyvityslasku %s"
	w.CreditIntro = "Tässä on hyvityslasku tilauksestasi %s. Se on liitteenä PDF-muodossa."
	w.CreditNumber = "Hyvityslaskun numero"
	w.CreditsInvoice = "Hyvittää laskun"
	w.ReturnApprovedSubject = "Palautus %s on hyväksytty"
	w.ReturnApprovedIntro = "Voit lähettää takaisin nämä tilauksesi %s tuotteet. Laita palautuslomake pakettiin."
	w.ReturnReceivedSubject = "Palautus %s on saapunut"
	w.ReturnReceivedIntro = "Nämä tilauksesi %s tuotteet ovat palautuneet meille. Niistä maksamasi summa hyvitetään."
	w.TicketTitle = "Vastaus yhteydenottoosi %s"
	w.TicketReply = "Vastaa tähän viestiin, jos haluat kirjoittaa meille uudelleen."
	return w
}

func finnishAccounts() words {
	w := finnishOrders()
	w.SignInSubject = "Kirjautumiskoodisi"
	w.SignInIntro = "Kirjaudu sisään tällä koodilla (%s):"
	w.ResetSubject = "Koodi salasanan vaihtoon"
	w.ResetIntro = "Valitse uusi salasana tällä koodilla (%s):"
	w.VerifySubject = "Vahvista sähköpostiosoitteesi"
	w.VerifyIntro = "Vahvista sähköpostiosoitteesi tällä koodilla (%s):"
	w.CodeMinutes = "Koodi on voimassa %d minuuttia. Älä anna sitä kenellekään."
	w.WelcomeSubject = "Tervetuloa asiakkaaksi: %s"
	w.WelcomeIntro = "Tilisi on valmis. Siellä näet tilauksesi, toimituksesi ja osoitteesi."
	w.ToAccount = "Siirry tilillesi"
	w.KnownSubject = "Sinulla on jo tili"
	w.KnownIntro = "Joku yritti luoda tilin sähköpostiosoitteellasi (%s), mutta tili on jo olemassa."
	w.KnownHow = "Kirjaudu sisään sillä. Jos olet unohtanut salasanasi, voit valita uuden kirjautuessasi."
	w.SignIn = "Kirjaudu sisään"
	w.InvitedSubject = "Kutsu: %s"
	w.PortalBy = "%s on kutsunut sinut asiakasportaaliin: %s."
	w.PortalInvited = "Sinut on kutsuttu asiakasportaaliin: %s."
	w.OfficeBy = "%s on kutsunut sinut käyttäjäksi: %s."
	w.OfficeInvited = "Sinut on kutsuttu käyttäjäksi: %s."
	w.Accept = "Hyväksy kutsu"
	w.PasswordSubject = "Valitse uusi salasana"
	w.PasswordIntro = "Joku, luultavasti sinä, on pyytänyt uutta salasanaa tilillesi: %s."
	w.ChoosePassword = "Valitse uusi salasana"
	return w
}

func finnishOrders() words {
	return words{
		Hello:           "Hei!",
		HelloName:       "Hei %s!",
		Questions:       "Kysyttävää? Kirjoita osoitteeseen %s.",
		VATNumber:       "ALV-numero",
		Phone:           "Puhelin",
		LinkMinutes:     "Linkki on voimassa %d minuuttia, ja sen voi käyttää kerran.",
		LinkDays:        "Linkki on voimassa %d päivää, ja sen voi käyttää kerran.",
		NotYou:          "Jos et pyytänyt tätä, voit jättää viestin huomiotta.",
		OrderSubject:    "Tilausvahvistus %s",
		OrderTitle:      "Kiitos tilauksestasi!",
		OrderIntro:      "Olemme vastaanottaneet tilauksesi %s.",
		ViewOrder:       "Näytä tilaus",
		OrderNumber:     "Tilausnumero",
		OrderDate:       "Tilauspäivä",
		Reference:       "Viitteenne",
		Item:            "Tuote",
		Quantity:        "Määrä",
		Amount:          "Summa",
		Each:            "%s / %s",
		Subtotal:        "Välisumma",
		Freight:         "Toimitus",
		Free:            "Ilmainen",
		PaymentFee:      "Maksutapamaksu",
		Discount:        "Alennus",
		GiftCard:        "Lahjakortti",
		Tax:             "ALV",
		Included:        "Sisältää: %s",
		Total:           "Yhteensä",
		ToPay:           "Maksettava",
		BillingAddress:  "Laskutusosoite",
		DeliveryAddress: "Toimitusosoite",
		DeliveryMethod:  "Toimitustapa",
		PaymentMethod:   "Maksutapa",
		PaymentHow:      "Näin maksat",
		ReturnCode:      "Palautuskoodi",
	}
}
