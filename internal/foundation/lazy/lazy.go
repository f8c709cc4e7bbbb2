// Package lazy holds what the program makes when it is first asked for, and not as it starts: every command and every
// test begins with the packages of the whole house, and uses a few of them.
package lazy

import (
	"regexp"
	"sync"
)

// declared is what there is to be made, by its keys.
type declared struct {
	mu  sync.Mutex
	all map[any]one
}

type one struct {
	get  any // the func() T of Of
	make func()
}

// house is what packages declare as their variables are set, and so grows with them alone.
var house = &declared{all: map[any]one{}}

// Of is what make makes, once for all who have the same key. A key is of a type of the package that declares it.
func Of[T any](key any, make func() T) func() T {
	house.mu.Lock()
	defer house.mu.Unlock()
	if was, ok := house.all[key]; ok {
		return was.get.(func() T)
	}
	get := sync.OnceValue(make)
	house.all[key] = one{get, func() { get() }}
	return get
}

// expression is the key of a Regexp.
type expression string

// Regexp is an expression that is part of the program.
func Regexp(text string) func() *regexp.Regexp {
	return Of(expression(text), func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// All makes whatever nobody has asked for yet. What cannot be made panics, as it would for whoever asks: this is how a
// test finds it before him.
func All() {
	house.mu.Lock()
	var each []func()
	for _, o := range house.all {
		each = append(each, o.make)
	}
	house.mu.Unlock()
	for _, make := range each {
		make()
	}
}
