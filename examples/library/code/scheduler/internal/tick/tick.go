// Package tick turns the scheduler's wheel.
package tick

import (
	"context"
	"time"

	"lantern.example.org/scheduler/internal/lease"
)

// Wheel looks for due work at a steady pace, or at once when it is woken.
type Wheel struct {
	interval time.Duration
	batch    int
	wake     chan struct{}
}

// Option changes a wheel.
type Option func(*Wheel)

// Batch sets how many rows are taken in one tick.
func Batch(rows int) Option { return func(w *Wheel) { w.batch = rows } }

// NewWheel returns a wheel that stands still until Run.
func NewWheel(interval time.Duration, options ...Option) *Wheel {
	w := &Wheel{interval: interval, batch: 100, wake: make(chan struct{}, 1)}
	for _, option := range options {
		option(w)
	}
	return w
}

// Nudge wakes the wheel before its time. Several nudges between two ticks count as one.
func (w *Wheel) Nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Run ticks until the context ends or the lease is lost.
func (w *Wheel) Run(ctx context.Context, keeper *lease.Keeper) error {
	timer := time.NewTicker(w.interval)
	defer timer.Stop()
	for {
		if err := keeper.Renew(time.Now()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-w.wake:
		}
		if !keeper.StillHeld() {
			return lease.ErrLeaseLost
		}
	}
}
