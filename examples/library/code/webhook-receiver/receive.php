<?php

declare(strict_types=1);

namespace Tallowick\LanternReceiver;

const MAX_AGE_SECONDS = 300;

/** True when the signature fits the raw body and the request is fresh. */
function isAuthentic(string $secret, string $rawBody, string $timestamp, string $signatureHeader, int $now): bool
{
    if (abs($now - (int) $timestamp) > MAX_AGE_SECONDS) {
        return false;
    }
    $expected = 'v1=' . hash_hmac('sha256', $timestamp . '.' . $rawBody, $secret);
    foreach (explode(',', $signatureHeader) as $offered) {
        if (hash_equals($expected, trim($offered))) {
            return true;
        }
    }
    return false;
}

/** Remembers message ids for a day, so that a repeat is answered with 200 and otherwise ignored. */
final class SeenMessages
{
    /** @var array<string, int> */
    private array $seenAt = [];

    public function firstTime(string $messageId, int $now): bool
    {
        $this->seenAt = array_filter($this->seenAt, fn (int $at): bool => $now - $at < 86400);
        $isNew = !isset($this->seenAt[$messageId]);
        $this->seenAt[$messageId] = $now;
        return $isNew;
    }
}
