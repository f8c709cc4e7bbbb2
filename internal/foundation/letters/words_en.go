package letters

func english() words {
	w := englishAccounts()
	w.ShippedSubject = "Your order %s is on its way"
	w.ShippedIntro = "We have sent goods of your order %s."
	w.Carrier = "Carrier"
	w.TrackingNumber = "Tracking number"
	w.Track = "Track the parcel"
	w.CollectSubject = "Your order %s is ready for collection"
	w.CollectIntro = "The goods of your order %s are ready. Please bring the order number when you collect them."
	w.CollectAt = "Collect at"
	w.PurchaseSubject = "Purchase order %s"
	w.PurchaseIntro = "We order the goods of the attached purchase order. Please confirm quantities and the day of delivery by answering this mail."
	w.WantedBy = "Wanted by"
	w.TotalWithoutTax = "Total without tax"
	w.StockSubject = "%s is back in stock"
	w.StockIntro = "You asked us to tell you when %s is in stock. Now it is. We cannot put it aside for you."
	w.Price = "Price"
	w.ViewItem = "View the item"
	w.Unwatch = "Stop watching"
	w.RefundSubject = "Refund of order %s"
	w.RefundIntro = "We have paid back %s of your order %s."
	w.RefundWhen = "It may take some bank days until you see the money."
	w.RefundReturn = "Return %s"
	w.RefundCancelled = "The order was cancelled."
	w.RefundRest = "The order came to less than was paid."
	w.RefundNoOrder = "No order was placed with this payment."
	w.RefundPlain = "Refund"
	w.RefundPlainIntro = "We have paid back %s."
	w.Reason = "Reason"
	w.ApprovalSubject = "Order %s waits for your approval"
	w.Colleague = "A colleague"
	w.ApprovalIntro = "%s wants to place order %s of %s. It needs your approval."
	w.Review = "Review the order"
	w.ApprovedSubject = "Order %s is approved"
	w.ApprovedIntro = "%s has approved your order %s of %s."
	w.RejectedSubject = "Order %s was not approved"
	w.RejectedIntro = "%s has not approved your order %s of %s. It has been cancelled."
	w.QuoteSubject = "Quote %s"
	w.QuoteIntro = "Here is our quote. It is attached as PDF. With the button below you can read it, accept it or decline it, without a password."
	w.QuoteNumber = "Quote number"
	w.ValidUntil = "Valid until"
	w.AnswerQuote = "Read and answer"
	w.InvoiceSubject = "Invoice %s"
	w.InvoiceIntro = "Here is the invoice for your order %s. It is attached as PDF."
	w.InvoiceNumber = "Invoice number"
	w.DueDate = "Due"
	w.Date = "Date"
	w.CreditSubject = "Credit note %s"
	w.CreditIntro = "Here is a credit note for your order %s. It is attached as PDF."
	w.CreditNumber = "Credit note number"
	w.CreditsInvoice = "Credits invoice"
	w.ReturnApprovedSubject = "Return %s is approved"
	w.ReturnApprovedIntro = "You may send back these goods of your order %s. Please put the return slip into the parcel."
	w.ReturnReceivedSubject = "Return %s has arrived"
	w.ReturnReceivedIntro = "These goods of your order %s have come back to us. What you paid for them is credited."
	w.TicketTitle = "Answer to your question %s"
	w.TicketReply = "Answer this mail to write to us again."
	return w
}

func englishAccounts() words {
	w := englishOrders()
	w.SignInSubject = "Your sign-in code"
	w.SignInIntro = "Sign in to %s with this code:"
	w.ResetSubject = "Code for a new password"
	w.ResetIntro = "Choose a new password at %s with this code:"
	w.VerifySubject = "Confirm your email address"
	w.VerifyIntro = "Confirm your email address at %s with this code:"
	w.CodeMinutes = "The code is valid for %d minutes. Do not give it to anybody."
	w.WelcomeSubject = "Welcome to %s"
	w.WelcomeIntro = "Your account is ready. It shows your orders, deliveries and addresses."
	w.ToAccount = "Go to your account"
	w.KnownSubject = "You already have an account"
	w.KnownIntro = "Somebody wanted to create an account at %s with your email address, but there is one already."
	w.KnownHow = "Sign in with it. If you have forgotten your password, you can choose a new one as you sign in."
	w.SignIn = "Sign in"
	w.InvitedSubject = "Invitation to %s"
	w.PortalBy = "%s has invited you to the customer portal of %s."
	w.PortalInvited = "You are invited to the customer portal of %s."
	w.OfficeBy = "%s has invited you to work in %s."
	w.OfficeInvited = "You are invited to work in %s."
	w.Accept = "Accept the invitation"
	w.PasswordSubject = "Choose a new password"
	w.PasswordIntro = "Somebody, probably you, asked for a new password for your account in %s."
	w.ChoosePassword = "Choose a new password"
	return w
}

func englishOrders() words {
	return words{
		Hello:           "Hello,",
		HelloName:       "Hello %s,",
		Questions:       "Questions? Write to %s.",
		VATNumber:       "VAT number",
		Phone:           "Phone",
		LinkMinutes:     "The link is valid for %d minutes and can be used once.",
		LinkDays:        "The link is valid for %d days and can be used once.",
		NotYou:          "If you did not ask for this, you can ignore this mail.",
		OrderSubject:    "Order confirmation %s",
		OrderTitle:      "Thank you for your order!",
		OrderIntro:      "We have received your order %s.",
		ViewOrder:       "View the order",
		OrderNumber:     "Order number",
		OrderDate:       "Order date",
		Reference:       "Your reference",
		Item:            "Item",
		Quantity:        "Quantity",
		Amount:          "Amount",
		Each:            "%s per %s",
		Subtotal:        "Subtotal",
		Freight:         "Delivery",
		Free:            "Free",
		PaymentFee:      "Payment fee",
		Discount:        "Discount",
		GiftCard:        "Gift card",
		Tax:             "VAT",
		Included:        "%s included",
		Total:           "Total",
		ToPay:           "To pay",
		BillingAddress:  "Billing address",
		DeliveryAddress: "Delivery address",
		DeliveryMethod:  "Delivery method",
		PaymentMethod:   "Payment method",
		PaymentHow:      "How to pay",
		ReturnCode:      "Return code",
	}
}
