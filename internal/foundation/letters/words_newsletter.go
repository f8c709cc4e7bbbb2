package letters

// newsletterWords are what letters about a store's newsletter say.
type newsletterWords struct {
	NewsletterSubject, NewsletterIntro, NewsletterConfirm, NewsletterLeave, NewsletterJoined,
	NewsletterJoinedIntro, NewsletterRead string
	// of the invitation to review what was bought
	ReviewSubject, ReviewIntro, ReviewWhy string
}

func newsletterIn(lang string) newsletterWords {
	switch lang {
	case "sv":
		return newsletterWords{"Bekräfta nyhetsbrevet från %s",
			"Någon, förmodligen du själv, vill ha nyhetsbrevet från %s till den här adressen. Det kommer först när du bekräftar det.",
			"Ja, skicka nyhetsbrevet", "Avsluta nyhetsbrevet", "Du får nu nyhetsbrevet från %s",
			"Tack! Längst ner i varje brev finns en länk som avslutar prenumerationen.",
			"Visa brevet i webbläsaren",
			"Vad tycker du om det du köpte hos %s?",
			"Du har nyligen handlat hos oss. Skriv gärna vad du tycker: det hjälper andra att välja rätt, och oss att bli bättre.",
			"Du får det här en gång för beställningen %s, för att du prenumererar på vårt nyhetsbrev."}
	case "nb":
		return newsletterWords{"Bekreft nyhetsbrevet fra %s",
			"Noen, antagelig du selv, vil ha nyhetsbrevet fra %s til denne adressen. Det kommer først når du bekrefter det.",
			"Ja, send nyhetsbrevet", "Avslutt nyhetsbrevet", "Du får nå nyhetsbrevet fra %s",
			"Takk! Nederst i hvert brev er det en lenke som avslutter abonnementet.",
			"Vis brevet i nettleseren",
			"Hva synes du om det du kjøpte hos %s?",
			"Du har nylig handlet hos oss. Skriv gjerne hva du synes: det hjelper andre å velge riktig, og oss å bli bedre.",
			"Du får dette én gang for bestillingen %s, fordi du abonnerer på nyhetsbrevet vårt."}
	case "da":
		return newsletterWords{"Bekræft nyhedsbrevet fra %s",
			"Nogen, formentlig du selv, vil have nyhedsbrevet fra %s til denne adresse. Det kommer først, når du bekræfter det.",
			"Ja, send nyhedsbrevet", "Afmeld nyhedsbrevet", "Du får nu nyhedsbrevet fra %s",
			"Tak! Nederst i hvert brev er der et link, som afslutter abonnementet.",
			"Vis brevet i browseren",
			"Hvad synes du om det, du købte hos %s?",
			"Du har for nylig handlet hos os. Skriv gerne, hvad du synes: det hjælper andre med at vælge rigtigt, og os med at blive bedre.",
			"Du får dette én gang for bestillingen %s, fordi du abonnerer på vores nyhedsbrev."}
	case "fi":
		return newsletterWords{"Vahvista uutiskirje: %s",
			"Joku, luultavasti sinä itse, haluaa uutiskirjeen (%s) tähän osoitteeseen. Se lähetetään vasta, kun vahvistat tilauksen.",
			"Kyllä, lähettäkää uutiskirje", "Peruuta uutiskirje", "Saat nyt uutiskirjeen: %s",
			"Kiitos! Jokaisen kirjeen lopussa on linkki, jolla tilauksen voi perua.",
			"Näytä kirje selaimessa",
			"Mitä mieltä olet ostoksestasi: %s?",
			"Olet hiljattain ostanut meiltä. Kerro mielipiteesi: se auttaa muita valitsemaan oikein ja meitä parantamaan.",
			"Saat tämän kerran tilauksestasi %s, koska tilaat uutiskirjeemme."}
	case "de":
		return newsletterWords{"Bestätigen Sie den Newsletter von %s",
			"Jemand, vermutlich Sie selbst, möchte den Newsletter von %s an diese Adresse. Er kommt erst, wenn Sie das bestätigen.",
			"Ja, schicken Sie den Newsletter", "Newsletter abbestellen", "Sie erhalten nun den Newsletter von %s",
			"Danke! Am Ende jedes Briefs steht ein Link, mit dem Sie ihn abbestellen.",
			"Brief im Browser ansehen",
			"Wie gefällt Ihnen, was Sie bei %s gekauft haben?",
			"Sie haben vor Kurzem bei uns gekauft. Schreiben Sie, was Sie davon halten: Es hilft anderen bei der Wahl, und uns, besser zu werden.",
			"Sie erhalten dies einmal zur Bestellung %s, weil Sie unseren Newsletter abonniert haben."}
	}
	return newsletterWords{"Confirm the newsletter of %s",
		"Somebody, probably you, wants the newsletter of %s at this address. It only comes once you confirm that.",
		"Yes, send the newsletter", "Unsubscribe", "You now get the newsletter of %s",
		"Thank you! A link at the end of every letter ends the subscription.",
		"See this letter in the browser",
		"What do you think of what you bought at %s?",
		"You bought something from us recently. Tell others what you think of it: it helps them to choose, and us to get better.",
		"You get this once for the order %s, because you subscribe to our newsletter."}
}
