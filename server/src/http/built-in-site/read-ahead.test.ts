import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.ts';
import { readAhead } from './read-ahead.ts';

// Beside its bytes, each part counts as another half KiB.
const kilobyte = Buffer.alloc(1024);

/** A visitor who reads nothing until told. */
class SlowReader extends Writable {
  received = 0;
  #read: (() => void)[] = [];

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#read.push(() => {
      this.received += chunk.length;
      done();
    });
  }

  /** Reads everything that arrives from now on. */
  read(): void {
    for (const read of this.#read.splice(0)) read();
    if (!this.writableFinished) setImmediate(() => this.read());
  }
}

/** Writes this many KiB, and returns how many of them have been read. */
async function write(program: PassThrough, count: number): Promise<number> {
  const read: number[] = [];
  for (let each = 0; each < count; each += 1) program.write(kilobyte, () => void read.push(each));
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  return read.length;
}

const aProgram = () => new PassThrough({ highWaterMark: 1 });
const aReader = () => new SlowReader({ highWaterMark: 1 });

test('the response of a program is read at once, although the visitor reads nothing', async () => {
  const [program, visitor] = [aProgram(), aReader()];
  const done = readAhead(program, visitor, 128 * 1024, new ByteBudget(1024 * 1024));
  expect(await write(program, 50)).toBe(50);
  program.end();
  visitor.read();
  await done;
  expect(visitor.received).toBe(50 * 1024);
});

test('a long response waits for the visitor, and arrives completely', async () => {
  const [program, visitor] = [aProgram(), aReader()];
  const done = readAhead(program, visitor, 10 * 1024, new ByteBudget(1024 * 1024));
  expect(await write(program, 50)).toBeLessThan(20);
  visitor.read();
  program.end();
  await done;
  expect(visitor.received).toBe(50 * 1024);
});

test('all responses share the memory, and one that is over releases its part', async () => {
  const budget = new ByteBudget(13 * 1024);
  const [first, second] = [aReader(), aReader()];
  const [one, other] = [aProgram(), aProgram()];
  const firstDone = readAhead(one, first, 64 * 1024, budget);
  expect(await write(one, 8)).toBe(8);
  const secondDone = readAhead(other, second, 64 * 1024, budget);
  expect(await write(other, 8)).toBeLessThan(8);
  for (const program of [one, other]) program.end();
  for (const visitor of [first, second]) visitor.read();
  await Promise.all([firstDone, secondDone]);
  expect([first.received, second.received, budget.reserve(13 * 1024)]).toEqual([8 * 1024, 8 * 1024, true]);
});

test.each(['program', 'visitor'])(
  'a response that the %s ends early is an error, and holds no memory',
  async (who) => {
    const budget = new ByteBudget(10 * 1024);
    const [program, visitor] = [aProgram(), aReader()];
    const done = readAhead(program, visitor, 64 * 1024, budget);
    const failed = expect(done).rejects.toThrow();
    await write(program, 5);
    if (who === 'program') program.destroy();
    else visitor.destroy();
    await failed;
    expect(budget.reserve(10 * 1024)).toBe(true);
  },
);
