package letters

func swedish() words {
	w := swedishAccounts()
	w.ShippedSubject = "Din beställning %s är på väg"
	w.ShippedIntro = "Vi har skickat varor från din beställning %s."
	w.Carrier = "Transportör"
	w.TrackingNumber = "Kollinummer"
	w.Track = "Spåra försändelsen"
	w.CollectSubject = "Din beställning %s kan hämtas"
	w.CollectIntro = "Varorna i din beställning %s är klara att hämta. Ta med beställningsnumret när du kommer."
	w.CollectAt = "Hämtas hos"
	w.PurchaseSubject = "Inköpsorder %s"
	w.PurchaseIntro = "Vi beställer varorna i den bifogade inköpsordern. Bekräfta gärna antal och leveransdag genom att svara på det här mejlet."
	w.WantedBy = "Önskas senast"
	w.TotalWithoutTax = "Totalt exklusive moms"
	w.StockSubject = "%s finns i lager igen"
	w.StockIntro = "Du bad oss säga till när %s finns i lager. Nu gör den det. Vi kan inte lägga undan den åt dig."
	w.Price = "Pris"
	w.ViewItem = "Visa varan"
	w.Unwatch = "Avsluta bevakningen"
	w.RefundSubject = "Återbetalning för beställning %s"
	w.RefundIntro = "Vi har betalat tillbaka %s för din beställning %s."
	w.RefundWhen = "Det kan ta några bankdagar innan pengarna syns."
	w.RefundReturn = "Retur %s"
	w.RefundCancelled = "Beställningen avbeställdes."
	w.RefundRest = "Beställningen kostade mindre än vad som betalades."
	w.RefundNoOrder = "Ingen beställning gjordes med den här betalningen."
	w.RefundPlain = "Återbetalning"
	w.RefundPlainIntro = "Vi har betalat tillbaka %s."
	w.Reason = "Orsak"
	w.ApprovalSubject = "Beställning %s väntar på ditt godkännande"
	w.Colleague = "En kollega"
	w.ApprovalIntro = "%s vill lägga beställning %s på %s. Den behöver ditt godkännande."
	w.Review = "Granska beställningen"
	w.ApprovedSubject = "Beställning %s är godkänd"
	w.ApprovedIntro = "%s har godkänt din beställning %s på %s."
	w.RejectedSubject = "Beställning %s godkändes inte"
	w.RejectedIntro = "%s har inte godkänt din beställning %s på %s. Den är avbeställd."
	w.QuoteSubject = "Offert %s"
	w.QuoteIntro = "Här är vår offert. Den är bifogad som PDF. Med knappen nedan kan du läsa den, godkänna den eller tacka nej, utan lösenord."
	w.QuoteNumber = "Offertnummer"
	w.ValidUntil = "Giltig till"
	w.AnswerQuote = "Läs och svara"
	w.InvoiceSubject = "Faktura %s"
	w.InvoiceIntro = "Här är fakturan för din beställning %s. Den är bifogad som PDF."
	w.InvoiceNumber = "Fakturanummer"
	w.DueDate = "Förfaller"
	w.Date = "Datum"
	w.CreditSubject = "Kreditfaktura %s"
	w.CreditIntro = "Här är en kreditfaktura för din beställning %s. Den är bifogad som PDF."
	w.CreditNumber = "Kreditfakturans nummer"
	w.CreditsInvoice = "Krediterar faktura"
	w.ReturnApprovedSubject = "Retur %s är godkänd"
	w.ReturnApprovedIntro = "Du kan skicka tillbaka de här varorna ur din beställning %s. Lägg retursedeln i paketet."
	w.ReturnReceivedSubject = "Retur %s har kommit fram"
	w.ReturnReceivedIntro = "De här varorna ur din beställning %s har kommit tillbaka till oss. Det du har betalat för dem krediteras."
	w.TicketTitle = "Svar på ditt ärende %s"
	w.TicketReply = "Svara på det här mejlet om du vill skriva till oss igen."
	return w
}

func swedishAccounts() words {
	w := swedishOrders()
	w.SignInSubject = "Din inloggningskod"
	w.SignInIntro = "Logga in hos %s med den här koden:"
	w.ResetSubject = "Kod för nytt lösenord"
	w.ResetIntro = "Välj ett nytt lösenord hos %s med den här koden:"
	w.VerifySubject = "Bekräfta din e-postadress"
	w.VerifyIntro = "Bekräfta din e-postadress hos %s med den här koden:"
	w.CodeMinutes = "Koden gäller i %d minuter. Lämna inte ut den till någon."
	w.WelcomeSubject = "Välkommen till %s"
	w.WelcomeIntro = "Ditt konto är klart. Där ser du dina beställningar, leveranser och adresser."
	w.ToAccount = "Till ditt konto"
	w.KnownSubject = "Du har redan ett konto"
	w.KnownIntro = "Någon ville skapa ett konto hos %s med din e-postadress, men det finns redan ett."
	w.KnownHow = "Logga in med det. Har du glömt lösenordet kan du välja ett nytt när du loggar in."
	w.SignIn = "Logga in"
	w.InvitedSubject = "Inbjudan till %s"
	w.PortalBy = "%s har bjudit in dig till kundportalen hos %s."
	w.PortalInvited = "Du är inbjuden till kundportalen hos %s."
	w.OfficeBy = "%s har bjudit in dig att arbeta i %s."
	w.OfficeInvited = "Du är inbjuden att arbeta i %s."
	w.Accept = "Tacka ja till inbjudan"
	w.PasswordSubject = "Välj ett nytt lösenord"
	w.PasswordIntro = "Någon, förmodligen du själv, har bett om ett nytt lösenord för ditt konto i %s."
	w.ChoosePassword = "Välj nytt lösenord"
	return w
}

func swedishOrders() words {
	return words{
		Hello:           "Hej!",
		HelloName:       "Hej %s!",
		Questions:       "Frågor? Skriv till %s.",
		VATNumber:       "Momsreg.nr",
		Phone:           "Telefon",
		LinkMinutes:     "Länken gäller i %d minuter och kan användas en gång.",
		LinkDays:        "Länken gäller i %d dagar och kan användas en gång.",
		NotYou:          "Om du inte har bett om det här kan du bortse från mejlet.",
		OrderSubject:    "Orderbekräftelse %s",
		OrderTitle:      "Tack för din beställning!",
		OrderIntro:      "Vi har tagit emot din beställning %s.",
		ViewOrder:       "Visa beställningen",
		OrderNumber:     "Ordernummer",
		OrderDate:       "Orderdatum",
		Reference:       "Er referens",
		Item:            "Artikel",
		Quantity:        "Antal",
		Amount:          "Belopp",
		Each:            "%s per %s",
		Subtotal:        "Delsumma",
		Freight:         "Frakt",
		Free:            "Fritt",
		PaymentFee:      "Betalningsavgift",
		Discount:        "Rabatt",
		GiftCard:        "Presentkort",
		Tax:             "Moms",
		Included:        "%s ingår",
		Total:           "Summa",
		ToPay:           "Att betala",
		BillingAddress:  "Fakturaadress",
		DeliveryAddress: "Leveransadress",
		DeliveryMethod:  "Leveranssätt",
		PaymentMethod:   "Betalningssätt",
		PaymentHow:      "Så betalar du",
		ReturnCode:      "Returkod",
	}
}
