import type { AvailableCollections, CollectionPreview } from '@gatehouse/contract';
import { sourceFields } from '@gatehouse/member-lists';
import type { Addition, Calls } from '../api/addition.ts';
import { argument, table } from '../shared/output.ts';
import { columnName } from './columns.ts';
import { findSource } from './named-source.ts';
import { describeQuestions } from './questions.ts';

export const collectionList: Addition = {
  text: async ({ collections, complete }: AvailableCollections, { api, params }) => {
    if (collections.length === 0) return noneShown((await findSource(api, params.sourceId!)).type);
    const rows = collections.map(({ name, chosen, key }) => [name, chosen ? 'yes' : 'no', key]);
    const more = complete ? '' : '\nThere are more. Use the key of a collection that is not listed.';
    return table(['NAME', 'CHOSEN', 'KEY'], rows) + more;
  },
};

function noneShown(type: string): string {
  if (type === 'program') return 'No list has been uploaded yet.';
  return 'The workspace shows no collection to Gatehouse. In Notion, open a database and choose ••• → Connections.';
}

export const collectionPreview: Addition = { isLastOptional: true, text: previewText };

async function previewText(preview: CollectionPreview, { api, params }: Calls): Promise<string> {
  const { name } = await findSource(api, params.sourceId!);
  const collection = argument(params.collectionKey!);
  const next =
    preview.guess === null
      ? 'No column has email addresses. Add one in the workspace.'
      : `Choose it: ./gatehouse sources collections choose ${argument(name)} ${collection}`;
  return [columnTable(preview), '', rowTable(preview), '', ...describeQuestions(preview), next].join('\n');
}

function columnTable({ columns, guess }: CollectionPreview): string {
  const useOf = (wanted: string) =>
    sourceFields
      .filter((role) => guess?.[role] === wanted)
      .map(columnName)
      .join(', ') || null;
  return table(
    ['COLUMN', 'TYPE', 'GUESS', 'VALUES', 'KEY'],
    columns.map(({ key, name, type, options }) => [
      name,
      type,
      useOf(key),
      options.length === 0 ? null : shortened(options.join(', ')),
      key,
    ]),
  );
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
