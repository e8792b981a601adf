import { setImmediate } from 'node:timers/promises';

/** A few milliseconds of work. */
const valuesInTurn = 500;

/**
 * Looks up many values, a part in each turn of the event loop: SQLite answers without waiting, so that nothing else in
 * its thread would be done until the last one.
 */
export async function inTurns<Value>(
  values: readonly Value[],
  lookUp: (part: readonly Value[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < values.length; start += valuesInTurn) {
    await lookUp(values.slice(start, start + valuesInTurn));
    await setImmediate();
  }
}
