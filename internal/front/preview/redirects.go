package preview

import (
	"net/http"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/rest"
)

// Redirects are the URL redirects of each channel's shop.
func Redirects() rest.Group {
	return rest.Group{Tag: "Redirects", Scope: "redirects",
		Doc: "URL redirects of a channel's web shop, with the 301s that changed slugs leave behind.", Ops: []rest.Op{
			rest.List("listRedirects", "/channels/{channelCode}/redirects",
				"Redirects of a channel by the path they begin at.", listRedirects).
				NoDelta("redirects are few, and read as a whole").Raises(channel.ErrNotFound).Cached(),
			rest.Create("createRedirect", "/channels/{channelCode}/redirects",
				"Creates a redirect; the answer shows it in its normal form.", createRedirect).
				Raises(redirectFaults(channel.ErrFromPathTaken, channel.ErrFromPathInvalid,
					channel.ErrFromPathTooLong)...).
				Example(`{"fromPath": "/old-page", "toPath": "/new-page", "statusCode": 301}`),
			rest.Get("getRedirect", "/channels/{channelCode}/redirects/{id}", "One redirect.",
				rest.OfPart[rest.PartID](rest.Shows(redirectOf), channel.FindRedirect)).
				Raises(channel.ErrNotFound, channel.ErrRedirectNotFound).Cached(),
			rest.Patch("updateRedirect", "/channels/{channelCode}/redirects/{id}",
				"Changes target, status code or activity.",
				rest.EditsPart[rest.PartID, redirectChange](rest.Tagged[channel.Redirect](), channel.ChangeRedirect)).
				Answers(http.StatusNoContent).Raises(redirectFaults(channel.ErrRedirectNotFound)...).
				Example(`{"isActive": false}`),
			rest.Delete("deleteRedirect", "/channels/{channelCode}/redirects/{id}", "Deletes a redirect.",
				rest.GonePart[rest.PartID](channel.DeleteRedirect)).
				Raises(channel.ErrNotFound, channel.ErrRedirectNotFound),
		}}
}

// redirectFaults are the codes that any write of a redirect may answer, and more.
func redirectFaults(more ...fault.Code) []fault.Code {
	return append(more, channel.ErrNotFound, channel.ErrToPathInvalid, channel.ErrToPathTooLong,
		channel.ErrSelfReference, channel.ErrStatusCode, channel.ErrRedirectLoop)
}

// redirectFields are what may be changed of a redirect. Texts may be longer here than a redirect takes, so that the
// room says which of its rules is broken.
type redirectFields struct {
	ToPath     string `json:"toPath" req:"true" max:"20000" doc:"A path that begins with a slash, or an http(s) address; at most 2,000 characters. It must not be redirected itself." example:"/new-page"`
	StatusCode int    `json:"statusCode" doc:"301 (for good) or 302 (for now)." example:"302"`
}

// Redirect is a redirect on the wire.
type Redirect struct {
	rest.Tag
	ID          string    `json:"id" format:"uuid"`
	ChannelCode string    `json:"channelCode" example:"WEB"`
	FromPath    string    `json:"fromPath" doc:"Lower case, with a leading slash and none at the end; unique in the channel." example:"/old-page"`
	ToPath      string    `json:"toPath" example:"/new-page"`
	StatusCode  int       `json:"statusCode" example:"301"`
	IsActive    bool      `json:"isActive" doc:"An inactive redirect is kept and not applied."`
	HitCount    int       `json:"hitCount"`
	LastHitAt   rest.Time `json:"lastHitAt"`
	rest.Stamps
	Links rest.Links `json:"links" of:"-"`
}

var redirect = rest.Shown[Redirect, channel.Redirect]()

func redirectOf(r channel.Redirect) Redirect {
	out := redirect(r)
	out.Links = rest.Self("/preview/channels/", r.ChannelCode, "redirects", r.ID)
	return out
}

type listRedirectsIn struct {
	rest.Paging
	ChannelCode string `path:"channelCode"`
	Search      string `query:"search" doc:"Part of fromPath or toPath."`
	IsActive    *bool  `query:"isActive"`
}

func listRedirects(tx *db.Tx, in listRedirectsIn) (rest.Paged[Redirect], error) {
	found, err := channel.ListRedirects(tx, in.ChannelCode,
		channel.RedirectFilter{Search: in.Search, IsActive: in.IsActive}, in.Record())
	return rest.PageOf(found, in.Paging, redirectOf), err
}

type createRedirectRequest struct {
	FromPath   string `json:"fromPath" req:"true" max:"20000" doc:"Path of the old page, at most 2,000 characters. It cannot be changed afterwards." example:"/old-page"`
	ToPath     string `json:"toPath" req:"true" max:"20000" doc:"A path that begins with a slash, or an http(s) address; at most 2,000 characters. It must not be redirected itself." example:"/new-page"`
	StatusCode *int   `json:"statusCode" doc:"301 (for good), also when left out, or 302 (for now)." example:"301"`
}

func createRedirect(tx *db.Tx, in rest.With[rest.Key, createRedirectRequest]) (Redirect, error) {
	made := channel.Redirect{FromPath: in.Body.FromPath, ToPath: in.Body.ToPath,
		StatusCode: http.StatusMovedPermanently, IsActive: true}
	if in.Body.StatusCode != nil {
		made.StatusCode = *in.Body.StatusCode
	}
	r, err := channel.CreateRedirect(tx, in.At.Key, made)
	return redirectOf(r), err
}

type redirectChange struct {
	IsActive bool `json:"isActive"`
	redirectFields
}
