package io.duroxide.replay;

/**
 * What an execution has to do with one queue after a turn.
 *
 * @param read how many messages its code has read
 * @param unread how many were delivered to it and not read
 * @param unreadBytes their payload
 * @param awaited how many the code waits for, whether they are there or not
 */
public record MailboxCount(String queue, int read, int unread, long unreadBytes, int awaited) {}
