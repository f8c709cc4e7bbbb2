package letters

// words are what letters say in one language. %s and %d stand for what is filled in, in the same order in every
// language.
type words struct {
	newsletterWords
	officeWords
	Hello, HelloName, Questions, VATNumber, Phone, LinkMinutes, LinkDays,
	NotYou string
	OrderSubject, OrderTitle, OrderIntro, ViewOrder, OrderNumber, OrderDate, Reference, Item, Quantity, Amount,
	Each string
	Subtotal, Freight, Free, PaymentFee, Discount, GiftCard, Tax, Included, Total, ToPay, BillingAddress,
	DeliveryAddress string
	DeliveryMethod, PaymentMethod, PaymentHow,
	ReturnCode string
	SignInSubject, SignInIntro, ResetSubject, ResetIntro, VerifySubject, VerifyIntro,
	CodeMinutes string
	WelcomeSubject, WelcomeIntro, ToAccount, KnownSubject, KnownIntro, KnownHow,
	SignIn string
	InvitedSubject, PortalBy, PortalInvited, OfficeBy, OfficeInvited, Accept, PasswordSubject, PasswordIntro,
	ChoosePassword string
	ShippedSubject, ShippedIntro, Carrier, TrackingNumber, Track, StockSubject, StockIntro, Price, ViewItem,
	Unwatch string
	RefundSubject, RefundIntro, RefundWhen, RefundReturn, RefundCancelled, RefundNoOrder, RefundPlain, RefundPlainIntro,
	Reason string
	CollectSubject, CollectIntro,
	CollectAt string
	PurchaseSubject, PurchaseIntro, WantedBy,
	TotalWithoutTax string
	RefundRest string
	ApprovalSubject, ApprovalIntro, Review, ApprovedSubject, ApprovedIntro, RejectedSubject,
	RejectedIntro string
	InvoiceSubject, InvoiceIntro, InvoiceNumber, DueDate, Date, CreditSubject, CreditIntro, CreditNumber,
	CreditsInvoice string
	QuoteSubject, QuoteIntro, QuoteNumber, ValidUntil,
	AnswerQuote string
	ReturnApprovedSubject, ReturnApprovedIntro, ReturnReceivedSubject,
	ReturnReceivedIntro string
	TicketTitle,
	TicketReply string
	// who is not named to strangers
	Colleague string
}

// wordsOf are the words of a language that Language answered.
func wordsOf(lang string) words {
	w := restIn(lang)
	w.newsletterWords, w.officeWords = newsletterIn(lang), officeIn(lang)
	return w
}

func restIn(lang string) words {
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
