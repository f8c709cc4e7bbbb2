//go:build cgo

package sqlite

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
static void give_back(void) { malloc_trim(0); }
#else
static void give_back(void) {}
#endif
*/
import "C"

// giveBack lets the C library return to the system what closed files have used: it keeps it for itself otherwise.
func giveBack() { C.give_back() }
