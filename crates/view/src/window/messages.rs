//! Messages to the user.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Messages that are kept.
const MOST: usize = 50;

/// How long a message of something done is shown.
const SHOWN_FOR: Duration = Duration::from_secs(6);

/// Something to tell.
#[derive(Clone, Debug)]
pub struct Message {
    /// The text.
    pub text: String,
    /// Whether it is bad news, which stays until it is dismissed.
    pub is_trouble: bool,
    since: Instant,
}

/// Messages, the newest last.
#[derive(Debug, Default)]
pub struct Messages(VecDeque<Message>);

impl Messages {
    /// Adds a message; one with the same text as the last takes its place.
    pub fn add(&mut self, text: String, is_trouble: bool) {
        if self.0.back().is_some_and(|last| last.text == text) {
            self.0.pop_back();
        }
        self.0.push_back(Message { text, is_trouble, since: Instant::now() });
        while self.0.len() > MOST {
            self.0.pop_front();
        }
    }

    /// Forgets good news that was shown for long enough; returns whether there was any.
    pub fn forget_old(&mut self) -> bool {
        let n = self.0.len();
        self.0.retain(|message| message.is_trouble || message.since.elapsed() < SHOWN_FOR);
        self.0.len() != n
    }

    /// Forgets all bad news.
    pub fn forget_trouble(&mut self) {
        self.0.retain(|message| !message.is_trouble);
    }

    /// Whether the newest message has this text.
    pub fn is_last(&self, text: &str) -> bool {
        self.0.back().is_some_and(|last| last.text == text)
    }

    /// Forgets the message at a place.
    pub fn dismiss(&mut self, place: usize) {
        self.0.remove(place);
    }

    /// The last `n` messages with their places.
    pub fn last(&self, n: usize) -> impl Iterator<Item = (usize, &Message)> {
        self.0.iter().enumerate().skip(self.0.len().saturating_sub(n))
    }

    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_messages_are_kept_each_once() {
        let mut messages = Messages::default();
        for ix in 0..=MOST {
            messages.add(ix.to_string(), true);
            messages.add(ix.to_string(), true);
        }
        let texts: Vec<&str> = messages.last(2).map(|(_, message)| message.text.as_str()).collect();
        assert_eq!(texts, [(MOST - 1).to_string(), MOST.to_string()]);
        assert_eq!(messages.last(usize::MAX).count(), MOST);
        assert!(!messages.forget_old());
        messages.dismiss(MOST - 1);
        assert_eq!(messages.last(1).map(|(place, _)| place).collect::<Vec<_>>(), [MOST - 2]);
        assert!(messages.is_last(&(MOST - 1).to_string()));
        messages.add("done".to_owned(), false);
        messages.forget_trouble();
        assert_eq!(messages.last(usize::MAX).count(), 1);
    }
}
