-- Schema 31: the outbox, and a sweeper's view of what has been waiting too long.

CREATE TABLE outbox (
    id              bigint PRIMARY KEY,
    message_id      text NOT NULL UNIQUE,
    notification_id text NOT NULL REFERENCES notification (id),
    channel         text NOT NULL CHECK (channel IN ('email', 'sms', 'push', 'webhook')),
    due_at          timestamptz NOT NULL,
    leased_until    timestamptz,
    attempt         integer NOT NULL DEFAULT 1
);

CREATE INDEX outbox_due_by_channel ON outbox (channel, due_at) WHERE leased_until IS NULL;

-- The number that would have told us about the silent ferry within a minute.
CREATE VIEW oldest_due_message AS
SELECT channel, extract(epoch FROM now() - min(due_at)) AS age_seconds
FROM outbox
WHERE due_at <= now()
GROUP BY channel;

-- Wakes the scheduler; see the decision on NOTIFY.
CREATE FUNCTION announce_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.due_at <= now() THEN
        PERFORM pg_notify('lantern_due', NEW.channel);
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER outbox_announce AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION announce_due();
