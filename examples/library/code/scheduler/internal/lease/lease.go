// Package lease decides which node may schedule. A lease is timed by the monotonic clock of its holder,
// never by the wall clock: a machine that slept must not believe that it still holds one.
package lease

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// Codes that appear in the log.
const (
	CodeClockSkew = "LNT-3012"
	CodeLeaseLost = "LNT-5071"
)

// MaxClockSkew is the largest difference to the store's clock at which a lease may be taken.
const MaxClockSkew = 2 * time.Second

// ErrLeaseLost is returned when another node has taken over.
var ErrLeaseLost = errors.New(CodeLeaseLost + ": lease lost")

// Keeper holds and renews the lease of one node.
type Keeper struct {
	holder   string
	duration time.Duration

	mu        sync.Mutex
	renewedAt time.Time // carries a monotonic reading
}

// NewKeeper returns a keeper that holds nothing yet.
func NewKeeper(holder string, duration time.Duration) *Keeper {
	return &Keeper{holder: holder, duration: duration}
}

// Renew takes or extends the lease. storeNow is the store's idea of the present.
func (k *Keeper) Renew(storeNow time.Time) error {
	if skew := absDuration(time.Until(storeNow)); skew > MaxClockSkew {
		return fmt.Errorf("%s: clock differs from the store by %s", CodeClockSkew, skew)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.renewedAt = time.Now()
	return nil
}

// StillHeld reports whether work may go on.
func (k *Keeper) StillHeld() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.renewedAt.IsZero() && time.Since(k.renewedAt) < k.duration
}

func absDuration(d time.Duration) time.Duration {
	if d < 0 {
		return -d
	}
	return d
}
