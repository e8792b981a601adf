import { beforeAll, expect, test } from 'vitest';
import { systemContext } from '../../src/base/change-context.ts';
import { emailComposer } from '../../src/pages/emails/email-composer.ts';
import { type Call, callerHasLeft } from '../../src/runtime/call.ts';
import { OperationRunner } from '../../src/runtime/operation-runner.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { aMember } from '../contract/given.ts';
import { testOperationSettings } from '../operation-settings.ts';
import { forEachStoreVersion, stopInTheEnd } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';

forEachStoreVersion((store) => {
  const server = useTestServer(store);
  // On SQLite a search that has not begun is dropped by `SearchThreads`.
  const onPostgres = test.runIf(store.dialect === 'postgres');
  let site: TestSite;
  let statements = 0;
  let runner: OperationRunner;

  beforeAll(async () => {
    site = await server.createSite();
    await aMember(site);
    const database = openDatabase(server.databaseUrl, { onStatement: () => (statements += 1) });
    runner = new OperationRunner(database, testOperationSettings, emailComposer);
    stopInTheEnd(async () => {
      await runner.close();
      await database.close();
    });
  });

  /** A search that takes two statements: for the members with a value in the sort field, and for the others. */
  function search(isAwaited: () => boolean) {
    statements = 0;
    const call: Call = {
      operationId: 'listMembers',
      changes: false,
      siteId: site.siteId,
      changeContext: systemContext(new Date().toISOString()),
      permissions: ['members:read'],
      params: {},
      query: { q: 'zz', sort: 'email', order: 'asc', limit: 10 },
      body: undefined,
      target: '/members',
      ifMatch: undefined,
      idempotency: undefined,
    };
    return runner.run(call, isAwaited);
  }

  onPostgres('a search ends with the statement during which its caller leaves', async () => {
    expect(await search(() => true)).toMatchObject({ kind: 'success' });
    expect(statements).toBe(2);
    expect(await search(() => statements === 0)).toEqual(callerHasLeft);
    expect(statements).toBe(1);
    expect(await search(() => false)).toEqual(callerHasLeft);
    expect(statements).toBe(0);
  });
});
