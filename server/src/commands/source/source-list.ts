import type { Source } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import type { Command } from 'commander';
import { addCommand } from '../shared/add-command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from '../shared/connection.ts';
import { print, table } from '../shared/output.ts';

export function addListCommand(source: Command): void {
  addConnectionOptions(addCommand(source, 'list', 'list the sources of a site', ['source list'])).action(
    list,
  );
}

async function list(options: ConnectionOptions): Promise<void> {
  const { gatehouse } = await connect(options);
  const sources: Source[] = [];
  for await (const each of gatehouse.sources.list({ limit: maxPageSize })) sources.push(each);
  const hint = 'The site has no source yet. Create one: ./gatehouse source create <name> --type <type>';
  print(options.json, sources, sources.length === 0 ? hint : tableOf(sources));
}

export function tableOf(sources: readonly Source[]): string {
  return table(
    ['NAME', 'TYPE', 'STATUS', 'INTERVAL', 'COLLECTIONS', 'HOST', 'ID'],
    sources.map((source) => [
      source.name,
      source.type,
      ...scheduleOf(source),
      source.collections.length,
      source.host,
      source.id,
    ]),
  );
}

/** Whether the source is on, and how often it is synchronized. A program decides both for its own source. */
function scheduleOf({ type, enabled, intervalMinutes }: Source): [string | null, string | null] {
  return type === 'program' ? [null, null] : [enabled ? 'on' : 'off', `${intervalMinutes} min`];
}
