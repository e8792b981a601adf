/** Cancels a timer. Does nothing when the timer has already fired. */
export type Cancel = () => void;

/** Calls functions later. Passed in like the clock, so that tests need not wait. */
export interface Timers {
  /** The timer does not keep the process running. */
  after(milliseconds: number, work: () => void): Cancel;
}

export const systemTimers: Timers = {
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

export function sleep(timers: Timers, milliseconds: number): Promise<void> {
  return new Promise((resolve) => timers.after(milliseconds, resolve));
}
