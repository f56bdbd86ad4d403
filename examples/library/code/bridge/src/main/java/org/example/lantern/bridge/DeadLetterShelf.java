package org.example.lantern.bridge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps refused messages with the code that refused them, oldest first, up to a limit. */
public class DeadLetterShelf {
    /** One refused message. */
    public record ParkedMessage(String payload, String errorCode) {}

    private final int capacity;
    private final List<ParkedMessage> parked = new ArrayList<>();

    public DeadLetterShelf(int capacity) {
        this.capacity = capacity;
    }

    /** Parks a message; the oldest one falls off a full shelf. */
    public void park(String payload, String errorCode) {
        if (parked.size() == capacity) {
            parked.remove(0);
        }
        parked.add(new ParkedMessage(payload, errorCode));
    }

    public List<ParkedMessage> parkedMessages() {
        return Collections.unmodifiableList(parked);
    }
}
