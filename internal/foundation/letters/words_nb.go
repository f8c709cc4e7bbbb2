package letters

func norwegian() words {
	w := norwegianAccounts()
	w.ShippedSubject = "Bestillingen din %s er på vei"
	w.ShippedIntro = "Vi har sendt varer fra bestillingen din %s."
	w.Carrier = "Transportør"
	w.TrackingNumber = "Sporingsnummer"
	w.Track = "Spor sendingen"
	w.CollectSubject = "Bestillingen din %s kan hentes"
	w.CollectIntro = "Varene i bestillingen din %s er klare til å hentes. Ta med bestillingsnummeret når du kommer."
	w.CollectAt = "Hentes hos"
	w.PurchaseSubject = "Innkjøpsordre %s"
	w.PurchaseIntro = "Vi bestiller varene i den vedlagte innkjøpsordren. Bekreft gjerne antall og leveringsdag ved å svare på denne e-posten."
	w.WantedBy = "Ønskes innen"
	w.TotalWithoutTax = "Totalt uten mva."
	w.StockSubject = "%s er på lager igjen"
	w.StockIntro = "Du ba oss si fra når %s er på lager. Nå er den det. Vi kan ikke holde den av til deg."
	w.Price = "Pris"
	w.ViewItem = "Vis varen"
	w.Unwatch = "Avslutt varslingen"
	w.RefundSubject = "Tilbakebetaling for bestilling %s"
	w.RefundIntro = "Vi har betalt tilbake %s for bestillingen din %s."
	w.RefundWhen = "Det kan ta noen bankdager før pengene er synlige."
	w.RefundReturn = "Retur %s"
	w.RefundCancelled = "Bestillingen ble avbestilt."
	w.RefundRest = "Bestillingen kostet mindre enn det som ble betalt."
	w.RefundNoOrder = "Det ble ingen bestilling med denne betalingen."
	w.RefundPlain = "Tilbakebetaling"
	w.RefundPlainIntro = "Vi har betalt tilbake %s."
	w.Reason = "Årsak"
	w.ApprovalSubject = "Bestilling %s venter på din godkjenning"
	w.Colleague = "En kollega"
	w.ApprovalIntro = "%s vil legge inn bestilling %s på %s. Den trenger din godkjenning."
	w.Review = "Se på bestillingen"
	w.ApprovedSubject = "Bestilling %s er godkjent"
	w.ApprovedIntro = "%s har godkjent bestillingen din %s på %s."
	w.RejectedSubject = "Bestilling %s ble ikke godkjent"
	w.RejectedIntro = "%s har ikke godkjent bestillingen din %s på %s. Den er avbestilt."
	w.QuoteSubject = "Tilbud %s"
	w.QuoteIntro = "Her er tilbudet vårt. Det er vedlagt som PDF. Med knappen nedenfor kan du lese det, godta det eller takke nei, uten passord."
	w.QuoteNumber = "Tilbudsnummer"
	w.ValidUntil = "Gyldig til"
	w.AnswerQuote = "Les og svar"
	w.InvoiceSubject = "Faktura %s"
	w.InvoiceIntro = "Her er fakturaen for bestillingen din %s. Den er vedlagt som PDF."
	w.InvoiceNumber = "Fakturanummer"
	w.DueDate = "Forfaller"
	w.Date = "Dato"
	w.CreditSubject = "Kreditnota %s"
	w.CreditIntro = "Her er en kreditnota for bestillingen din %s. Den er vedlagt som PDF."
	w.CreditNumber = "Kreditnotaens nummer"
	w.CreditsInvoice = "Krediterer faktura"
	w.ReturnApprovedSubject = "Retur %s er godkjent"
	w.ReturnApprovedIntro = "Du kan sende tilbake disse varene fra bestillingen din %s. Legg returseddelen i pakken."
	w.ReturnReceivedSubject = "Retur %s er mottatt"
	w.ReturnReceivedIntro = "Disse varene fra bestillingen din %s har kommet tilbake til oss. Det du har betalt for dem, krediteres."
	w.TicketTitle = "Svar på henvendelsen din %s"
	w.TicketReply = "Svar på denne e-posten hvis du vil skrive til oss igjen."
	return w
}

func norwegianAccounts() words {
	w := norwegianOrders()
	w.SignInSubject = "Innloggingskoden din"
	w.SignInIntro = "Logg inn hos %s med denne koden:"
	w.ResetSubject = "Kode for nytt passord"
	w.ResetIntro = "Velg et nytt passord hos %s med denne koden:"
	w.VerifySubject = "Bekreft e-postadressen din"
	w.VerifyIntro = "Bekreft e-postadressen din hos %s med denne koden:"
	w.CodeMinutes = "Koden gjelder i %d minutter. Ikke gi den til noen."
	w.WelcomeSubject = "Velkommen til %s"
	w.WelcomeIntro = "Kontoen din er klar. Der ser du bestillinger, leveringer og adresser."
	w.ToAccount = "Til kontoen din"
	w.KnownSubject = "Du har allerede en konto"
	w.KnownIntro = "Noen ville opprette en konto hos %s med e-postadressen din, men det finnes allerede en."
	w.KnownHow = "Logg inn med den. Har du glemt passordet, kan du velge et nytt når du logger inn."
	w.SignIn = "Logg inn"
	w.InvitedSubject = "Invitasjon til %s"
	w.PortalBy = "%s har invitert deg til kundeportalen hos %s."
	w.PortalInvited = "Du er invitert til kundeportalen hos %s."
	w.OfficeBy = "%s har invitert deg til å arbeide i %s."
	w.OfficeInvited = "Du er invitert til å arbeide i %s."
	w.Accept = "Godta invitasjonen"
	w.PasswordSubject = "Velg et nytt passord"
	w.PasswordIntro = "Noen, antakelig du selv, har bedt om et nytt passord til kontoen din i %s."
	w.ChoosePassword = "Velg nytt passord"
	return w
}

func norwegianOrders() words {
	return words{
		Hello:           "Hei!",
		HelloName:       "Hei %s!",
		Questions:       "Spørsmål? Skriv til %s.",
		VATNumber:       "MVA-nr.",
		Phone:           "Telefon",
		LinkMinutes:     "Lenken gjelder i %d minutter og kan brukes én gang.",
		LinkDays:        "Lenken gjelder i %d dager og kan brukes én gang.",
		NotYou:          "Hvis du ikke har bedt om dette, kan du se bort fra e-posten.",
		OrderSubject:    "Ordrebekreftelse %s",
		OrderTitle:      "Takk for bestillingen!",
		OrderIntro:      "Vi har mottatt bestillingen din %s.",
		ViewOrder:       "Vis bestillingen",
		OrderNumber:     "Ordrenummer",
		OrderDate:       "Ordredato",
		Reference:       "Deres referanse",
		Item:            "Vare",
		Quantity:        "Antall",
		Amount:          "Beløp",
		Each:            "%s per %s",
		Subtotal:        "Delsum",
		Freight:         "Frakt",
		Free:            "Gratis",
		PaymentFee:      "Betalingsgebyr",
		Discount:        "Rabatt",
		GiftCard:        "Gavekort",
		Tax:             "MVA",
		Included:        "Herav %s",
		Total:           "Totalt",
		ToPay:           "Å betale",
		BillingAddress:  "Fakturaadresse",
		DeliveryAddress: "Leveringsadresse",
		DeliveryMethod:  "Leveringsmåte",
		PaymentMethod:   "Betalingsmåte",
		PaymentHow:      "Slik betaler du",
		ReturnCode:      "Returkode",
	}
}
