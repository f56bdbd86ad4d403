//! The outbox as the dispatcher sees it. A row is marked after the channel has answered, never before.

use std::collections::VecDeque;
use std::time::Duration;

/// Why a channel did not take a message.
#[allow(dead_code)]
pub enum Refusal {
    Passing(String),
    Final(String),
}

pub trait Channel {
    fn send(&self, message: &str) -> Result<(), Refusal>;
}

#[derive(Clone)]
pub struct OutboxRow {
    pub id: u64,
    pub attempt: u32,
    pub message: String,
}

#[derive(Default)]
pub struct Outbox {
    due: VecDeque<OutboxRow>,
    in_flight: Vec<OutboxRow>,
    deferred: Vec<(OutboxRow, Duration)>,
    dead: Vec<(u64, String)>,
}

impl Outbox {
    pub fn with_messages(messages: &[&str]) -> Self {
        let due = messages
            .iter()
            .zip(1..)
            .map(|(text, id)| OutboxRow { id, attempt: 1, message: text.to_string() })
            .collect();
        Outbox { due, ..Outbox::default() }
    }

    pub fn take_due(&mut self) -> Option<OutboxRow> {
        let row = self.due.pop_front()?;
        self.in_flight.push(row.clone());
        Some(row)
    }

    pub fn mark_delivered(&mut self, id: u64) {
        self.in_flight.retain(|row| row.id != id);
    }

    pub fn defer(&mut self, id: u64, bound: Duration, _reason: &str) {
        if let Some(at) = self.in_flight.iter().position(|row| row.id == id) {
            let mut row = self.in_flight.swap_remove(at);
            row.attempt += 1;
            self.deferred.push((row, bound));
        }
    }

    pub fn give_up(&mut self, id: u64, reason: &str) {
        self.mark_delivered(id);
        self.dead.push((id, reason.to_string()));
    }

    pub fn dead_letters(&self) -> &[(u64, String)] {
        &self.dead
    }
}
