import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { type Recording, recordStatements } from '../../test/contract/recorded-statements.ts';
import { hour } from '../../test/movable-time.ts';
import { anOperator, operatorTenantOf } from '../../test/operator.ts';
import { purgeExpired } from '../../test/purge.ts';
import { forEachStore } from '../../test/stores.ts';
import { useTestServer } from '../../test/use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store, { settings: {} });

  async function statementsOf(clock: () => Date): Promise<{ alone: string[]; transactions: Recording }> {
    const recording: Recording = [];
    await purgeExpired(recordStatements(server.database, recording), clock);
    const isRead = ([first, ...more]: Recording[number]) =>
      first !== undefined && more.length === 0 && /^\s*SELECT /.test(first.text);
    return {
      alone: recording.filter(isRead).map(([{ text } = { text: '' }]) => text),
      transactions: recording.filter((statements) => !isRead(statements)),
    };
  }

  test('a sweep that finds nothing only reads', async () => {
    await anOperator(server, (await server.createSite()).siteId);
    const { alone, transactions } = await statementsOf(() => new Date('2026-01-05T08:00:00Z'));
    expect(transactions).toEqual([]);
    expect(alone.filter((text) => text.includes('operator_tokens'))).toHaveLength(1);
  });

  test('the expired tokens of operators are deleted in one transaction of the operator tenant, for all sites', async () => {
    const tenant = await operatorTenantOf(server);
    for (let count = 0; count < 3; count += 1) {
      const { siteId } = await server.createSite();
      await (await anOperator(server, siteId)).browser.token(siteId);
    }
    const { transactions } = await statementsOf(() => new Date(Date.now() + hour));
    const deleting = transactions.filter((statements) =>
      statements.some(({ text }) => text.includes('DELETE FROM operator_tokens')),
    );
    expect(deleting).toHaveLength(1);
    expect(deleting[0]!.map(({ values }) => values[0])).toEqual([tenant.id]);
    expect(await server.database.all(sql`SELECT hash FROM operator_tokens`)).toEqual([]);
  });
});
