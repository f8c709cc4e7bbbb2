package letters

func danish() words {
	w := danishAccounts()
	w.ShippedSubject = "Din bestilling %s er på vej"
	w.ShippedIntro = "Vi har sendt varer fra din bestilling %s."
	w.Carrier = "Fragtfirma"
	w.TrackingNumber = "Sporingsnummer"
	w.Track = "Spor forsendelsen"
	w.CollectSubject = "Din bestilling %s kan afhentes"
	w.CollectIntro = "Varerne i din bestilling %s er klar til afhentning. Medbring bestillingsnummeret, når du kommer."
	w.CollectAt = "Afhentes hos"
	w.PurchaseSubject = "Indkøbsordre %s"
	w.PurchaseIntro = "Vi bestiller varerne i den vedhæftede indkøbsordre. Bekræft gerne antal og leveringsdag ved at svare på denne mail."
	w.WantedBy = "Ønskes senest"
	w.TotalWithoutTax = "I alt uden moms"
	w.StockSubject = "%s er på lager igen"
	w.StockIntro = "Du bad os sige til, når %s er på lager. Det er den nu. Vi kan ikke lægge den til side til dig."
	w.Price = "Pris"
	w.ViewItem = "Vis varen"
	w.Unwatch = "Afslut overvågningen"
	w.RefundSubject = "Tilbagebetaling for bestilling %s"
	w.RefundIntro = "Vi har tilbagebetalt %s for din bestilling %s."
	w.RefundWhen = "Der kan gå nogle bankdage, før pengene kan ses."
	w.RefundReturn = "Returnering %s"
	w.RefundCancelled = "Bestillingen blev annulleret."
	w.RefundRest = "Bestillingen kostede mindre end det, der blev betalt."
	w.RefundNoOrder = "Der blev ikke afgivet en bestilling med denne betaling."
	w.RefundPlain = "Tilbagebetaling"
	w.RefundPlainIntro = "Vi har tilbagebetalt %s."
	w.Reason = "Årsag"
	w.ApprovalSubject = "Bestilling %s venter på din godkendelse"
	w.Colleague = "En kollega"
	w.ApprovalIntro = "%s vil afgive bestilling %s på %s. Den kræver din godkendelse."
	w.Review = "Gennemgå bestillingen"
	w.ApprovedSubject = "Bestilling %s er godkendt"
	w.ApprovedIntro = "%s har godkendt din bestilling %s på %s."
	w.RejectedSubject = "Bestilling %s blev ikke godkendt"
	w.RejectedIntro = "%s har ikke godkendt din bestilling %s på %s. Den er annulleret."
	w.QuoteSubject = "Tilbud %s"
	w.QuoteIntro = "Her er vores tilbud. Det er vedhæftet som PDF. Med knappen nedenfor kan du læse det, acceptere det eller afslå det, uden adgangskode."
	w.QuoteNumber = "Tilbudsnummer"
	w.ValidUntil = "Gyldigt til"
	w.AnswerQuote = "Læs og svar"
	w.InvoiceSubject = "Faktura %s"
	w.InvoiceIntro = "Her er fakturaen for din ordre %s. Den er vedhæftet som PDF."
	w.InvoiceNumber = "Fakturanummer"
	w.DueDate = "Forfalder"
	w.Date = "Dato"
	w.CreditSubject = "Kreditnota %s"
	w.CreditIntro = "Her er en kreditnota for din ordre %s. Den er vedhæftet som PDF."
	w.CreditNumber = "Kreditnotaens nummer"
	w.CreditsInvoice = "Krediterer faktura"
	w.ReturnApprovedSubject = "Retur %s er godkendt"
	w.ReturnApprovedIntro = "Du kan sende disse varer fra din ordre %s tilbage. Læg returseddelen i pakken."
	w.ReturnReceivedSubject = "Retur %s er modtaget"
	w.ReturnReceivedIntro = "Disse varer fra din ordre %s er kommet tilbage til os. Det, du har betalt for dem, krediteres."
	w.TicketTitle = "Svar på din henvendelse %s"
	w.TicketReply = "Svar på denne mail, hvis du vil skrive til os igen."
	return w
}

func danishAccounts() words {
	w := danishOrders()
	w.SignInSubject = "Din loginkode"
	w.SignInIntro = "Log ind hos %s med denne kode:"
	w.ResetSubject = "Kode til ny adgangskode"
	w.ResetIntro = "Vælg en ny adgangskode hos %s med denne kode:"
	w.VerifySubject = "Bekræft din e-mailadresse"
	w.VerifyIntro = "Bekræft din e-mailadresse hos %s med denne kode:"
	w.CodeMinutes = "Koden gælder i %d minutter. Giv den ikke til nogen."
	w.WelcomeSubject = "Velkommen til %s"
	w.WelcomeIntro = "Din konto er klar. Der ser du dine bestillinger, leveringer og adresser."
	w.ToAccount = "Til din konto"
	w.KnownSubject = "Du har allerede en konto"
	w.KnownIntro = "Nogen ville oprette en konto hos %s med din e-mailadresse, men der findes allerede en."
	w.KnownHow = "Log ind med den. Har du glemt adgangskoden, kan du vælge en ny, når du logger ind."
	w.SignIn = "Log ind"
	w.InvitedSubject = "Invitation til %s"
	w.PortalBy = "%s har inviteret dig til kundeportalen hos %s."
	w.PortalInvited = "Du er inviteret til kundeportalen hos %s."
	w.OfficeBy = "%s har inviteret dig til at arbejde i %s."
	w.OfficeInvited = "Du er inviteret til at arbejde i %s."
	w.Accept = "Tag imod invitationen"
	w.PasswordSubject = "Vælg en ny adgangskode"
	w.PasswordIntro = "Nogen, formentlig dig selv, har bedt om en ny adgangskode til din konto i %s."
	w.ChoosePassword = "Vælg ny adgangskode"
	return w
}

func danishOrders() words {
	return words{
		Hello:           "Hej!",
		HelloName:       "Hej %s!",
		Questions:       "Spørgsmål? Skriv til %s.",
		VATNumber:       "CVR/moms-nr.",
		Phone:           "Telefon",
		LinkMinutes:     "Linket gælder i %d minutter og kan bruges én gang.",
		LinkDays:        "Linket gælder i %d dage og kan bruges én gang.",
		NotYou:          "Hvis du ikke har bedt om dette, kan du se bort fra mailen.",
		OrderSubject:    "Ordrebekræftelse %s",
		OrderTitle:      "Tak for din bestilling!",
		OrderIntro:      "Vi har modtaget din bestilling %s.",
		ViewOrder:       "Vis bestillingen",
		OrderNumber:     "Ordrenummer",
		OrderDate:       "Ordredato",
		Reference:       "Jeres reference",
		Item:            "Vare",
		Quantity:        "Antal",
		Amount:          "Beløb",
		Each:            "%s pr. %s",
		Subtotal:        "Subtotal",
		Freight:         "Fragt",
		Free:            "Gratis",
		PaymentFee:      "Betalingsgebyr",
		Discount:        "Rabat",
		GiftCard:        "Gavekort",
		Tax:             "Moms",
		Included:        "Heraf %s",
		Total:           "I alt",
		ToPay:           "At betale",
		BillingAddress:  "Faktureringsadresse",
		DeliveryAddress: "Leveringsadresse",
		DeliveryMethod:  "Leveringsmåde",
		PaymentMethod:   "Betalingsmåde",
		PaymentHow:      "Sådan betaler du",
		ReturnCode:      "Returkode",
	}
}
