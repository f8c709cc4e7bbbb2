package shop

import (
	"net/http"
	"net/url"
	"strconv"
)

// reviewsOf is what buyers think of a product, and the form for another.
type reviewsOf struct {
	Ratings
	paged[Review]
	IsOffered bool
	Form      map[string]string
	form
}

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
	said := v.allTyped("productId", "rating", "title", "body", "authorName", "website")
	slug := v.r.PathValue("slug")
	rating, _ := strconv.Atoi(said["rating"])
	body := map[string]any{"productId": said["productId"], "rating": rating, "title": orNull(said["title"]),
		"body": orNull(said["body"]), "authorName": orNull(said["authorName"])}
	var err error
	if said["website"] == "" { // a field that no person sees: robots are thanked
		err = v.post("/reviews", body)
	}
	if p := problemOf(err); isRefusal(p, http.StatusTooManyRequests) {
		return showProduct(v, slug, productPage{Quantity: "1", Reviews: reviewsOf{form: form{p}, Form: said}})
	}
	return v.done(err, "Thank you. Your review is shown as soon as we have read it.", "/products/"+url.PathEscape(slug)+"#reviews")
}

// voteReview says whether a review helped (POST /ecom/reviews/{id}/vote).
func voteReview(v *visit) error {
	return v.vote("/reviews/"+v.part("id")+"/vote", "/")
}
