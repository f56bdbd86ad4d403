package org.example.lantern.bridge;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Takes messages from a customer's queue and submits them to Lantern. A message that is refused for good
 * goes to the parking place of dead letters instead of blocking the queue.
 */
public final class QueueBridge {
    /** Messages taken from the queue at a time. */
    public static final int PREFETCH_COUNT = 50;

    private static final Duration POLL_TIMEOUT = Duration.ofSeconds(5);

    private final Deque<String> queue = new ArrayDeque<>();
    private final DeadLetterShelf shelf;

    public QueueBridge(DeadLetterShelf shelf) {
        this.shelf = shelf;
    }

    public void enqueue(List<String> payloads) {
        queue.addAll(payloads);
    }

    /** Moves up to {@link #PREFETCH_COUNT} messages and returns how many were accepted. */
    public int pumpOnce(Predicate<String> submitToLantern) {
        int accepted = 0;
        for (int i = 0; i < PREFETCH_COUNT; i++) {
            Optional<String> payload = Optional.ofNullable(queue.poll());
            if (payload.isEmpty()) {
                break;
            }
            if (submitToLantern.test(payload.get())) {
                accepted++;
            } else {
                shelf.park(payload.get(), "LNT-4221");
            }
        }
        return accepted;
    }

    public Duration pollTimeout() {
        return POLL_TIMEOUT;
    }
}
