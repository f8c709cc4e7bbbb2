package shop

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// reviewsOf is what buyers think of a product, and the form for another.
type reviewsOf struct {
	Ratings
	paged[Review]
	IsOffered bool
	Problem   *Problem
	Form      map[string]string
}

// Wrong is what is wrong with a field of the form.
func (r reviewsOf) Wrong(field string) string { return wrong(r.Problem, field) }

// readReviews reads them (GET /ecom/reviews, /reviews/summary).
func (v *visit) readReviews(p *productPage) error {
	r := &p.Reviews
	if r.IsOffered = v.session.Store.Features.Reviews; !r.IsOffered {
		return nil
	}
	of := url.Values{"productId": {p.ID}}
	ask := url.Values{"productId": {p.ID}, "pageSize": {"5"}, "page": {pageNumber(v)}}
	err := each(v.get("/reviews/summary", of, &r.Ratings), v.get("/reviews", ask, &r.List))
	r.turn(url.Values{})
	return err
}

// writeReview submits a review (POST /ecom/reviews), which nobody sees until the merchant has read it.
func writeReview(v *visit) error {
	form := map[string]string{}
	for _, name := range []string{"productId", "rating", "title", "body", "authorName", "website"} {
		form[name] = strings.TrimSpace(v.r.FormValue(name))
	}
	slug := v.r.PathValue("slug")
	rating, _ := strconv.Atoi(form["rating"])
	body := map[string]any{"productId": form["productId"], "rating": rating, "title": orNull(form["title"]),
		"body": orNull(form["body"]), "authorName": orNull(form["authorName"])}
	var err error
	if form["website"] == "" { // a field that no person sees: robots are thanked
		err = v.api.Do(v.ctx, http.MethodPost, "/reviews", body, nil)
	}
	if p := problemOf(err); p != nil && (isRefusal(p) || p.Status == http.StatusTooManyRequests) {
		return showProduct(v, slug, productPage{Quantity: "1", Reviews: reviewsOf{Problem: p, Form: form}})
	}
	return v.done(err, "Thank you. Your review is shown as soon as we have read it.", "/products/"+url.PathEscape(slug)+"#reviews")
}

// voteReview says whether a review helped (POST /ecom/reviews/{id}/vote).
func voteReview(v *visit) error {
	return v.vote("/reviews/"+url.PathEscape(v.r.PathValue("id"))+"/vote", "/")
}
