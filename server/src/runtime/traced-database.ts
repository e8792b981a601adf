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
    // The store may run the work later, in the course of another request.
    transaction: (work, workFacts) =>
      inSpan(tracing, facts, () => database.transaction(AsyncResource.bind(work), workFacts)),
  };
}
