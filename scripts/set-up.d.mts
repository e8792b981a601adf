/** Runs work that no other set-up of this folder may disturb. */
export function withLock(work: () => Promise<void>): Promise<void>;
