package cache

import (
	"context"
	"time"

	"github.com/maypok86/otter/v2"
)

type memory struct {
	*otter.Cache[string, any]
}

func open(most int, forgets time.Duration) values {
	options := &otter.Options[string, any]{MaximumSize: most}
	if forgets > 0 {
		options.ExpiryCalculator = otter.ExpiryWriting[string, any](forgets)
	}
	return memory{otter.Must(options)}
}

func (m memory) load(ctx context.Context, key string, find func(context.Context, string) (any, error)) (any, error) {
	return m.Get(ctx, key, otter.LoaderFunc[string, any](find))
}
