package letters

// officeWords are what letters to the company's own people say of their work. Each subject names who caused it, and the
// record; that of what is late the customer, and the record.
type officeWords struct {
	MentionedSubject, CommentedSubject, ChargedSubject, AnsweredSubject string
	AcceptedSubject, DeclinedSubject, OverdueSubject                    string
	ViewRecord, NotifiedWhy                                             string
}

func officeIn(lang string) officeWords {
	switch lang {
	case "sv":
		return officeWords{"%s nämnde dig: %s", "%s kommenterade: %s", "%s gjorde dig ansvarig: %s", "%s skrev: %s",
			"%s accepterade: %s", "%s tackade nej: %s", "%s väntar för länge: %s", "Öppna", "Du väljer själv under Ditt konto om du vill ha sådana här mejl."}
	case "nb":
		return officeWords{"%s nevnte deg: %s", "%s kommenterte: %s", "%s gjorde deg ansvarlig: %s", "%s skrev: %s",
			"%s godtok: %s", "%s takket nei: %s", "%s venter for lenge: %s", "Åpne", "Du velger selv under Din konto om du vil ha slike e-poster."}
	case "da":
		return officeWords{"%s nævnte dig: %s", "%s kommenterede: %s", "%s gjorde dig ansvarlig: %s", "%s skrev: %s",
			"%s accepterede: %s", "%s takkede nej: %s", "%s venter for længe: %s", "Åbn", "Du vælger selv under Din konto, om du vil have sådanne mails."}
	case "fi":
		return officeWords{"%s mainitsi sinut: %s", "%s kommentoi: %s", "%s teki sinusta vastuuhenkilön: %s",
			"%s kirjoitti: %s", "%s hyväksyi: %s", "%s hylkäsi: %s", "%s odottaa liian kauan: %s", "Avaa", "Voit valita tilisi asetuksista, haluatko tällaisia viestejä."}
	case "de":
		return officeWords{"%s hat Sie erwähnt: %s", "%s hat kommentiert: %s", "%s hat Ihnen übergeben: %s",
			"%s hat geschrieben: %s", "%s hat angenommen: %s", "%s hat abgelehnt: %s",
			"%s wartet zu lange: %s", "Öffnen", "Ob Sie solche E-Mails erhalten, wählen Sie in Ihrem Konto."}
	}
	return officeWords{"%s mentioned you: %s", "%s commented: %s", "%s made you responsible: %s", "%s wrote: %s",
		"%s accepted: %s", "%s declined: %s", "%s waits too long: %s", "Open",
		"You choose in your account whether you want such mails."}
}
