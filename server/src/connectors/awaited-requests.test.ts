import { expect, test } from 'vitest';
import { movableTime } from '../../test/movable-time.ts';
import { workspaceTooSlow } from '../domain/sources/workspaces/workspaces.ts';
import { AwaitedRequests } from './awaited-requests.ts';

test('a caller gets a response after 12 seconds, and work that has not ended is still counted', async () => {
  const time = movableTime();
  const requests = new AwaitedRequests(
    { activity: 'looking into a workspace', tooSlow: workspaceTooSlow },
    time.timers,
  );
  const { promise: thread, resolve: end } = Promise.withResolvers<string>();
  const slow = ['one', 'other'].map(() => requests.use('site', () => thread));
  time.advance(12_000);
  const tooSlow = {
    code: 'workspace_unavailable',
    message: expect.stringContaining('did not respond in time'),
  };
  for (const each of slow) await expect(each).rejects.toMatchObject(tooSlow);
  await expect(requests.use('site', async () => 'more')).rejects.toMatchObject({ code: 'rate_limited' });
  end('late');
  await thread;
  expect(await requests.use('site', async () => 'more')).toBe('more');
  expect(time.countTimers()).toBe(0);
});
