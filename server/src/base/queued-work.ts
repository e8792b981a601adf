/** Work that a change queues for a background job: login requests and emails, runs of sources, or events for webhooks. */
export type QueuedWork = 'emails' | 'source-runs' | 'events';
