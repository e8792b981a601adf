import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Decision, WaitingDecisions } from './waiting-decisions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A decision that notes what happens to it. */
function aDecision(...ids: string[]) {
  const response = Promise.withResolvers<void>();
  const happened: string[] = [];
  const decision: Decision = {
    ids,
    send: () => {
      happened.push('sent');
      return response.promise;
    },
    onEnd: () => happened.push('ended'),
  };
  return { decision, happened, respond: response.resolve };
}

test('a decision is sent after ten seconds, and its requests stay hidden until the response', async () => {
  const waiting = new WaitingDecisions();
  const { decision, happened, respond } = aDecision('ada', 'grace');
  waiting.add(decision);
  vi.advanceTimersByTime(9_999);
  expect([happened, [...waiting.ids]]).toEqual([[], ['ada', 'grace']]);
  vi.advanceTimersByTime(1);
  expect([happened, waiting.ids.size]).toEqual([['ended', 'sent'], 2]);
  waiting.undo(decision);
  expect(waiting.ids.size).toBe(2);
  respond();
  await vi.waitFor(() => expect(waiting.ids.size).toBe(0));
});

test('a decision that is undone is never sent, and the others are', async () => {
  const waiting = new WaitingDecisions();
  const first = aDecision('ada');
  const second = aDecision('grace');
  waiting.add(first.decision);
  waiting.add(second.decision);
  waiting.undo(first.decision);
  expect([...waiting.ids]).toEqual(['grace']);
  vi.advanceTimersByTime(60_000);
  expect([first.happened, second.happened]).toEqual([['ended'], ['ended', 'sent']]);
});

test('a decision waits while its notification is used, and has its ten seconds again afterwards', () => {
  const waiting = new WaitingDecisions();
  const { decision, happened } = aDecision('ada');
  waiting.add(decision);
  waiting.hold(decision, true);
  vi.advanceTimersByTime(60_000);
  expect(happened).toEqual([]);
  waiting.hold(decision, false);
  vi.advanceTimersByTime(10_000);
  expect(happened).toEqual(['ended', 'sent']);
});

test('leaving the page sends everything at once, and only once', () => {
  const waiting = new WaitingDecisions();
  const decisions = [aDecision('ada'), aDecision('grace')];
  for (const { decision } of decisions) waiting.add(decision);
  waiting.hold(decisions[0]!.decision, true);
  waiting.flush();
  waiting.flush();
  vi.advanceTimersByTime(60_000);
  for (const { happened } of decisions) expect(happened).toEqual(['ended', 'sent']);
});
