/** Work that a change queues for a background job: login requests and emails, or runs of sources. */
export type QueuedWork = 'emails' | 'source-runs';
