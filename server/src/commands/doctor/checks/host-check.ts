import { findHostProblems } from '../../../domain/sites/host-disputes.ts';
import type { Queries } from '../../../storage/database.ts';
import { type Check, warn } from './check.ts';

/** Whether every host belongs to one site alone, and none to the dashboard as well. */
export async function checkHosts(db: Queries, publicUrl: string): Promise<Check[]> {
  const problems = await findHostProblems(db, publicUrl);
  return problems.map(({ kind, problem, advice, ...site }) => ({ ...warn(kind, problem, advice), ...site }));
}
