// Command scheduler finds what is due and puts it into the outbox.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"time"

	"lantern.example.org/scheduler/internal/lease"
	"lantern.example.org/scheduler/internal/tick"
)

const defaultTickInterval = 500 * time.Millisecond

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	holder, err := os.Hostname()
	if err != nil {
		slog.Error("no host name", "error", err)
		os.Exit(1)
	}

	keeper := lease.NewKeeper(holder, 30*time.Second)
	wheel := tick.NewWheel(defaultTickInterval, tick.Batch(200))
	if err := wheel.Run(ctx, keeper); err != nil {
		slog.Error("scheduler stopped", "code", lease.CodeLeaseLost, "error", err)
		os.Exit(1)
	}
}
