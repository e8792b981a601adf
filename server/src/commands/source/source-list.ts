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
  const hint = 'The site has no source yet. Create one: ./gatehouse source create <name> --kind <kind>';
  print(options.json, sources, sources.length === 0 ? hint : tableOf(sources));
}

export function tableOf(sources: readonly Source[]): string {
  return table(
    ['NAME', 'KIND', 'STATE', 'INTERVAL', 'COLLECTIONS', 'HOST', 'ID'],
    sources.map(({ name, kind, enabled, intervalMinutes, collections, host, id }) => [
      name,
      kind,
      kind === 'program' ? null : enabled ? 'on' : 'off',
      kind === 'program' ? null : `${intervalMinutes} min`,
      collections.length,
      host,
      id,
    ]),
  );
}
