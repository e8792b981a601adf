import type { CollectionColumns, CollectionPreview, Source } from '@gatehouse/contract';
import { sourceFields } from '@gatehouse/member-lists';
import type { Command } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import { onSite } from '../api/calls/on-site.ts';
import type { SiteApi } from '../api/calls/site-api.ts';
import type { Mode } from '../api/mode.ts';
import { resolve } from '../api/references.ts';
import { addCommand, groupOf } from '../shared/add-command.ts';
import { argument, counted, print } from '../shared/output.ts';
import { addWhereOptions, type WhereOptions } from '../shared/where-options.ts';
import { addColumnOptions, type ColumnOptions, columnName, columnsBy } from './columns.ts';
import { findCollection, findNamed } from './named-source.ts';
import { describeQuestions } from './questions.ts';

// Commands for single ones of the collections of a source, which the operation `updateSource` changes together.

export function addCollectionChooseCommand(program: Command, mode: Mode): void {
  const choose = addCommand(
    collectionsOf(program),
    'choose <source> [collection]',
    'let a collection become a scope group, or change its columns',
    [
      'sources collections choose Team Volunteers --email Contact --paid Status --paid-value Member',
      'sources collections choose Members --groups Teams',
    ],
  );
  addWhereOptions(addColumnOptions(choose))
    .addHelpText(
      'after',
      '\nColumns are named by heading or key. The others are as before, or else as guessed: see ./gatehouse sources' +
        '\ncollections preview. The collection can be left out if there is only one.',
    )
    .action((source: string, named: string | undefined, options: ColumnOptions & WhereOptions) =>
      onSite(options, mode, (api) => chooseCollection(api, source, named, options)),
    );
}

export function addCollectionRemoveCommand(program: Command, mode: Mode): void {
  const remove = addCommand(
    collectionsOf(program),
    'remove <source> <collection>',
    'no longer synchronize a collection',
    ['sources collections remove Team Volunteers'],
  );
  addWhereOptions(remove).action((source: string, named: string, options: WhereOptions) =>
    onSite(options, mode, (api) => removeCollection(api, source, named, options)),
  );
}

function collectionsOf(program: Command): Command {
  return groupOf(groupOf(program, 'sources', ''), 'collections', '');
}

async function chooseCollection(
  api: SiteApi,
  named: string,
  collectionNamed: string | undefined,
  options: ColumnOptions & WhereOptions,
): Promise<void> {
  const { source, ifMatch } = await readSource(api, named);
  const { key, name } = await findCollection(api, source.id, collectionNamed);
  const params = { sourceId: source.id, collectionKey: key };
  const { data: preview } = (await api.send('previewSourceCollection', { params })) as {
    data: CollectionPreview;
  };
  const chosen = chosenOf(source);
  const before = chosen.find((each) => each.key === key)?.columns ?? null;
  const columns = columnsBy(preview, before, options);
  const others = chosen.filter((each) => each.key !== key);
  const changed = await update(api, source, ifMatch, [...others, { key, name, columns }]);
  print(options.json, changed, `${describeChoice(name, columns, preview)}\n${nextStep(changed)}`);
}

async function removeCollection(
  api: SiteApi,
  named: string,
  collectionNamed: string,
  { json }: WhereOptions,
): Promise<void> {
  const { source, ifMatch } = await readSource(api, named);
  const removed = findNamed(source.collections, collectionNamed, 'collection');
  if (!removed) {
    throw new CommandFailure(
      'collection_not_found',
      `No collection "${collectionNamed}" of "${source.name}" is chosen. See ./gatehouse sources collections list ` +
        `${argument(source.name)}.`,
    );
  }
  const others = chosenOf(source).filter(({ key }) => key !== removed.key);
  const changed = await update(api, source, ifMatch, others);
  print(
    json,
    changed,
    `"${removed.name}" is no longer synchronized. Its people stay in its group for ${counted(source.graceDays, 'day')}, ` +
      `or until ./gatehouse sources sync ${argument(source.name)} --wait --confirm-removals.`,
  );
}

async function readSource(
  api: SiteApi,
  named: string,
): Promise<{ readonly source: Source; readonly ifMatch: string }> {
  const { body, etag } = await api.read('getSource', {
    params: { sourceId: await resolve(api, 'sourceId', named) },
  });
  return { source: (body as { data: Source }).data, ifMatch: etag };
}

interface ChosenCollection {
  readonly key: string;
  readonly name?: string;
  readonly columns: CollectionColumns;
}

/** The source is changed only if nobody has changed it meanwhile. */
async function update(
  api: SiteApi,
  { id }: Source,
  ifMatch: string,
  collections: readonly ChosenCollection[],
): Promise<Source> {
  const parts = { params: { sourceId: id }, body: { collections }, ifMatch };
  return ((await api.send('updateSource', parts)) as { data: Source }).data;
}

/** A source also has collections that are no longer chosen, until their groups are deleted. */
function chosenOf({ collections }: Source): ChosenCollection[] {
  return collections.flatMap(({ key, columns, chosen }) =>
    columns === null || !chosen ? [] : { key, columns },
  );
}

function describeChoice(name: string, chosen: CollectionColumns, preview: CollectionPreview): string {
  const used = sourceFields.flatMap((role) => {
    const column = preview.columns.find(({ key }) => key === chosen[role]);
    return column ? `  ${columnName(role)}: ${column.name}` : [];
  });
  const values = chosen.paidValues?.map((value) => `"${value}"`).join(', ');
  const paid = values === undefined ? [] : `  paid means: ${values}`;
  const open = describeQuestions(preview, chosen).map((line) => `  ${line}`);
  return [`Chose "${name}" with these columns:`, ...used, ...paid, ...open].join('\n');
}

function nextStep({ name, enabled }: Source): string {
  const named = argument(name);
  if (enabled)
    return `The source is turned on, so a change is synchronized now. See ./gatehouse sources runs list ${named}.`;
  return [
    `See what changes: ./gatehouse sources sync ${named} --wait --dry-run`,
    `Then turn it on: ./gatehouse sources update ${named} --enabled`,
  ].join('\n');
}
