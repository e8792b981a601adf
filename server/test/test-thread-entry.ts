import { total } from '../src/base/metrics/metric.ts';
import { CollectionUnreadable } from '../src/domain/sources/workspaces/workspace.ts';
import { serveCalls } from '../src/runtime/threads/serve-calls.ts';
import { StoreUnavailable } from '../src/storage/errors.ts';

// A thread whose calls do what tests need: succeed, wait, fail, or end the thread.

export interface TestCalls {
  /** How many calls of this name the thread has had. */
  count(): number;
  /** Waits until it is aborted. */
  wait(): string;
  /** Resolves in this thread after all calls that `release` knows. */
  hold(): void;
  release(): void;
  block(milliseconds: number): void;
  fail(how: 'unavailable' | 'unreadable' | 'unexpected'): void;
  /** Returns what cannot be sent to another thread. */
  returnFunction(): unknown;
  end(how: 'crash' | 'exit' | 'memory'): void;
}

const errors = {
  unavailable: () => new StoreUnavailable('ECONNREFUSED'),
  unreadable: () => new CollectionUnreadable('incomplete', 'Row 3 has no end.'),
  unexpected: () => new TypeError('x is not a function'),
};

let counted = 0;
const held: (() => void)[] = [];

await serveCalls<TestCalls>('work', (_, report) => {
  report('info', 'started', {});
  return {
    calls: {
      count() {
        counted += 1;
        return counted;
      },
      wait: (_input, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'))),
      hold: () => new Promise((resolve) => held.push(resolve)),
      release() {
        for (const resolve of held.splice(0)) resolve();
      },
      block(milliseconds) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
      },
      fail(how) {
        throw errors[how]();
      },
      returnFunction: () => () => {},
      end(how): Promise<void> {
        if (how === 'exit') process.exit(1);
        if (how === 'memory') for (const all: unknown[] = []; ; ) all.push(new Array(1_000_000).fill(0));
        setImmediate(() => {
          throw new Error('a mistake');
        });
        return new Promise(() => {});
      },
    },
    metrics: () => [total('gatehouse_test_total', 'Calls.', counted)],
    close: async () => report('info', 'ended', {}),
  };
});
