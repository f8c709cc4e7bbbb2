package content

import (
	"cmp"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/microcosm-cc/bluemonday"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// MostSections is how many sections a page has at most.
const MostSections = 200

// own are the fields of a type beside those that all sections have, by their names on the wire.
var own = map[SectionType][]string{
	Hero: {"heroImageUrl", "heroVideoUrl", "heroVideoPosterUrl", "heroCtaText", "heroCtaUrl",
		"heroTextColor", "buttons"},
	Banner:       {"bannerImageUrl", "bannerLinkUrl", "bannerStartDate", "bannerEndDate"},
	Text:         {"htmlContent", "narrowText", "twoColumns"},
	HTML:         {"htmlContent", "narrowText"},
	ImageText:    {"htmlContent", "mediaText", "narrowText", "buttons"},
	TwoColumns:   {"htmlContent", "mediaText", "narrowText", "twoColumns", "buttons"},
	Video:        {"videoUrl"},
	Gallery:      {"galleryImages", "cardColumns"},
	FeatureCards: {"featureCards", "cardColumns", "cardVariant"},
	Products: {"categoryCode", "itemGroupCode", "productNumbers", "productColumns", "productSort",
		"maxProducts", "supplierNumbers", "cardVariant"},
	ProductSpotlight:  {"productSpotlight"},
	Categories:        {"categoryCodes", "parentCategoryCode", "cardColumns", "cardVariant"},
	Brands:            {"maxBrands", "supplierNumbers", "cardColumns", "cardVariant"},
	Posts:             {"articleType", "articleLinkText", "cardColumns", "cardVariant"},
	Testimonials:      {"testimonials", "cardColumns", "cardVariant"},
	FAQ:               {"faq"},
	Form:              {"form"},
	Contact:           {"contact"},
	Logos:             {"logos"},
	Timeline:          {"timeline"},
	Newsletter:        {},
	Buttons:           {"buttons"},
	Custom:            {"custom", "htmlContent"},
	SectionCollection: {"sectionCollectionId"},
}

// OwnFields are the fields that sections of this type have beside those of all.
func (t SectionType) OwnFields() []string { return own[t] }

// common are the fields of every section.
var common = []string{"id", "type", "sortOrder", "isVisible", "title", "subtitle", "eyebrow", "lead", "alignment",
	"anchor", "cssClass", "spacing", "tone"}

// typesWith are the types that have a field.
func typesWith(field string) string {
	var out []string
	for _, t := range SectionType("").Values() {
		if slices.Contains(t.OwnFields(), field) {
			out = append(out, string(t))
		}
	}
	return strings.Join(out, ", ")
}

// validate brings sections into the form they are kept in and notes everything that is wrong with them: fields of other
// types, addresses that lead where none may, ids that stand twice. What can be found out without the books alone.
func (c *Config) validate(wrong *fault.List) {
	if len(c.Sections) > MostSections {
		wrong.Add(ErrSection, "sections", "are %d; a page has at most %d: put the rest on another page",
			len(c.Sections), MostSections)
		c.Sections = nil
		return
	}
	seen := map[string]bool{}
	for i := range c.Sections {
		s, at := &c.Sections[i], "sections["+strconv.Itoa(i)+"]"
		s.complete(i)
		if id, err := uuid.Parse(*s.ID); err != nil {
			wrong.Add(ErrSection, at+".id", "must be a UUID: leave it out to have one made")
		} else if *s.ID = id.String(); seen[*s.ID] {
			wrong.Add(ErrSection, at+".id",
				"%s is the id of another section of the page: leave it out to have one made", *s.ID)
		}
		seen[*s.ID] = true
		s.foreign(at, wrong)
		s.names(at, wrong)
		walk(reflect.ValueOf(s).Elem(), at, "", wrong)
	}
}

// complete gives a section what it needs and did not say.
func (s *Section) complete(place int) {
	id, yes := record.NewID(), true
	s.ID, s.SortOrder, s.IsVisible = cmp.Or(s.ID, &id), cmp.Or(s.SortOrder, &place), cmp.Or(s.IsVisible, &yes)
}

// eachField goes through the fields of a section that say something, by their names on the wire.
func (s *Section) eachField(fn func(name string, v reflect.Value)) {
	for _, v := range []reflect.Value{reflect.ValueOf(&s.Shown).Elem(), reflect.ValueOf(s).Elem()} {
		for i := range v.NumField() {
			f := v.Field(i)
			if f.Kind() != reflect.Pointer || f.IsNil() {
				continue
			}
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			fn(name, f)
		}
	}
}

// foreign refuses fields of another type. An empty list says nothing.
func (s *Section) foreign(at string, wrong *fault.List) {
	s.eachField(func(name string, f reflect.Value) {
		if slices.Contains(common, name) || slices.Contains(s.Type.OwnFields(), name) {
			return
		}
		if e := f.Elem(); e.Kind() == reflect.Slice && e.Len() == 0 {
			f.SetZero()
			return
		}
		wrong.Add(ErrSection, at+"."+name, "is a field of sections of the type %s, not of %s: leave it out",
			typesWith(name), s.Type)
	})
}

var (
	anchorForm = lazy.Regexp(`^[A-Za-z][A-Za-z0-9_-]*$`)
	classForm  = lazy.Regexp(`^[A-Za-z0-9_ -]*$`)
	colorForm  = lazy.Regexp(`^(#[0-9A-Fa-f]{3,8}|[A-Za-z]+)$`)
	fieldForm  = lazy.Regexp(`^[A-Za-z0-9_.-]+$`)
)

// names checks the texts of a section that other programs read.
func (s *Section) names(at string, wrong *fault.List) {
	bad := func(text *string, form func() *regexp.Regexp) bool { return text != nil && !form().MatchString(*text) }
	wrong.If(bad(s.Anchor, anchorForm), ErrSection, at+".anchor",
		"must begin with a letter and hold letters, digits, hyphens and underscores only")
	wrong.If(bad(s.CSSClass, classForm), ErrSection, at+".cssClass",
		"may hold letters, digits, hyphens, underscores and spaces only")
	wrong.If(bad(s.CardVariant, classForm), ErrSection, at+".cardVariant",
		"may hold letters, digits, hyphens, underscores and spaces only")
	wrong.If(bad(s.HeroColor, colorForm), ErrSection, at+".heroTextColor", "must be a colour such as #ffffff or white")
	wrong.If(s.CollectionID != nil && uuid.Validate(*s.CollectionID) != nil, ErrSection, at+".sectionCollectionId",
		"must be a UUID")
	wrong.If(s.BannerStart != nil && s.BannerEnd != nil && *s.BannerEnd <= *s.BannerStart, ErrSection,
		at+".bannerEndDate", "must be later than bannerStartDate")
	for i, t := range or(s.Testimonials, nil) {
		wrong.If(t.Rating != nil && (*t.Rating < 0 || *t.Rating > 5*dec.One), ErrSection,
			at+".testimonials["+strconv.Itoa(i)+"].rating", "must be from 0 to 5")
	}
	if s.Form != nil {
		s.Form.check(at+".form", wrong)
	}
}

func (f *FormPart) check(at string, wrong *fault.List) {
	wrong.If(len(f.Fields) == 0, ErrSection, at+".fields", "a form asks something: it needs a field at least")
	seen := map[string]bool{}
	for i := range f.Fields {
		field, where := &f.Fields[i], at+".fields["+strconv.Itoa(i)+"].name"
		switch {
		case !fieldForm().MatchString(field.Name):
			wrong.Add(ErrSection, where, "may hold letters, digits, dots, hyphens and underscores only")
		case seen[field.Name]:
			wrong.Add(ErrSection, where, "%s is the name of another field of the form", field.Name)
		}
		seen[field.Name] = true
	}
}

// policy is what HTML of a page may hold: what people write, and no script, style, frame, form or event handler.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.RequireNoFollowOnLinks(false) // they are the merchant's own
	p.AllowAttrs("class").Matching(classForm()).Globally()
	return p
})

