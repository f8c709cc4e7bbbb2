package letters

// newsletterWords are what letters about a store's newsletter say.
type newsletterWords struct {
	NewsletterSubject, NewsletterIntro, NewsletterConfirm, NewsletterLeave, NewsletterJoined,
	NewsletterJoinedIntro string
}

func newsletterIn(lang string) newsletterWords {
	switch lang {
	case "sv":
		return newsletterWords{"Bekräfta nyhetsbrevet från %s",
			"Någon, förmodligen du själv, vill ha nyhetsbrevet från %s till den här adressen. Det kommer först när du bekräftar det.",
			"Ja, skicka nyhetsbrevet", "Avsluta nyhetsbrevet", "Du får nu nyhetsbrevet från %s",
			"Tack! Längst ner i varje brev finns en länk som avslutar prenumerationen."}
	case "nb":
		return newsletterWords{"Bekreft nyhetsbrevet fra %s",
			"Noen, antagelig du selv, vil ha nyhetsbrevet fra %s til denne adressen. Det kommer først når du bekrefter det.",
			"Ja, send nyhetsbrevet", "Avslutt nyhetsbrevet", "Du får nå nyhetsbrevet fra %s",
			"Takk! Nederst i hvert brev er det en lenke som avslutter abonnementet."}
	case "da":
		return newsletterWords{"Bekræft nyhedsbrevet fra %s",
			"Nogen, formentlig du selv, vil have nyhedsbrevet fra %s til denne adresse. Det kommer først, når du bekræfter det.",
			"Ja, send nyhedsbrevet", "Afmeld nyhedsbrevet", "Du får nu nyhedsbrevet fra %s",
			"Tak! Nederst i hvert brev er der et link, som afslutter abonnementet."}
	case "fi":
		return newsletterWords{"Vahvista uutiskirje: %s",
			"Joku, luultavasti sinä itse, haluaa uutiskirjeen (%s) tähän osoitteeseen. Se lähetetään vasta, kun vahvistat tilauksen.",
			"Kyllä, lähettäkää uutiskirje", "Peruuta uutiskirje", "Saat nyt uutiskirjeen: %s",
			"Kiitos! Jokaisen kirjeen lopussa on linkki, jolla tilauksen voi perua."}
	case "de":
		return newsletterWords{"Bestätigen Sie den Newsletter von %s",
			"Jemand, vermutlich Sie selbst, möchte den Newsletter von %s an diese Adresse. Er kommt erst, wenn Sie das bestätigen.",
			"Ja, schicken Sie den Newsletter", "Newsletter abbestellen", "Sie erhalten nun den Newsletter von %s",
			"Danke! Am Ende jedes Briefs steht ein Link, mit dem Sie ihn abbestellen."}
	}
	return newsletterWords{"Confirm the newsletter of %s",
		"Somebody, probably you, wants the newsletter of %s at this address. It only comes once you confirm that.",
		"Yes, send the newsletter", "Unsubscribe", "You now get the newsletter of %s",
		"Thank you! A link at the end of every letter ends the subscription."}
}
