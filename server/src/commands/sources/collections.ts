import type { CollectionColumns, CollectionPreview, Source } from '@gatehouse/client';
import type { Command } from 'commander';
import { addCommand } from '../shared/add-command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from '../shared/connection.ts';
import { argument, print, table } from '../shared/output.ts';
import { columnNames, roles } from './columns.ts';
import { describeQuestions } from './list-columns.ts';
import { findCollection, findSource } from './named-source.ts';

export function addCollectionCommands(source: Command): void {
  addConnectionOptions(
    addCommand(source, 'collections <source>', 'list the collections that the workspace shows', [
      'source collections Team',
    ]),
  ).action(collections);

  addConnectionOptions(
    addCommand(
      source,
      'preview <source> [collection]',
      'show the columns and the first ten rows of a collection, by its name or key',
      ['source preview Team Volunteers', 'source preview Members'],
    ),
  )
    .addHelpText('after', '\nThe collection can be left out if there is only one.')
    .action(preview);
}

async function collections(named: string, options: ConnectionOptions): Promise<void> {
  const { gatehouse } = await connect(options);
  const source = await findSource(gatehouse, named);
  const available = await gatehouse.sources.collections.list(source.id);
  const rows = available.collections.map(({ name, chosen, key }) => [name, chosen ? 'yes' : 'no', key]);
  const shown = rows.length === 0 ? noneShown(source) : table(['NAME', 'CHOSEN', 'KEY'], rows);
  const more = '\nThere are more. Use the key of a collection that is not listed.';
  print(options.json, available, available.complete ? shown : shown + more);
}

function noneShown({ type }: Source): string {
  if (type === 'program') return 'No list has been uploaded yet.';
  return 'The workspace shows no collection to Gatehouse. In Notion, open a database and choose ••• → Connections.';
}

async function preview(
  named: string,
  collectionNamed: string | undefined,
  options: ConnectionOptions,
): Promise<void> {
  const { gatehouse } = await connect(options);
  const source = await findSource(gatehouse, named);
  const { key, name } = await findCollection(gatehouse, source, collectionNamed);
  const found = await gatehouse.sources.collections.preview(source.id, key);
  const next =
    found.guess === null
      ? 'No column has email addresses. Add one in the workspace.'
      : `Choose it: ./gatehouse source choose ${argument(source.name)} ${argument(name)}`;
  const open = describeQuestions(found).map((line) => `${line}\n`);
  print(options.json, found, `${columnTable(found)}\n\n${rowTable(found)}\n\n${open.join('')}${next}`);
}

function columnTable({ columns, guess }: CollectionPreview): string {
  return table(
    ['COLUMN', 'TYPE', 'GUESS', 'VALUES', 'KEY'],
    columns.map(({ key, name, type, options }) => [
      name,
      type,
      guess && useOf(guess, key),
      options.length === 0 ? null : shortened(options.join(', ')),
      key,
    ]),
  );
}

/** What a column is used for; null if for nothing. */
function useOf(columns: CollectionColumns, key: string): string | null {
  const uses = roles.filter((role) => columns[role] === key).map((role) => columnNames[role]);
  return uses.length === 0 ? null : uses.join(', ');
}

function rowTable({ columns, rows }: CollectionPreview): string {
  if (rows.length === 0) return 'It has no rows yet.';
  return table(
    columns.map(({ name }) => shortened(name)),
    rows.map((row) => row.map(shortened)),
  );
}

const maxCellLength = 30;

function shortened(text: string): string {
  return text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1)}…` : text;
}
