import { expect, onTestFinished, test } from 'vitest';
import { movableTime } from '../../../test/movable-time.ts';
import { testWorkspaces } from '../../../test/workspace-settings.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { SyncThread } from './sync-thread.ts';

const minute = 60_000;
const monitoring = { slowStatementMilliseconds: 0, traces: undefined };
const run = {} as Parameters<SyncThread['run']>[0]['run'];
const never = new AbortController().signal;

/** A thread whose runs do what their site is called. It reports its start and its end. */
const entry = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    const log = (message) => parentPort.postMessage({ log: { level: 'info', message, facts: {} } });
    log('started');
    parentPort.on('message', ({ run, release, end }) => {
      if (release) parentPort.postMessage({ ended: release });
      if (end) {
        log('ended');
        parentPort.close();
      }
      if (!run) return;
      const ended = run.number;
      if (run.siteId === 'succeeds') parentPort.postMessage({ ended });
      if (run.siteId === 'crashes') throw new Error('out of memory');
      if (run.siteId === 'exits') process.exit(1);
      const unavailable = run.siteId === 'loses the store';
      if (unavailable) parentPort.postMessage({ ended, fault: { unavailable, report: 'ECONNREFUSED' } });
    });`)}`,
);

function aThread() {
  const { timers, advance } = movableTime();
  const log: string[] = [];
  const options = { databaseUrl: '', poolSize: 2, workspaces: testWorkspaces, monitoring };
  const thread = new SyncThread(options, (_, message) => log.push(message), timers, entry);
  onTestFinished(async () => {
    const closing = thread.close();
    advance(minute);
    await closing;
  });
  const carryOut = (siteId: string, stopping = never) =>
    thread.run({ siteId, run, holder: 'holder' }, stopping);
  return { advance, log, carryOut };
}

test('the thread starts with the first run, and serves the next ones', async () => {
  const { log, carryOut } = aThread();
  expect(log).toEqual([]);
  await carryOut('succeeds');
  await carryOut('succeeds');
  expect(log).toEqual(['started']);
});

test('the thread ends when there was no run for a minute, and starts again with the next one', async () => {
  const { log, carryOut, advance } = aThread();
  await carryOut('succeeds');
  advance(minute - 1);
  await carryOut('succeeds');
  advance(minute - 1);
  await carryOut('succeeds');
  expect(log).toEqual(['started']);
  advance(minute);
  await expect.poll(() => log).toEqual(['started', 'ended']);
  await carryOut('succeeds');
  expect(log).toEqual(['started', 'ended', 'started']);
});

test('the thread does not end while a run takes longer than a minute', async () => {
  const { log, carryOut, advance } = aThread();
  const stopping = new AbortController();
  const long = carryOut('takes long', stopping.signal);
  await carryOut('succeeds');
  advance(2 * minute);
  stopping.abort();
  await long;
  await carryOut('succeeds');
  expect(log).toEqual(['started']);
});

test.each(['crashes', 'exits'])(
  'if the thread %s, its runs fail and the next one gets a new thread',
  async (how) => {
    const { log, carryOut } = aThread();
    const other = carryOut('takes long');
    await Promise.all([
      expect(carryOut(how)).rejects.toThrow(how === 'crashes' ? 'out of memory' : 'has ended'),
      expect(other).rejects.toThrow(),
    ]);
    await carryOut('succeeds');
    expect(log).toEqual(['started', 'started']);
  },
);

test('a run is released when Gatehouse stops, also if it stops already', async () => {
  const { carryOut } = aThread();
  const stopping = new AbortController();
  const running = carryOut('takes long', stopping.signal);
  await carryOut('succeeds');
  stopping.abort();
  await running;
  await carryOut('takes long', stopping.signal);
});

test('a run without its store fails as unavailable', async () => {
  const { carryOut } = aThread();
  await expect(carryOut('loses the store')).rejects.toBeInstanceOf(StoreUnavailable);
});