// Sanitized is HTML that somebody wrote as pages and letters keep it.
func Sanitized(html string) string { return policy().Sanitize(html) }

var plainPolicy = sync.OnceValue(bluemonday.StrictPolicy)

// bounds refuses what is longer, larger or another word than a field takes, by the tags that the APIs read too: what
// comes by forms and tables comes to this alone.
func bounds(f reflect.StructField, v reflect.Value, at string, wrong *fault.List) {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	high, noHigh := strconv.Atoi(f.Tag.Get("max"))
	switch v.Kind() {
	case reflect.String:
		if values := v.MethodByName("Values"); values.IsValid() {
			isOneOf(values.Call(nil)[0], v.String(), at, wrong)
			return
		}
		if noHigh != nil {
			high, _ = limit.Text(f.Tag.Get("text"))
		}
		wrong.If(utf8.RuneCountInString(v.String()) > high, ErrSection, at, "is longer than %d characters", high)
		if f.Tag.Get("text") == "email" {
			mail.Check(wrong, ErrSection, at, v.String())
		}
	case reflect.Slice:
		if most, err := strconv.Atoi(f.Tag.Get("maxItems")); err == nil && v.Len() > most {
			wrong.Add(ErrSection, at, "are %d lines; at most %d are taken", v.Len(), most)
		}
	case reflect.Int:
		low, err := strconv.Atoi(f.Tag.Get("min"))
		if n := int(v.Int()); err == nil && noHigh == nil && (n < low || n > high) {
			wrong.Add(ErrSection, at, "must be a whole number from %d to %d", low, high)
		}
	}
}

