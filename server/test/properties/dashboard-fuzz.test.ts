import { type DashboardOperation, dashboardOperations } from '@gatehouse/contract/dashboard';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectDashboardAnswer } from '../contract/answers.ts';
import {
  aSiteOwner,
  dashboardPath,
  everyDashboardOperation,
  readyDashboardRequest,
} from '../contract/dashboard-requests.ts';
import { effort } from '../effort.ts';
import { forEachStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';
import { bodyOf, requestFor } from './near-requests.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  test.each(everyDashboardOperation)('%s responds to any request, and as the contract says', async (id) => {
    const operation: DashboardOperation = dashboardOperations[id];
    const makeReady = async () => readyDashboardRequest(id, await aSiteOwner(server));
    let ready = await makeReady();
    await fc.assert(
      fc.asyncProperty(requestFor(operation), async ({ ids, query, fields, whole }) => {
        const [path] = (ids ? dashboardPath(id, ids) : ready.path).split('?');
        const body = operation.body === null ? undefined : bodyOf(ready.body, fields, whole);
        const target = `${path}?${new URLSearchParams(query)}`;
        const answer = await ready.browser.request(operation.method, target, body);
        expect(answer.status, answer.text).toBeLessThan(500);
        expectDashboardAnswer(id, answer, answer.status, answer.body?.error?.code);
        // The prepared data is used up once a request had the operation's shape.
        const isUsed = operation.method !== 'GET' && answer.body?.error?.details === undefined;
        if (isUsed) ready = await makeReady();
      }),
      { numRuns: Math.ceil(effort.fuzzedRequests / 3) },
    );
  });
});
