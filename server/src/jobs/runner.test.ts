import { doublingPauses } from '@gatehouse/contract/backoff';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { day, movableTime } from '../../test/movable-time.ts';
import { forEachStore } from '../../test/stores.ts';
import type { Database } from '../storage/database.ts';
import { StoreUnavailable } from '../storage/errors.ts';
import { migrate } from '../storage/migrations/migrations.ts';
import { openDatabase } from '../storage/open.ts';
import type { Job, Started, TaskRun } from './job.ts';
import { leaseMilliseconds } from './job-leases.ts';
import { JobRunner } from './runner.ts';

const sweepMilliseconds = 30_000;

class Outage extends Error {}

/** A job that records its work for the tests. */
class TestJob implements Job {
  readonly name = 'test';
  readonly errorMessage = 'the test job failed';
  readonly sweepMilliseconds = sweepMilliseconds;
  readonly concurrency: number = 2;
  readonly slotsPerTask: number = 1;
  readonly backoff = doublingPauses(1_000, 8_000, [1, 1]);
  readonly started: string[] = [];
  /** The tasks that a sweep finds. */
  due: string[] = [];
  sweeps = 0;
  work: (task: string, run: TaskRun) => Promise<Started> = async () => ({ more: false });

  isOutage(error: unknown): boolean {
    return error instanceof Outage;
  }

  async findDue(): Promise<readonly string[]> {
    this.sweeps += 1;
    return this.due;
  }

  start(task: string, run: TaskRun): Promise<Started> {
    this.started.push(task);
    return this.work(task, run);
  }
}

