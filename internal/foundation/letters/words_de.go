package letters

func german() words {
	w := germanAccounts()
	w.ShippedSubject = "Ihre Bestellung %s ist unterwegs"
	w.ShippedIntro = "Wir haben Waren aus Ihrer Bestellung %s versandt."
	w.Carrier = "Versanddienst"
	w.TrackingNumber = "Sendungsnummer"
	w.Track = "Sendung verfolgen"
	w.CollectSubject = "Ihre Bestellung %s liegt zur Abholung bereit"
	w.CollectIntro = "Die Waren Ihrer Bestellung %s liegen zur Abholung bereit. Bitte bringen Sie die Bestellnummer mit."
	w.CollectAt = "Abholung bei"
	w.PurchaseSubject = "Bestellung %s"
	w.PurchaseIntro = "Wir bestellen die Waren der beigefügten Bestellung. Bitte bestätigen Sie Mengen und Liefertag, indem Sie auf diese E-Mail antworten."
	w.WantedBy = "Erwünscht bis"
	w.TotalWithoutTax = "Summe ohne Steuer"
	w.StockSubject = "%s ist wieder lieferbar"
	w.StockIntro = "Sie wollten erfahren, wann %s lieferbar ist. Jetzt ist es so weit. Wir können den Artikel nicht für Sie zurücklegen."
	w.Price = "Preis"
	w.ViewItem = "Artikel ansehen"
	w.Unwatch = "Benachrichtigung beenden"
	w.RefundSubject = "Erstattung zu Bestellung %s"
	w.RefundIntro = "Wir haben Ihnen %s zu Ihrer Bestellung %s erstattet."
	w.RefundWhen = "Es kann einige Bankarbeitstage dauern, bis das Geld zu sehen ist."
	w.RefundReturn = "Rücksendung %s"
	w.RefundCancelled = "Die Bestellung wurde storniert."
	w.RefundRest = "Die Bestellung kostete weniger, als bezahlt wurde."
	w.RefundNoOrder = "Mit dieser Zahlung kam keine Bestellung zustande."
	w.RefundPlain = "Erstattung"
	w.RefundPlainIntro = "Wir haben Ihnen %s erstattet."
	w.Reason = "Grund"
	w.ApprovalSubject = "Bestellung %s wartet auf Ihre Freigabe"
	w.Colleague = "Ein Kollege oder eine Kollegin"
	w.ApprovalIntro = "%s möchte die Bestellung %s über %s aufgeben. Sie braucht Ihre Freigabe."
	w.Review = "Bestellung prüfen"
	w.ApprovedSubject = "Bestellung %s ist freigegeben"
	w.ApprovedIntro = "%s hat Ihre Bestellung %s über %s freigegeben."
	w.RejectedSubject = "Bestellung %s wurde nicht freigegeben"
	w.RejectedIntro = "%s hat Ihre Bestellung %s über %s nicht freigegeben. Sie ist storniert."
	w.QuoteSubject = "Angebot %s"
	w.QuoteIntro = "Hier ist unser Angebot. Es ist als PDF angehängt. Mit dem Knopf unten können Sie es lesen, annehmen oder ablehnen, ohne Passwort."
	w.QuoteNumber = "Angebotsnummer"
	w.ValidUntil = "Gültig bis"
	w.AnswerQuote = "Lesen und antworten"
	w.InvoiceSubject = "Rechnung %s"
	w.InvoiceIntro = "Hier ist die Rechnung zu Ihrer Bestellung %s. Sie ist als PDF angehängt."
	w.InvoiceNumber = "Rechnungsnummer"
	w.DueDate = "Fällig"
	w.Date = "Datum"
	w.CreditSubject = "Rechnungskorrektur %s"
	w.CreditIntro = "Hier ist eine Rechnungskorrektur zu Ihrer Bestellung %s. Sie ist als PDF angehängt."
	w.CreditNumber = "Nummer der Rechnungskorrektur"
	w.CreditsInvoice = "Korrigiert Rechnung"
	w.ReturnApprovedSubject = "Rücksendung %s ist genehmigt"
	w.ReturnApprovedIntro = "Sie können diese Waren aus Ihrer Bestellung %s zurücksenden. Bitte legen Sie den Rücksendeschein ins Paket."
	w.ReturnReceivedSubject = "Rücksendung %s ist angekommen"
	w.ReturnReceivedIntro = "Diese Waren aus Ihrer Bestellung %s sind wieder bei uns. Was Sie dafür bezahlt haben, wird gutgeschrieben."
	w.TicketTitle = "Antwort auf Ihre Anfrage %s"
	w.TicketReply = "Antworten Sie auf diese E-Mail, wenn Sie uns wieder schreiben möchten."
	return w
}

