import type { SharedWork, Transaction } from './database.ts';

/** The work as that of a transaction which is not shared. */
export function inOwnTransaction<Result, Rest>({
  run,
  finish,
}: SharedWork<Result, Rest>): (transaction: Transaction) => Promise<Result> {
  return async (transaction) => {
    const { result, rest } = await run(transaction);
    await finish(transaction, rest);
    return result;
  };
}