forEachStore((store) => {
  let database: Database;
  const runners: { readonly runner: JobRunner; readonly time: ReturnType<typeof movableTime> }[] = [];

  beforeAll(async () => {
    database = openDatabase(await store.freshUrl(), { poolSize: 4 });
    await migrate(database);
  });
  afterEach(async () => {
    for (const { runner, time } of runners.splice(0)) await stopAtOnce(runner, time);
    await database.transaction((tx) => tx.run(sql`DELETE FROM job_leases`));
  });
  afterAll(() => database.close());

  function aRunner(job: Job, time = movableTime(), on: Database = database) {
    const errors: unknown[] = [];
    const onError = (_: Job, error: unknown) => errors.push(error);
    const runner = new JobRunner([job], { database: on, ...time, onError });
    runners.push({ runner, time });
    return { runner, time, errors };
  }

  function leftOf({ expires_at }: { expires_at: string }, { clock }: ReturnType<typeof movableTime>): number {
    return Date.parse(expires_at) - clock().getTime();
  }

  /** Stops a runner whose work may never end. */
  async function stopAtOnce(runner: JobRunner, time: ReturnType<typeof movableTime>): Promise<void> {
    let isStopped = false;
    runner.stop().finally(() => {
      isStopped = true;
    });
    while (!isStopped) {
      await new Promise(setImmediate);
      time.advance(1_000);
    }
  }

  const leases = () => database.all<{ holder: string; expires_at: string }>(sql`SELECT * FROM job_leases`);

  /** Starts that hang until they are released. */
  function hanging(job: TestJob) {
    const waiting: (() => void)[] = [];
    job.work = () => new Promise((resolve) => waiting.push(() => resolve({ more: false })));
    return { letGo: () => waiting.splice(0).forEach((go) => void go()) };
  }

  describe('a job', () => {
    test('runs a task immediately when woken, and looks for other work at the start and at each interval', async () => {
      const job = new TestJob();
      const { runner, time } = aRunner(job);
      runner.wake('test', 'a');
      await runner.idle();
      expect([job.started, job.sweeps]).toEqual([['a'], 0]);
      job.due = ['b'];
      runner.start();
      await runner.idle();
      expect([job.started, job.sweeps]).toEqual([['a', 'b'], 1]);
      job.due = ['c'];
      time.advance(sweepMilliseconds - 1_000);
      await runner.idle();
      expect(job.started).toEqual(['a', 'b']);
      time.advance(1_000);
      await runner.idle();
      expect([job.started, job.sweeps]).toEqual([['a', 'b', 'c'], 2]);
    });

    test('starts a task once, no matter how often it is woken, and once more if woken while it runs', async () => {
      const job = new TestJob();
      const { letGo } = hanging(job);
      const { runner } = aRunner(job);
      runner.wake('test', 'a');
      for (let times = 0; times < 100; times += 1) runner.wake('test', 'a');
      expect(job.started).toEqual(['a']);
      letGo();
      await expect.poll(() => job.started).toEqual(['a', 'a']);
      letGo();
      await runner.idle();
      expect(job.started).toEqual(['a', 'a']);
    });

    test('continues a task while there is more work, and respects the concurrency limit', async () => {
      const job = new TestJob();
      let left = 3;
      job.work = async () => ({ more: --left > 0 });
      const { runner } = aRunner(job);
      runner.wake('test', 'a');
      await runner.idle();
      expect(job.started).toEqual(['a', 'a', 'a']);
      const { letGo } = hanging(job);
      for (const task of ['b', 'c', 'd']) runner.wake('test', task);
      expect(job.started.slice(3)).toEqual(['b', 'c']);
      letGo();
      await expect.poll(() => job.started.slice(3)).toEqual(['b', 'c', 'd']);
      letGo();
    });

    test('delays a task by its wake delay, and runs it once if woken again during the delay', async () => {
      const job = Object.assign(new TestJob(), { wakeDelay: () => 50 });
      const { runner, time } = aRunner(job);
      runner.wake('test', 'a');
      runner.wake('test', 'a');
      await runner.idle();
      expect(job.started).toEqual([]);
      time.advance(50);
      await runner.idle();
      expect(job.started).toEqual(['a']);
    });

    test('holds a slot for each piece of work until it ends', async () => {
      const job = Object.assign(new TestJob(), { slotsPerTask: 2 });
      const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slots: number[] = [];
      job.work = async (_, run) => {
        slots.push(run.slots);
        const { promise } = gates[slots.length - 1] ?? { promise: Promise.resolve() };
        return { pieces: [() => promise], more: slots.length < 4 };
      };
      const { runner } = aRunner(job);
      runner.wake('test', 'a');
      await expect.poll(() => slots).toEqual([2, 1]);
      gates[0]!.resolve();
      await expect.poll(() => slots.length).toBeGreaterThan(2);
      gates[1]!.resolve();
      await runner.idle();
      expect(slots).toHaveLength(4);
    });
  });

  describe('an error', () => {
    test('of one task is reported, and does not affect other tasks and the next sweep', async () => {
      const job = new TestJob();
      job.work = async (task) => {
        if (task === 'bad') throw new Error('no');
        return { more: false };
      };
      job.due = ['bad', 'good'];
      const { runner, time, errors } = aRunner(job);
      runner.start();
      await runner.idle();
      time.advance(sweepMilliseconds);
      await runner.idle();
      expect(job.started).toEqual(['bad', 'good', 'bad', 'good']);
      expect(errors).toEqual([new Error('no'), new Error('no')]);
    });

    test('that affects every task pauses the job, twice as long each time; then one task retries, and none is lost', async () => {
      const job = new TestJob();
      let isOut = true;
      job.work = async () => {
        if (isOut) throw new Outage('out');
        return { more: false };
      };
      const { runner, time, errors } = aRunner(job);
      for (const task of ['a', 'b', 'c']) runner.wake('test', task);
      await runner.idle();
      expect([job.started, errors]).toEqual([['a', 'b'], [new Outage('out')]]);
      const pauses = [1_000, 2_000, 4_000, 8_000, 8_000];
      for (const [tries, pause] of pauses.entries()) {
        time.advance(pause - 100);
        runner.wake('test', 'd');
        await runner.idle();
        expect(job.started).toHaveLength(2 + tries);
        time.advance(100);
        await runner.idle();
        expect(job.started).toHaveLength(3 + tries);
      }
      isOut = false;
      time.advance(8_000);
      await runner.idle();
      expect(job.started.slice(2 + pauses.length).sort()).toEqual(['a', 'b', 'c', 'd']);
      expect(errors).toHaveLength(1 + pauses.length);
    });

    test('of a sweep is reported, and the next sweep runs', async () => {
      const job = new TestJob();
      const { runner, time, errors } = aRunner(job);
      job.findDue = () => Promise.reject(new StoreUnavailable('gone'));
      runner.start();
      await runner.idle();
      expect(errors).toHaveLength(1);
      job.findDue = async () => ['a'];
      time.advance(sweepMilliseconds);
      await runner.idle();
      expect(job.started).toEqual(['a']);
    });
  });

  describe('the lease of a job', () => {
    test('is taken only when work is due, and released when it is done', async () => {
      const job = new TestJob();
      const { runner, time } = aRunner(job);
      runner.start();
      await runner.idle();
      expect(await leases()).toEqual([]);
      job.due = ['a'];
      time.advance(sweepMilliseconds);
      await runner.idle();
      expect(await leases()).toHaveLength(1);
      time.advance(leaseMilliseconds / 2);
      await runner.idle();
      expect([await leases(), job.started]).toEqual([[], ['a']]);
    });

    test('lets only one of several processes do the due work, for as long as it takes', async () => {
      const time = movableTime();
      const jobs = [new TestJob(), new TestJob()];
      for (const job of jobs) job.due = ['a'];
      const { letGo } = hanging(jobs[0]!);
      const [slow, other] = jobs.map((job) => aRunner(job, time).runner);
      slow!.start();
      await expect.poll(() => jobs[0]!.started).toEqual(['a']);
      other!.start();
      for (let seconds = 0; seconds < 60; seconds += 2) {
        // Both have set the time of their next search, and the holder also that of the next renewal.
        await expect.poll(() => time.countTimers(), { timeout: 20_000 }).toBe(3);
        // The lease is renewed well before it ends.
        await expect
          .poll(async () => leftOf((await leases())[0]!, time), { timeout: 20_000 })
          .toBeGreaterThan(leaseMilliseconds / 2);
        time.advance(2_000);
      }
      expect(jobs[1]!.sweeps).toBeGreaterThan(2);
      expect(jobs[1]!.started).toEqual([]);
      // In the meantime, its own sweeps have found the task again.
      Object.assign(jobs[0]!, { due: [], work: jobs[1]!.work });
      letGo();
      await slow!.idle();
      time.advance(leaseMilliseconds / 2);
      await slow!.idle();
      // A search that the other process began before the release must end first: it then sets the time of the next one.
      await other!.idle();
      time.advance(leaseMilliseconds + 2_000);
      await other!.idle();
      expect(jobs[1]!.started).toContain('a');
    });

    test('does not stop a process from running a task it is woken for', async () => {
      const time = movableTime();
      const jobs = [new TestJob(), new TestJob()];
      jobs[0]!.due = ['a'];
      const { letGo } = hanging(jobs[0]!);
      const [holder, other] = jobs.map((job) => aRunner(job, time).runner);
      holder!.start();
      await expect.poll(() => jobs[0]!.started).toEqual(['a']);
      other!.wake('test', 'b');
      await other!.idle();
      expect(jobs[1]!.started).toEqual(['b']);
      letGo();
    });

    test('of a process that is gone ends, and another process soon does the work', async () => {
      const time = movableTime();
      const jobs = [new TestJob(), new TestJob()];
      for (const job of jobs) job.due = ['a'];
      const gone = movableTime();
      const { runner: dead } = aRunner(jobs[0]!, gone);
      hanging(jobs[0]!);
      dead.start();
      await expect.poll(() => jobs[0]!.started).toEqual(['a']);
      const { runner: successor } = aRunner(jobs[1]!, time);
      successor.start();
      await successor.idle();
      expect(jobs[1]!.started).toEqual([]);
      time.advance(leaseMilliseconds + 2_000);
      await successor.idle();
      expect(jobs[1]!.started).toEqual(['a']);
    });

    test('is released in an outage, because another process may not be affected', async () => {
      const job = new TestJob();
      job.due = ['a'];
      job.work = () => Promise.reject(new Outage('out'));
      const { runner, time } = aRunner(job);
      runner.start();
      await runner.idle();
      time.advance(leaseMilliseconds / 4);
      job.work = async () => ({ more: false });
      await runner.idle();
      expect(await leases()).toEqual([]);
    });

    test('that ends in the far future because of a wrong clock is ignored', async () => {
      const job = new TestJob();
      job.due = ['a'];
      const wrong = movableTime();
      wrong.advance(100 * day);
      const { runner: first } = aRunner(new TestJob(), wrong);
      await database.transaction((tx) =>
        tx.run(sql`
          INSERT INTO job_leases (job, holder, expires_at)
          VALUES ('test', '00000000-0000-7000-8000-000000000000', ${wrong.clock().toISOString()})`),
      );
      await first.idle();
      const { runner } = aRunner(job);
      runner.start();
      await runner.idle();
      expect(job.started).toEqual(['a']);
    });

    test('is held by exactly one of ten processes that sweep at the same time', async () => {
      const jobs = Array.from({ length: 10 }, () => new TestJob());
      const time = movableTime();
      const all = jobs.map((job) => {
        job.due = ['a'];
        return aRunner(job, time).runner;
      });
      for (const runner of all) runner.start();
      await Promise.all(all.map((runner) => runner.idle()));
      expect(jobs.flatMap(({ started }) => started)).toEqual(['a']);
    });
  });

  describe('stopping', () => {
    test('waits for running work, starts no more, and releases the lease', async () => {
      const job = new TestJob();
      job.due = ['a', 'b', 'c'];
      const { letGo } = hanging(job);
      const { runner } = aRunner(job);
      runner.start();
      await expect.poll(() => job.started).toEqual(['a', 'b']);
      const stopped = runner.stop();
      runner.wake('test', 'd');
      letGo();
      await stopped;
      expect(job.started).toEqual(['a', 'b']);
      expect(await leases()).toEqual([]);
    });

    test('does not wait forever', async () => {
      let isClosed = false;
      const close = () => {
        isClosed = true;
      };
      const job = Object.assign(new TestJob(), { close });
      hanging(job);
      const { runner, time } = aRunner(job);
      runner.wake('test', 'a');
      const stopped = runner.stop();
      time.advance(4_000);
      await expect.poll(() => isClosed).toBe(true);
      time.advance(1_000);
      await stopped;
    });
  });
});
