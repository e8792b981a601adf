import { expect, test } from 'vitest';
import { WorkerLink } from './worker-link.ts';
import type { FromWorker } from './worker-messages.ts';

function worker() {
  const done: string[] = [];
  const sent: FromWorker[] = [];
  const link = new WorkerLink((message) => sent.push(message));
  const jobs = link.shareJobs({
    start: () => void done.push('start'),
    wake: (siteId, work) => void done.push(`${siteId} ${work}`),
  });
  return { done, sent, link, jobs };
}

test('background work runs only in the worker that the primary process names', () => {
  const { done, sent, link, jobs } = worker();
  jobs.start();
  jobs.wake('site', 'emails');
  expect(done).toEqual([]);
  expect(sent).toEqual([{ wake: ['site', 'emails'] }]);
  link.receive({ runJobs: true });
  link.receive({ runJobs: true });
  expect(done).toEqual(['start']);
  jobs.wake('site', 'emails');
  link.receive({ wake: ['other', 'source-runs'] });
  expect(done).toEqual(['start', 'site emails', 'other source-runs']);
  expect(sent).toHaveLength(1);
});

test('a worker that is named before its store is open starts the work then', () => {
  const { done, link, jobs } = worker();
  link.receive({ runJobs: true });
  expect(done).toEqual([]);
  jobs.start();
  expect(done).toEqual(['start']);
});