func germanAccounts() words {
	w := germanOrders()
	w.SignInSubject = "Ihr Anmeldecode"
	w.SignInIntro = "Melden Sie sich bei %s mit diesem Code an:"
	w.ResetSubject = "Code für ein neues Passwort"
	w.ResetIntro = "Wählen Sie bei %s mit diesem Code ein neues Passwort:"
	w.VerifySubject = "Bestätigen Sie Ihre E-Mail-Adresse"
	w.VerifyIntro = "Bestätigen Sie Ihre E-Mail-Adresse bei %s mit diesem Code:"
	w.CodeMinutes = "Der Code gilt %d Minuten. Geben Sie ihn niemandem weiter."
	w.WelcomeSubject = "Willkommen bei %s"
	w.WelcomeIntro = "Ihr Konto ist bereit. Dort finden Sie Ihre Bestellungen, Lieferungen und Adressen."
	w.ToAccount = "Zu Ihrem Konto"
	w.KnownSubject = "Sie haben bereits ein Konto"
	w.KnownIntro = "Jemand wollte bei %s mit Ihrer E-Mail-Adresse ein Konto anlegen, aber es gibt bereits eines."
	w.KnownHow = "Melden Sie sich damit an. Wenn Sie das Passwort vergessen haben, können Sie bei der Anmeldung ein neues wählen."
	w.SignIn = "Anmelden"
	w.InvitedSubject = "Einladung zu %s"
	w.PortalBy = "%s hat Sie zum Kundenportal von %s eingeladen."
	w.PortalInvited = "Sie sind zum Kundenportal von %s eingeladen."
	w.OfficeBy = "%s hat Sie eingeladen, in %s mitzuarbeiten."
	w.OfficeInvited = "Sie sind eingeladen, in %s mitzuarbeiten."
	w.Accept = "Einladung annehmen"
	w.PasswordSubject = "Wählen Sie ein neues Passwort"
	w.PasswordIntro = "Jemand, vermutlich Sie selbst, hat ein neues Passwort für Ihr Konto in %s angefordert."
	w.ChoosePassword = "Neues Passwort wählen"
	return w
}

func germanOrders() words {
	return words{
		Hello:           "Guten Tag!",
		HelloName:       "Guten Tag %s!",
		Questions:       "Fragen? Schreiben Sie an %s.",
		VATNumber:       "USt-IdNr.",
		Phone:           "Telefon",
		LinkMinutes:     "Der Link gilt %d Minuten und kann einmal verwendet werden.",
		LinkDays:        "Der Link gilt %d Tage und kann einmal verwendet werden.",
		NotYou:          "Wenn Sie dies nicht angefordert haben, können Sie diese E-Mail ignorieren.",
		OrderSubject:    "Auftragsbestätigung %s",
		OrderTitle:      "Vielen Dank für Ihre Bestellung!",
		OrderIntro:      "Wir haben Ihre Bestellung %s erhalten.",
		ViewOrder:       "Bestellung ansehen",
		OrderNumber:     "Auftragsnummer",
		OrderDate:       "Auftragsdatum",
		Reference:       "Ihre Referenz",
		Item:            "Artikel",
		Quantity:        "Menge",
		Amount:          "Betrag",
		Each:            "%s je %s",
		Subtotal:        "Zwischensumme",
		Freight:         "Versand",
		Free:            "Kostenlos",
		PaymentFee:      "Zahlungsgebühr",
		Discount:        "Rabatt",
		GiftCard:        "Gutschein",
		Tax:             "MwSt.",
		Included:        "Darin enthalten: %s",
		Total:           "Gesamtbetrag",
		ToPay:           "Zu zahlen",
		BillingAddress:  "Rechnungsadresse",
		DeliveryAddress: "Lieferadresse",
		DeliveryMethod:  "Lieferart",
		PaymentMethod:   "Zahlungsart",
		PaymentHow:      "So bezahlen Sie",
		ReturnCode:      "Rücksendecode",
	}
}
