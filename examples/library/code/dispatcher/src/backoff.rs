//! How long to wait before the next attempt, and when to stop trying.

use std::time::Duration;

/// Growth of the waits. The dispatcher draws the real wait at random between zero and the bound.
#[derive(Debug, Clone)]
pub struct Backoff {
    pub base: Duration,
    pub factor: u32,
    pub cap: Duration,
    pub max_attempts: u32,
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff {
            base: Duration::from_secs(20),
            factor: 3,
            cap: Duration::from_secs(15 * 60),
            max_attempts: 6,
        }
    }
}

impl Backoff {
    /// The upper bound of the wait after `attempt` failures (counted from 1), or `None` when the
    /// budget is spent.
    pub fn next_delay(&self, attempt: u32) -> Option<Duration> {
        if attempt >= self.max_attempts {
            return None;
        }
        let growth = self.factor.saturating_pow(attempt.saturating_sub(1));
        Some(self.base.saturating_mul(growth).min(self.cap))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_the_cap_and_end() {
        let seconds: Vec<_> = (1..=6)
            .map(|n| Backoff::default().next_delay(n).map(|d| d.as_secs()))
            .collect();
        assert_eq!(seconds, [Some(20), Some(60), Some(180), Some(540), Some(900), None]);
    }
}
