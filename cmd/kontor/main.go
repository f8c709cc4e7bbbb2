// Command kontor is the whole ERP: the server, and everything that is done from a shell.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // companies live in time zones that the machine may not know

	"kontor/internal/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the program at once
	}()
	os.Exit(command.Main(ctx, command.Here()))
}
