package preview

import (
	"cmp"
	"context"

	"kontor/internal/business/channel"
	"kontor/internal/business/media"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
)

// mediaGroup is the library as the operations on its files use it.
type mediaGroup struct{ files *media.Library }

// Media is the media library of each channel. files is where the files lie; it may be nil to describe the operations.
func Media(files *media.Library) rest.Group {
	s := mediaGroup{files}
	shown := inTx(s.assetOf)
	return rest.Group{Tag: "Media", Scope: "media",
		Doc: "The media library of each channel: pictures that pages and articles show, at public addresses.",
		Ops: []rest.Op{
			rest.List("listMedia", "/channels/{channelCode}/media",
				"Pictures of a channel's library, the newest first.", s.listMedia).
				Raises(channel.ErrNotFound).Cached(),
			rest.Prepare(rest.Upload("uploadMedia", "/channels/{channelCode}/media",
				"Uploads a picture: PNG, JPEG, GIF, WebP or SVG, at most 10 MB. An SVG is stored without scripts and references to other places.",
				s.uploadMedia).
				Raises(channel.ErrNotFound, media.ErrEmptyFile, media.ErrTooLarge, media.ErrUnsupported).
				Refuses(media.ErrTooLarge, media.ErrUnsupported), s.takeMedia),
			rest.Get("getMedia", "/channels/{channelCode}/media/{assetId}",
				"One picture's record; its bytes are at its url.", rest.OfPart[rest.PartID](shown, media.Find)).
				Raises(channel.ErrNotFound, media.ErrNotFound).Cached(),
			rest.Patch("updateMedia", "/channels/{channelCode}/media/{assetId}",
				"Changes a picture's texts or folder. Its file and url stay.",
				rest.EditsPart[rest.PartID, mediaFields](shown, media.Change)).
				Raises(channel.ErrNotFound, media.ErrNotFound).
				Example(`{"altText": "Claw hammer on a workbench", "folder": "Hero"}`),
			rest.Delete("deleteMedia", "/channels/{channelCode}/media/{assetId}",
				"Deletes a picture. Its url ends, unless another record uses the same file.",
				rest.GonePart[rest.PartID](media.Delete)).
				Raises(channel.ErrNotFound, media.ErrNotFound),
		}}
}

// mediaFields are what may be changed of an asset.
type mediaFields struct {
	Folder  media.Folder `json:"folder"`
	Title   rest.Text    `json:"title" text:"name" doc:"Null: the file name stands for it."`
	AltText rest.Text    `json:"altText" text:"note" doc:"What the picture shows, for those who do not see it."`
	Caption rest.Text    `json:"caption" text:"note"`
	FocusX  int          `json:"focusX" min:"0" max:"100" default:"50" doc:"Where the point is that stays in sight when edges are cut off: percent of the width from the left."`
	FocusY  int          `json:"focusY" min:"0" max:"100" default:"50" doc:"The same of the height, from the top."`
}

// MediaAsset is an asset of a media library on the wire.
type MediaAsset struct {
	rest.Tag
	ID          string `json:"id" format:"uuid"`
	ChannelCode string `json:"channelCode" example:"WEB"`
	fileFields  `of:"-"`
	mediaFields
	rest.Stamps
	Links rest.Links `json:"links" of:"-"`
}

// fileFields are what is shown of a file.
type fileFields struct {
	FileName    string `json:"fileName" doc:"As it was uploaded." example:"hammer.jpg"`
	ContentType string `json:"contentType" doc:"As its content shows." example:"image/jpeg"`
	FileSize    int    `json:"fileSize" doc:"Bytes."`
	URL         string `json:"url" of:"-" doc:"Public address, needs no key; the bytes there never change. With ?w=160, 320, 640 or 1280 the picture made that narrow, where it is wider." example:"https://erp.example.com/media/0198f3c2-6d1e-7c54-9b0a-2f6d5a1e7b90/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.jpg"`
	Width       *int   `json:"width" doc:"Pixels; null where the file does not say."`
	Height      *int   `json:"height"`
}

func (s mediaGroup) fileOf(tx *db.Tx, f media.File) fileFields {
	out := fileFieldsOf(f)
	out.URL = s.files.URL(tx.Company, f)
	return out
}

var (
	mediaOf      = rest.Shown[MediaAsset, media.Asset]()
	fileFieldsOf = rest.Shown[fileFields, media.File]()
)

func (s mediaGroup) assetOf(tx *db.Tx, a media.Asset) MediaAsset {
	out := mediaOf(a)
	out.fileFields, out.Links = s.fileOf(tx, a.File), rest.Self("/preview/channels/", a.ChannelCode, "media", a.ID)
	return out
}

type listMediaIn struct {
	rest.Paging
	ChannelCode string       `path:"channelCode"`
	Folder      media.Folder `query:"folder"`
	Search      string       `query:"search" doc:"Part of file name, title or alternative text."`
}

func (s mediaGroup) listMedia(tx *db.Tx, in listMediaIn) (rest.Paged[MediaAsset], error) {
	found, err := media.List(tx, in.ChannelCode, media.Filter{Folder: in.Folder, Search: in.Search}, in.Record())
	return rest.PageOf(found, in.Paging, func(a media.Asset) MediaAsset { return s.assetOf(tx, a) }), err
}

type uploadMediaIn struct {
	ChannelCode string       `path:"channelCode"`
	Folder      media.Folder `query:"folder" default:"Content"`
	Title       string       `query:"title" text:"name" doc:"Left out: the file name."`
	AltText     string       `query:"altText" text:"note"`
	Caption     string       `query:"caption" text:"note"`
	File        rest.File    `part:"file"`

	kept media.File
}

func (s mediaGroup) takeMedia(ctx context.Context, company string, in *uploadMediaIn) (err error) {
	in.kept, err = s.files.Take(ctx, company, in.File.Name, in.File.Data, false)
	return err
}

func (s mediaGroup) uploadMedia(tx *db.Tx, in uploadMediaIn) (MediaAsset, error) {
	in.Title = cmp.Or(in.Title, in.kept.FileName)
	a, err := media.Create(tx, media.Asset{ChannelCode: in.ChannelCode, Folder: in.Folder, File: in.kept,
		Title: in.Title, AltText: in.AltText, Caption: in.Caption,
		FocusX: media.Middle, FocusY: media.Middle})
	if err != nil {
		return MediaAsset{}, err
	}
	return s.assetOf(tx, a), nil
}
