// Package laws holds what is true of the whole house, as tests: which way the arrows point, where SQL and HTTP may
// stand, how long a function may be, and what every operation of an API keeps to. Because operations are values, a law
// is a loop, and it holds for the next operation without anyone writing a test for it.
package laws
