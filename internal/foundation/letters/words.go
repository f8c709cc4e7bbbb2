package letters

import (
	_ "embed"
	"fmt"

	"kontor/internal/foundation/texts"
)

//go:embed words.tsv
var wordTable string

var (
	table   = texts.Must(wordTable)
	wordsOf = texts.Fields[words](table)
)

// YesNo are a language's words for true and false.
func YesNo(lang string) (yes, no string) {
	w := wordsOf(lang)
	return w.Yes, w.No
}

// UndeliveredNote says in a language why a mail was not delivered, for the history of what it was about.
func UndeliveredNote(lang, why string) string { return fmt.Sprintf(wordsOf(lang).UndeliveredNote, why) }

// words are what letters say in one language. %s and %d stand for what is filled in, in the same order in every
// language.
type words struct {
	Hello, HelloName, Questions, VATNumber, Phone, LinkMinutes, LinkDays, NotYou                                  string
	OrderSubject, OrderTitle, OrderIntro, OrderWaits, ViewOrder, OrderNumber, OrderDate, Reference                string
	Item, Quantity, Amount, Each, Yes, No, Subtotal, Freight, Free, PaymentFee, Discount, GiftCard, Tax, Included string
	Total, ToPay, BillingAddress, DeliveryAddress, DeliveryMethod, PaymentMethod, PaymentHow, ReturnCode          string
	SignInSubject, SignInIntro, ResetSubject, ResetIntro, VerifySubject, VerifyIntro, CodeMinutes                 string
	WelcomeSubject, WelcomeIntro, ToAccount, KnownSubject, KnownIntro, KnownHow, SignIn                           string
	InvitedSubject, PortalBy, PortalInvited, OfficeBy, OfficeInvited, Accept                                      string
	PasswordSubject, PasswordIntro, ChoosePassword                                                                string
	ShippedSubject, ShippedIntro, Carrier, TrackingNumber, Track, CollectSubject, CollectIntro, CollectAt         string
	CancelledSubject, CancelledIntro, CancelledMoney                                                              string
	StockSubject, StockIntro, Price, ViewItem, Unwatch                                                            string
	RefundSubject, RefundIntro, RefundWhen, RefundReturn, RefundCancelled, RefundNoOrder, RefundRest              string
	RefundPlain, RefundPlainIntro, Reason                                                                         string
	PurchaseSubject, PurchaseIntro, WantedBy, TotalWithoutTax                                                     string
	ApprovalSubject, ApprovalIntro, Review, ApprovedSubject, ApprovedIntro, RejectedSubject, RejectedIntro        string
	InvoiceSubject, InvoiceIntro, InvoiceNumber, DueDate, Date, Paid                                              string
	CreditSubject, CreditIntro, CreditNumber, CreditsInvoice                                                      string
	QuoteSubject, QuoteIntro, QuoteNumber, ValidUntil, AnswerQuote                                                string
	ReturnApprovedSubject, ReturnApprovedIntro, ReturnReceivedSubject, ReturnReceivedIntro                        string
	TicketTitle, TicketReply                                                                                      string

	// who is not named to strangers
	Colleague string

	NewsletterSubject, NewsletterIntro, NewsletterConfirm, NewsletterLeave string
	NewsletterJoined, NewsletterJoinedIntro, NewsletterRead                string
	ReviewSubject, ReviewIntro, ReviewWhy                                  string // what somebody bought

	// to the company's own people, of their work: each subject names who caused it, and the record; that of what is
	// late the customer, and the record
	MentionedSubject, CommentedSubject, ChargedSubject, AnsweredSubject string
	AcceptedSubject, DeclinedSubject, OverdueSubject                    string
	UndeliveredSubject, UndeliveredNote                                 string
	ViewRecord, NotifiedWhy                                             string
}
