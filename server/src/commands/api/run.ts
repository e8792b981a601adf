import { createInterface } from 'node:readline/promises';
import type { Operation, OperationId } from '@gatehouse/contract';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { print } from '../shared/output.ts';
import type { Addition } from './addition.ts';
import { everyItem, type Parts, type SiteApi } from './calls/site-api.ts';
import { isExpiry } from './flags/flag-values.ts';
import type { Schema } from './flags/schema.ts';
import { type Given, partsOf } from './input.ts';
import type { Mode } from './mode.ts';
import { noteOn } from './notes.ts';
import { commandOf } from './operation-names.ts';
import { resourceText, tableOf } from './text.ts';

export interface Run {
  readonly operation: Operation;
  readonly addition: Addition;
  readonly given: Given;
  readonly mode: Mode;
  /** The command that creates what a list is empty of. */
  readonly creation?: string | undefined;
}

/** Runs an operation, and prints its result. */
export async function runOperation(run: Run, api: SiteApi): Promise<void> {
  const { operation, given, mode } = run;
  const { options } = given;
  const { limit, ...parts } = withoutLimit(await partsOf(run, api));
  if (operation.method === 'DELETE') await confirm(operation, given, mode);
  const toJson = (options.json && (await mode.toJson?.(parts, api))) || ((result: unknown) => result);
  const printJson = async (result: unknown) => print(true, await toJson(result), '');
  if (isPaged(operation)) return printList(run, api, { ...parts, limit, printJson });
  const interrupted = options.wait ? untilInterrupt() : undefined;
  const body = await api.send(operation.id as OperationId, parts);
  await printResult(run, api, { ...parts, printJson, interrupted }, body);
}

/** A service can begin before it responds, so this is not left for later. */
function untilInterrupt(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
}

function isPaged({ success }: Operation): boolean {
  return 'pagination' in ((success.body as Schema | null)?.properties ?? {});
}

function withoutLimit({ query, ...parts }: Parts): Parts & { readonly limit: number | undefined } {
  const { limit, ...others } = query ?? {};
  if (limit === undefined || (limit as number) >= 1)
    return { ...parts, query: others, limit: limit as number };
  throw new WrongUsage(`--limit is ${limit}. Use a whole number from 1 on.`);
}

/** Only a person at a terminal is asked. @throws {CommandFailure} */
async function confirm({ summary }: Operation, { named, options }: Given, mode: Mode): Promise<void> {
  if (options.yes || mode.isConfirmed || !process.stdin.isTTY || !process.stderr.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${summary}: ${named.join(' ')}? [y/N] `);
  terminal.close();
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new CommandFailure('not_confirmed', 'Nothing was changed. Confirm with y, or use --yes.');
}

interface Printed extends Parts {
  readonly printJson: (result: unknown) => Promise<void>;
}

async function printList(
  run: Run,
  api: SiteApi,
  { limit, printJson, ...parts }: Printed & { readonly limit: number | undefined },
): Promise<void> {
  const { operation, given } = run;
  const { options } = given;
  const items: unknown[] = [];
  for await (const item of everyItem(api, operation.id as OperationId, parts, limit)) {
    if (options.jsonl) process.stdout.write(`${JSON.stringify(item)}\n`);
    else items.push(item);
  }
  if (options.jsonl) return;
  if (options.json) return printJson(items);
  await printItems(run, api, items);
}

async function printItems({ operation, creation, given }: Run, api: SiteApi, items: readonly unknown[]) {
  if (items.length > 0) return print(false, items, tableOf(operation, items, await timeZoneFor(api, items)));
  const isFiltered = [...given.flags.keys()].some(({ property }) => property !== 'limit');
  const noun = commandOf(operation).at(-2)!.replaceAll('-', ' ');
  const create = creation === undefined ? '' : ` Create one: ./gatehouse ${creation}`;
  process.stderr.write(isFiltered ? 'Nothing matches.\n' : `There are no ${noun} yet.${create}\n`);
}

async function printResult(
  run: Run,
  api: SiteApi,
  { printJson, interrupted, ...parts }: Printed & { readonly interrupted: AbortSignal | undefined },
  body: unknown,
): Promise<void> {
  const { operation, addition, given, mode } = run;
  const { options } = given;
  const id = operation.id as OperationId;
  const call = { api, params: parts.params ?? {}, body: parts.body, interrupted, options: { ...options } };
  const summary = summaryOf(body);
  const { data: resource = body } = (body ?? {}) as { data?: unknown };
  const data = addition.after ? await addition.after(resource, call) : resource;
  mode.requires?.(data);
  // Of a bulk operation each item has a result of its own.
  if (summary?.failed) process.exitCode = 1;
  if (options.json) return printJson(summary ? body : (data ?? null));
  const text = await (mode.text ?? addition.text)?.(data, call);
  if (text !== undefined) print(false, data, text);
  else if (body === undefined) print(false, null, operation.success.description);
  else if (Array.isArray(data)) await printItems(run, api, data);
  else print(false, data, resourceText(id, data, await timeZoneFor(api, [data])));
  const note = text === undefined ? await noteOn(id, data, parts, api) : undefined;
  const lines = [summary && summaryText(summary), note, ...api.notes].filter((line) => line !== undefined);
  if (lines.length > 0) print(false, lines, lines.join('\n'));
}

/** The time zone is read only if an end is shown. */
async function timeZoneFor(api: SiteApi, items: readonly unknown[]): Promise<string | undefined> {
  const hasEnd = items.some((item) =>
    Object.entries(item ?? {}).some(([name, value]) => isExpiry(name) && value),
  );
  return hasEnd ? api.findTimeZone() : undefined;
}

interface Bulk {
  readonly summary?: Readonly<Record<string, number>>;
}

function summaryOf(body: unknown): Bulk['summary'] {
  return (body as Bulk | undefined)?.summary;
}

function summaryText(summary: Readonly<Record<string, number>>): string {
  return `${Object.entries(summary)
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
    .join(', ')}.`;
}
