import type { CollectionColumns, CollectionPreview, Source } from '@gatehouse/client';
import type { Command } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import { addCommand } from '../shared/add-command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from '../shared/connection.ts';
import { argument, counted, print } from '../shared/output.ts';
import { addColumnOptions, type ColumnOptions, columnNames, columnsBy, roles } from './columns.ts';
import { describeQuestions } from './list-columns.ts';
import { findCollection, findNamed, findSource } from './named-source.ts';

interface ChooseOptions extends ConnectionOptions, ColumnOptions {}

export function addChoiceCommands(source: Command): void {
  const choose = addCommand(
    source,
    'choose <source> [collection]',
    'let a collection become a scope group, or change its columns',
    [
      'source choose Team Volunteers --email Contact --paid Status --paid-value Member',
      'source choose Members --groups Teams',
    ],
  );
  addColumnOptions(addConnectionOptions(choose))
    .addHelpText(
      'after',
      '\nColumns are named by heading or key. The others are as before, or else as guessed: see ./gatehouse source' +
        '\npreview. The collection can be left out if there is only one.',
    )
    .action(chooseCollection);

  addConnectionOptions(
    addCommand(source, 'remove <source> <collection>', 'no longer synchronize a collection', [
      'source remove Team Volunteers',
    ]),
  ).action(removeCollection);
}

async function chooseCollection(
  named: string,
  collectionNamed: string | undefined,
  options: ChooseOptions,
): Promise<void> {
  const { gatehouse } = await connect(options);
  const { id } = await findSource(gatehouse, named);
  const { data: source, response } = await gatehouse.sources.get(id).withResponse();
  const { key, name } = await findCollection(gatehouse, source, collectionNamed);
  const preview = await gatehouse.sources.collections.preview(id, key);
  const chosen = chosenOf(source);
  const before = chosen.find((each) => each.key === key)?.columns ?? null;
  const columns = columnsBy(preview, before, options);
  const others = chosen.filter((each) => each.key !== key);
  const collections = [...others, { key, name, columns }];
  const changed = await gatehouse.sources.update(id, { collections }, { ifMatch: response.etag });
  print(options.json, changed, `${describeChoice(name, columns, preview)}\n${nextStep(changed)}`);
}

async function removeCollection(
  named: string,
  collectionNamed: string,
  options: ConnectionOptions,
): Promise<void> {
  const { gatehouse } = await connect(options);
  const { id } = await findSource(gatehouse, named);
  const { data: source, response } = await gatehouse.sources.get(id).withResponse();
  const removed = findNamed(source.collections, collectionNamed, 'collection');
  if (!removed) {
    throw new CommandFailure(
      'collection_not_found',
      `No collection "${collectionNamed}" of "${source.name}" is chosen. See ./gatehouse source collections ` +
        `${argument(source.name)}.`,
    );
  }
  const collections = chosenOf(source).filter(({ key }) => key !== removed.key);
  const changed = await gatehouse.sources.update(id, { collections }, { ifMatch: response.etag });
  const days = counted(source.graceDays, 'day');
  print(
    options.json,
    changed,
    `"${removed.name}" is no longer synchronized. Its people stay in its group for ${days}, or until ` +
      `./gatehouse source sync ${argument(source.name)} --confirm.`,
  );
}

interface ChosenCollection {
  readonly key: string;
  readonly columns: CollectionColumns;
}

/** A source also has collections that are no longer chosen, until their groups are deleted. */
function chosenOf({ collections }: Source): ChosenCollection[] {
  return collections.flatMap(({ key, columns, chosen }) =>
    columns === null || !chosen ? [] : { key, columns },
  );
}

function describeChoice(name: string, chosen: CollectionColumns, preview: CollectionPreview): string {
  const { columns } = preview;
  const used = roles.flatMap((role) => {
    const column = columns.find(({ key }) => key === chosen[role]);
    return column ? `  ${columnNames[role]}: ${column.name}` : [];
  });
  const values = chosen.paidValues?.map((value) => `"${value}"`).join(', ');
  const paid = values === undefined ? [] : `  paid means: ${values}`;
  const open = describeQuestions(preview, chosen).map((line) => `  ${line}`);
  return [`Chose "${name}" with these columns:`, ...used, ...paid, ...open].join('\n');
}

function nextStep({ name, enabled }: Source): string {
  if (enabled) {
    return `The source is turned on, so a change is synchronized now. See ./gatehouse source runs ${argument(name)}.`;
  }
  return [
    `See what changes: ./gatehouse source sync ${argument(name)} --dry-run`,
    `Then turn it on: ./gatehouse source update ${argument(name)} --enable`,
  ].join('\n');
}
