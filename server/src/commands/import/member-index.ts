import { hash } from 'node:crypto';
import type { MemberStatus } from '@gatehouse/contract';
import { type KnownMember, nameMarkOf } from './known-member.ts';

/** What is kept of a member. */
export interface IndexedMember {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly paid: boolean | null;
  readonly status: MemberStatus;
}

const bytesOfId = 16;
const firstCapacity = 1_024;
const paidStates = [null, false, true] as const;

/**
 * Members by address, in about 50 bytes each: enough to tell whether a row says the same, not what it says. Addresses
 * and names are kept as parts of their SHA-256.
 */
export class MemberIndex {
  #count = 0;
  #keys = new BigUint64Array(firstCapacity);
  #ids = new Uint8Array(firstCapacity * bytesOfId);
  #nameMarks = new Uint32Array(firstCapacity);
  #states = new Uint8Array(firstCapacity);
  /** Open addressing: numbers of entries from 1 on, at most half of them used. */
  #table = new Uint32Array(2 * firstCapacity);
  readonly #groups = new Map<string, Bits>();

  get size(): number {
    return this.#count;
  }

  add({ id, email, displayName, paid, status }: IndexedMember): void {
    if (this.#count === this.#keys.length) this.#grow();
    const key = keyOf(email);
    const place = this.#placeOf(key);
    if (this.#table[place] !== 0) return;
    const entry = this.#count++;
    this.#table[place] = entry + 1;
    this.#keys[entry] = key;
    this.#ids.set(Buffer.from(id.replaceAll('-', ''), 'hex'), entry * bytesOfId);
    this.#nameMarks[entry] = nameMarkOf(displayName);
    this.#states[entry] = paidStates.indexOf(paid) * 2 + (status === 'blocked' ? 1 : 0);
  }

  /** Notes that a member is in a group; nothing happens for a member that is not in the index. */
  addToGroup(email: string, groupId: string): void {
    const entry = this.#table[this.#placeOf(keyOf(email))]! - 1;
    if (entry === -1) return;
    const bits = this.#groups.get(groupId) ?? new Bits();
    this.#groups.set(groupId, bits);
    bits.add(entry);
  }

  find(email: string): KnownMember | undefined {
    const entry = this.#table[this.#placeOf(keyOf(email))]! - 1;
    if (entry === -1) return undefined;
    const state = this.#states[entry]!;
    return {
      id: toUuid(this.#ids.subarray(entry * bytesOfId, (entry + 1) * bytesOfId)),
      nameMark: this.#nameMarks[entry]!,
      paid: paidStates[state >> 1]!,
      status: state & 1 ? 'blocked' : 'active',
      isIn: (groupId) => this.#groups.get(groupId)?.has(entry) ?? false,
    };
  }

  #placeOf(key: bigint): number {
    const mask = this.#table.length - 1;
    let place = Number(key & 0xffffffffn) & mask;
    while (this.#table[place] !== 0 && this.#keys[this.#table[place]! - 1] !== key)
      place = (place + 1) & mask;
    return place;
  }

  #grow(): void {
    const capacity = 2 * this.#keys.length;
    const [keys, ids, marks, states] = [this.#keys, this.#ids, this.#nameMarks, this.#states];
    this.#keys = new BigUint64Array(capacity);
    this.#ids = new Uint8Array(capacity * bytesOfId);
    this.#nameMarks = new Uint32Array(capacity);
    this.#states = new Uint8Array(capacity);
    this.#keys.set(keys);
    this.#ids.set(ids);
    this.#nameMarks.set(marks);
    this.#states.set(states);
    this.#table = new Uint32Array(2 * capacity);
    for (let entry = 0; entry < this.#count; entry += 1) {
      this.#table[this.#placeOf(this.#keys[entry]!)] = entry + 1;
    }
  }
}

function keyOf(email: string): bigint {
  return hash('sha256', email, 'buffer').readBigUInt64BE();
}

function toUuid(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('hex');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}

class Bits {
  #bytes = new Uint8Array(firstCapacity);

  add(number: number): void {
    const byte = number >> 3;
    if (byte >= this.#bytes.length) {
      const grown = new Uint8Array(Math.max(byte + 1, 2 * this.#bytes.length));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[byte]! |= 1 << (number & 7);
  }

  has(number: number): boolean {
    return ((this.#bytes[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }
}
