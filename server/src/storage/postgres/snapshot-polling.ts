/** With a snapshot older than this, another process may have changed something. */
const maxAgeMilliseconds = 500;
/** A snapshot older than this is replaced, so that there is always one that is recent enough. */
const pollMilliseconds = 200;

/**
 * Detects that something was committed, where signals cannot be received. Two equal snapshots of PostgreSQL see the
 * same data. It polls only while someone wants to know.
 */
export class SnapshotPolling {
  readonly #read: () => Promise<string>;
  readonly #onChange: () => void;
  #snapshot: string | undefined;
  #takenAt = Number.NEGATIVE_INFINITY;
  #isReading = false;

  /**
   * @param read reads the current snapshot
   * @param onChange called when it differs from the one before
   */
  constructor(read: () => Promise<string>, onChange: () => void) {
    this.#read = read;
    this.#onChange = onChange;
  }

  /** Whether a change that was committed half a second ago has been detected. */
  isCurrent(): boolean {
    const age = performance.now() - this.#takenAt;
    if (age > pollMilliseconds && !this.#isReading) void this.#poll();
    return age <= maxAgeMilliseconds;
  }

  async #poll(): Promise<void> {
    this.#isReading = true;
    const startedAt = performance.now();
    try {
      const snapshot = await this.#read();
      if (snapshot !== this.#snapshot) this.#onChange();
      this.#snapshot = snapshot;
      this.#takenAt = startedAt;
    } catch {
      // The store is unavailable: the next call tries again.
    } finally {
      this.#isReading = false;
    }
  }
}
