import { AsyncResource } from 'node:async_hooks';
import { inSpan, type Tracing } from '../base/traces/tracing.ts';
import type { Database } from '../storage/database.ts';

/** A database whose transactions are spans. Without tracing, the database itself. */
export function tracedDatabase(database: Database, tracing: Tracing | undefined): Database {
  if (!tracing) return database;
  const system = database.dialect === 'postgres' ? 'postgresql' : 'sqlite';
  const facts = { name: 'transaction', kind: 'client', attributes: { 'db.system.name': system } } as const;
  return {
    ...database,
    // What shares a commit runs one after the other: each in its own span.
    transaction: (work, requestId) =>
      inSpan(tracing, facts, () => database.transaction(AsyncResource.bind(work), requestId)),
    sharedTransaction: (siteId, work) =>
      inSpan(tracing, facts, () =>
        database.sharedTransaction(siteId, { ...work, run: AsyncResource.bind(work.run) }),
      ),
  };
}
