import { table } from '../../server/src/commands/shared/output.ts';

/** What one part of a scenario has shown: a line of the table. */
export interface Outcome {
  /** What was done to the service. */
  readonly what: string;
  readonly tried: string;
  readonly disturbed: string;
  readonly lost: string;
  readonly promises: readonly CheckedPromise[];
}

export interface CheckedPromise {
  readonly text: string;
  readonly held: boolean;
  /** What was found, with its figures. */
  readonly found: string;
}

/** @param found what was seen, whether the promise held or not */
export function promise(text: string, held: boolean, found: string | number): CheckedPromise {
  return { text, held, found: String(found).replaceAll(/\s+/g, ' ') };
}

/** Runs a part of a scenario. If it cannot come to its end, this is its outcome, and the other parts continue. */
export async function attempt(what: string, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    const promises = [promise('comes to its end', false, (error as Error).message.trim())];
    return { what, tried: '-', disturbed: '-', lost: '-', promises };
  }
}

export interface ScenarioResult {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
  /** Why the scenario did not come to its end. */
  readonly failure?: string | undefined;
}

export function hasFailed({ outcomes, failure }: ScenarioResult): boolean {
  return failure !== undefined || outcomes.some(({ promises }) => promises.some(({ held }) => !held));
}

/** The results as text: a table of what was tried, disturbed and lost, and under it every promise. */
export function describeResults(results: readonly ScenarioResult[]): string {
  const rows = results.flatMap(({ name, outcomes, failure }) => [
    ...outcomes.map(({ what, tried, disturbed, lost }) => [name, what, tried, disturbed, lost]),
    ...(failure === undefined ? [] : [[name, 'did not end', '-', '-', '-']]),
  ]);
  const promises = results.flatMap(({ name, outcomes, failure }) => [
    ...outcomes.flatMap(({ what, promises }) =>
      promises.map(({ text, held, found }) => [held ? 'held' : 'BROKEN', name, `${what}: ${text}`, found]),
    ),
    ...(failure === undefined ? [] : [['BROKEN', name, 'comes to its end', failure.split('\n', 1)[0]!]]),
  ]);
  return [
    table(['Scenario', 'What happened', 'Tried', 'Disturbed', 'Lost'], rows),
    table(['Result', 'Scenario', 'Promise', 'Found'], promises),
  ].join('\n\n');
}
