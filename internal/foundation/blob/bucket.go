package blob

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"kontor/internal/foundation/tracing"
)

// bucket is a store in a bucket of S3 or of what speaks its protocol.
type bucket struct {
	client *minio.Client
	name   string
	prefix string // "" or ending with a slash
}

// forever is how long whoever fetches a file from the bucket itself may keep it: its bytes never change.
const forever = "public, max-age=31536000, immutable"

// tries is how often a request is made before it fails. The client's own ten would hold an upload for minutes.
const tries = 3

// patience is how long a bucket may be silent once it was asked, each time it is tried; the client's own minute would
// hold an upload for three.
const patience = 5 * time.Second

// openBucket reads s3://key:secret@bucket/prefix?endpoint=https://host&region=eu-north-1. What is left out comes from
// the usual variables: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (else the shared file, else the machine's role),
// AWS_REGION, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL.
func openBucket(u *url.URL, patience time.Duration) (Store, error) {
	q := u.Query()
	for name := range q {
		if name != "endpoint" && name != "region" {
			return nil, fmt.Errorf("blob: %s: %q is no setting of a bucket; there are endpoint and region",
				u.Redacted(), name)
		}
	}
	if u.Host == "" {
		return nil, fmt.Errorf("blob: %s names no bucket: write s3://bucket/prefix", u.Redacted())
	}
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		if !Valid(prefix) {
			return nil, fmt.Errorf("blob: %q is no prefix of a bucket's keys", prefix)
		}
		prefix += "/"
	}
	endpoint := cmp.Or(q.Get("endpoint"), os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"),
		"https://s3.amazonaws.com")
	at, err := url.Parse(endpoint)
	if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http" || strings.Trim(at.Path, "/") != "" {
		return nil, fmt.Errorf("blob: the endpoint %q is no address such as https://s3.example.com", endpoint)
	}
	transport, err := minio.DefaultTransport(at.Scheme == "https")
	if err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	transport.ResponseHeaderTimeout = patience
	client, err := minio.New(at.Host, &minio.Options{Creds: credentialsOf(u), Secure: at.Scheme == "https",
		MaxRetries: tries, Transport: tracing.Calls(transport),
		Region: cmp.Or(q.Get("region"), os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))})
	if err != nil {
		return nil, fmt.Errorf("blob: %s: %w", u.Redacted(), err)
	}
	return &bucket{client, u.Host, prefix}, nil
}

func credentialsOf(u *url.URL) *credentials.Credentials {
	if secret, ok := u.User.Password(); ok {
		return credentials.NewStaticV4(u.User.Username(), secret, "")
	}
	return credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{},
		&credentials.FileAWSCredentials{}, &credentials.IAM{}})
}

// Put writes an object, which a bucket shows whole or not at all. Its type is that of the key's ending, for whoever
// lets the bucket itself answer.
func (b *bucket) Put(ctx context.Context, key string, data []byte) error {
	if !Valid(key) {
		return errKey(key)
	}
	_, err := b.client.PutObject(ctx, b.name, b.prefix+key, bytes.NewReader(data), int64(len(data)),
		minio.PutObjectOptions{ContentType: mime.TypeByExtension(path.Ext(key)), CacheControl: forever,
			DisableMultipart: true})
	return b.fault(key, err)
}

// Open reads an object.
func (b *bucket) Open(ctx context.Context, key string) (*File, error) {
	if !Valid(key) {
		return nil, errKey(key)
	}
	o, err := b.client.GetObject(ctx, b.name, b.prefix+key, minio.GetObjectOptions{})
	if err != nil {
		return nil, b.fault(key, err)
	}
	i, err := o.Stat()
	if err != nil {
		return nil, errors.Join(b.fault(key, err), o.Close())
	}
	return &File{o, Info{key, i.Size, i.LastModified}}, nil
}

// Stat tells of an object.
func (b *bucket) Stat(ctx context.Context, key string) (Info, error) {
	if !Valid(key) {
		return Info{}, errKey(key)
	}
	i, err := b.client.StatObject(ctx, b.name, b.prefix+key, minio.StatObjectOptions{})
	return Info{key, i.Size, i.LastModified}, b.fault(key, err)
}

// Delete removes an object.
func (b *bucket) Delete(ctx context.Context, key string) error {
	if !Valid(key) {
		return errKey(key)
	}
	if err := b.fault(key, b.client.RemoveObject(ctx, b.name, b.prefix+key, minio.RemoveObjectOptions{})); !errors.Is(
		err, ErrNotFound) {
		return err
	}
	return nil
}

// Each lists the bucket.
func (b *bucket) Each(ctx context.Context, prefix string, fn func(Info) error) error {
	ctx, stop := context.WithCancel(ctx) // ends the listing when fn fails
	defer stop()
	for o := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix + prefix,
		Recursive: true}) {
		if o.Err != nil {
			return b.fault(prefix, o.Err)
		}
		if err := fn(Info{strings.TrimPrefix(o.Key, b.prefix), o.Size, o.LastModified}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (b *bucket) fault(key string, err error) error {
	if err == nil {
		return nil
	}
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return ErrNotFound
	}
	return fmt.Errorf("blob: %s in bucket %s: %w", key, b.name, err)
}
