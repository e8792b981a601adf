import { randomFillSync } from 'node:crypto';
import { type Clock, systemClock, type Timestamp } from './clock.ts';
import { maxAheadMilliseconds, reportIdsAhead } from './ids-ahead.ts';

/** Returns a new id at each call, greater than all ids it returned before. */
export type IdGenerator = () => string;

/**
 * UUIDv7 (RFC 9562, section 5.7), lowercase, strictly increasing. The twelve bits after the time are a counter
 * (section 6.2, method 1). When the clock stops or goes back, ids continue from the last one, and `reportAhead` is called
 * once with its time when it is far ahead.
 */
export function createIdGenerator(
  clock: Clock = systemClock,
  reportAhead: (lastTime: number) => void = reportIdsAhead,
): IdGenerator {
  const randomPool = new Uint8Array(8 * 256);
  let randomUsed = randomPool.length;
  let lastTime = 0;
  let counter = 0;
  let isReported = false;

  return () => {
    const now = clock().getTime();
    if (now > lastTime) {
      lastTime = now;
      counter = 0;
    } else if (++counter > 0xfff) {
      lastTime += 1;
      counter = 0;
    }
    if (lastTime - now > maxAheadMilliseconds && !isReported) {
      isReported = true;
      reportAhead(lastTime);
    }
    if (randomUsed === randomPool.length) {
      randomFillSync(randomPool);
      randomUsed = 0;
    }
    const random = randomPool.subarray(randomUsed, randomUsed + 8);
    randomUsed += 8;
    const time = lastTime.toString(16).padStart(12, '0');
    const variant = (0x80 | (random[0]! & 0x3f)).toString(16);
    return (
      `${time.slice(0, 8)}-${time.slice(8)}-7${hex(counter, 3)}-` +
      `${variant}${hex(random[1]!, 2)}-${hex(random[2]!, 2)}${hex(random[3]!, 2)}${hex(random[4]!, 2)}` +
      `${hex(random[5]!, 2)}${hex(random[6]!, 2)}${hex(random[7]!, 2)}`
    );
  };
}

/** The id generator of this thread. */
export const newId: IdGenerator = createIdGenerator();

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID (RFC 9562, section 4), in uppercase or lowercase. */
export function isUuid(text: string): boolean {
  return uuidForm.test(text);
}

/** The time when an id was generated. `createdAt` is always this time, so the order of ids is the order of creation. */
export function timeOfId(id: string): Timestamp {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
}

export function idsOf(items: readonly { readonly id: string }[]): string[] {
  return items.map(({ id }) => id);
}

/** Sorts before every id generated at or after this time, and after every earlier id. */
export function firstIdAt(time: Timestamp): string {
  const digits = Date.parse(time).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
