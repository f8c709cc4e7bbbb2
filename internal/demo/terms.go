package demo

// What the sample shop has its visitors read. A real one writes its own.
const (
	terms = `Nordlys Outdoor is made up, and so are these terms: whoever orders here gets nothing, and pays nothing.

Who sells
Nordlys Outdoor, Storgata 1, 0155 Oslo, organisation number 999 888 771. Write to hei@nordlys.example.

Prices
All prices are in Norwegian kroner and include VAT. What delivery costs is shown before you order.

Delivery
What is in stock leaves us the next working day. If something is missing we tell you, and you may take the order back.

To change your mind
You have 30 days from the day on which you get the goods. Register the return in your account, or by the code in the confirmation, and send the goods back within 14 days. You get back what you paid, by the way you paid it.

When something is wrong
Tell us within two years of the delivery, or within five where the goods are meant to last longer. We mend or replace them, or give the money back.`
	privacy = `Nordlys Outdoor keeps what an order needs: your name, your addresses, your e-mail address and what you bought.

The accounts keep orders and invoices for as long as the law asks. The carrier and whoever moves the money learn what they need for that, and nobody else does.

The shop sets two cookies: one that knows your cart, and one that says what just happened. It counts no visitors.

Write to hei@nordlys.example to learn what we know about you, or to have it deleted.`
)
