// Package cache remembers a bounded number of values that may be gone at any moment: credentials, refusals, buckets.
//
// What is made of a company's records lies in db's cache instead, which knows when it is out of date. The library's
// types stay in this package: whoever sees one of them in a field compiles all of its methods anew, which once was half
// of the work of a build.
package cache

import (
	"context"
	"time"
)

// Cache holds values under keys.
type Cache[V any] struct{ values values }

// values is a cache of anything, without the library's types.
type values interface {
	GetIfPresent(key string) (any, bool)
	Set(key string, value any) (any, bool)
	SetIfAbsent(key string, value any) (any, bool)
	load(ctx context.Context, key string, find func(context.Context, string) (any, error)) (any, error)
	Invalidate(key string) (any, bool)
	InvalidateAll()
}

// New is a cache of at most so many values, which forgets each a time after it was put; 0 is never.
func New[V any](most int, forgets time.Duration) Cache[V] { return Cache[V]{open(most, forgets)} }

// Get is the value under a key.
func (c Cache[V]) Get(key string) (V, bool) {
	v, ok := c.values.GetIfPresent(key)
	if !ok {
		var none V
		return none, false
	}
	return v.(V), true
}

// Put keeps a value.
func (c Cache[V]) Put(key string, value V) { c.values.Set(key, value) }

// PutIfAbsent keeps a value unless there is one under the key, and is the one that is there now.
func (c Cache[V]) PutIfAbsent(key string, value V) V {
	v, _ := c.values.SetIfAbsent(key, value)
	return v.(V)
}

// Load is the value under a key, or else what find makes of it: once for all who ask at the same time. What find
// refuses is not kept.
func (c Cache[V]) Load(ctx context.Context, key string, find func(context.Context, string) (V, error)) (V, error) {
	v, err := c.values.load(ctx, key, func(ctx context.Context, key string) (any, error) { return find(ctx, key) })
	if err != nil {
		var none V
		return none, err
	}
	return v.(V), nil
}

// Forget drops what is under a key.
func (c Cache[V]) Forget(key string) { c.values.Invalidate(key) }

// Clear drops all.
func (c Cache[V]) Clear() { c.values.InvalidateAll() }
