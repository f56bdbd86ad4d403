//! Carries messages from the outbox to the channels.

mod backoff;
mod outbox;

use backoff::Backoff;
use outbox::{Channel, Outbox, Refusal};

/// Empties the outbox once: every row is sent, put off or given up.
fn drain_once<C: Channel>(outbox: &mut Outbox, channel: &C, backoff: &Backoff) -> usize {
    let mut handled = 0;
    while let Some(row) = outbox.take_due() {
        match channel.send(&row.message) {
            Ok(()) => outbox.mark_delivered(row.id),
            Err(Refusal::Final(reason)) => outbox.give_up(row.id, &reason),
            Err(Refusal::Passing(reason)) => match backoff.next_delay(row.attempt) {
                Some(bound) => outbox.defer(row.id, bound, &reason),
                None => outbox.give_up(row.id, &format!("LNT-6002: {reason}")),
            },
        }
        handled += 1;
    }
    handled
}

struct Stdout;

impl Channel for Stdout {
    fn send(&self, message: &str) -> Result<(), Refusal> {
        println!("{message}");
        Ok(())
    }
}

fn main() {
    let mut outbox = Outbox::with_messages(&["The lamp is lit."]);
    let handled = drain_once(&mut outbox, &Stdout, &Backoff::default());
    eprintln!("{handled} handled, {} given up", outbox.dead_letters().len());
}