func isOneOf(all reflect.Value, word, at string, wrong *fault.List) {
	for i := range all.Len() {
		if all.Index(i).String() == word {
			return
		}
	}
	wrong.Add(ErrSection, at, "is none of the choices")
}

// walk goes through everything a section says: it sanitises HTML and checks addresses, wherever they stand.
func walk(v reflect.Value, at, name string, wrong *fault.List) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), at, name, wrong)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), at+"["+strconv.Itoa(i)+"]", name, wrong)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Anonymous {
				walk(v.Field(i), at, name, wrong)
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			bounds(f, v.Field(i), at+"."+name, wrong)
			walk(v.Field(i), at+"."+name, name, wrong)
		}
	case reflect.String:
		text := v.String()
		switch lower := strings.ToLower(name); {
		case name == "htmlContent" || name == "answer":
			v.SetString(policy().Sanitize(text))
		case text == "":
		case strings.HasSuffix(lower, "videourl"):
			wrong.If(!isVideo(text), ErrSection, at,
				"must be a film at YouTube or Vimeo, or an https address of a public host that ends in .mp4, .webm or .ogv")
		case strings.HasSuffix(lower, "imageurl"), strings.HasSuffix(lower, "posterurl"):
			wrong.If(!isPicture(text), ErrSection, at,
				"must be an http or https address, or a path of the shop that begins with one /")
		case lower == "url", strings.HasSuffix(lower, "url"):
			wrong.If(!isLink(text), ErrSection, at,
				"must be an http or https address, a path of the shop that begins with one /, #name, mailto: or tel:")
		}
	}
}

// unfit are the characters that stand in no address as it is sent.
func unfit(s string) bool {
	return strings.ContainsAny(s, "\\\"<>") ||
		strings.ContainsFunc(s, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) })
}

// isPicture reports whether a text is the address of something that a page shows.
func isPicture(text string) bool {
	u, err := url.Parse(text)
	if err != nil || unfit(text) {
		return false
	}
	if strings.HasPrefix(text, "/") {
		return !strings.HasPrefix(text, "//")
	}
	return (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && u.User == nil
}

// isLink reports whether a text is somewhere that a page may lead.
func isLink(text string) bool {
	if unfit(text) {
		return false
	}
	for _, begin := range []string{"#", "mailto:", "tel:"} {
		if strings.HasPrefix(text, begin) {
			return len(text) > len(begin)
		}
	}
	return isPicture(text)
}

// VideoHosts are where films may lie that pages show.
var VideoHosts = []string{"youtube.com", "www.youtube.com", "m.youtube.com", "youtu.be", "www.youtube-nocookie.com",
	"youtube-nocookie.com", "vimeo.com", "www.vimeo.com", "player.vimeo.com"}

// isVideo reports whether a text is the address of a film that visitors may be led to: at one of the hosts, or a file
// of a public host.
func isVideo(text string) bool {
	u, err := url.Parse(text)
	if err != nil || unfit(text) || u.Scheme != "https" || u.User != nil || u.Port() != "" {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if slices.Contains(VideoHosts, host) {
		return true
	}
	return isPublicName(host) && slices.Contains([]string{".mp4", ".webm", ".ogv"}, strings.ToLower(path.Ext(u.Path)))
}

// isPublicName reports whether a host has a name of the public Internet: no address in numbers, and none of the names
// that lead inwards (RFC 6761, RFC 6762).
func isPublicName(host string) bool {
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	return len(labels) > 1 && strings.ContainsFunc(last, unicode.IsLetter) && !strings.Contains(host, ":") &&
		!slices.Contains([]string{"localhost", "local", "internal", "test", "invalid", "lan", "home", "arpa", "onion"},
			last)
}
