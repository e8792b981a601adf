import { afterAll, beforeAll, expect, test } from 'vitest';
import { testOperationSettings } from '../../test/operation-settings.ts';
import { anOperator, operatorTenantOf } from '../../test/operator.ts';
import { forOneStore } from '../../test/stores.ts';
import { useTestServer } from '../../test/use-server.ts';
import { systemContext } from '../base/change-context.ts';
import { emailComposer } from '../pages/emails/email-composer.ts';
import type { Database, WorkFacts } from '../storage/database.ts';
import { OperationRunner } from './operation-runner.ts';

forOneStore((store) => {
  const server = useTestServer(store);
  let facts: (WorkFacts | undefined)[] = [];
  let runner: OperationRunner;

  beforeAll(() => {
    const watched: Database = {
      ...server.database,
      transaction: (work, of) => {
        facts.push(of);
        return server.database.transaction(work, of);
      },
    };
    runner = new OperationRunner(watched, testOperationSettings, emailComposer);
  });
  afterAll(() => runner.close());

  // A shared commit keeps the feed of the tenant locked, and others lock the feeds of two sites in the order of their ids.
  test('the token of an operator, which changes the tenant and a site, shares no commit with the work of others', async () => {
    const { siteId } = await server.createSite();
    const { browser } = await anOperator(server, siteId);
    const tenant = await operatorTenantOf(server);
    const sessionToken = browser.cookies.get('gatehouse_operator')!;
    facts = [];
    const response = await runner.run({
      action: 'createOperatorToken',
      siteId: tenant.id,
      changeContext: systemContext(new Date().toISOString()),
      input: { sessionToken, siteId },
    });
    expect(response.kind).toBe('success');
    expect(facts.map((of) => of?.shortOnSite)).toEqual([undefined]);
  });
});
