import { type Static, Type } from 'typebox';
import {
  count,
  enumeration,
  maxRawValueLength,
  noNull,
  nullable,
  openEnumeration,
  rawText,
  request,
  shape,
  text,
} from '../shared/schemas.ts';

/** What a word in the column of states means for someone in a list. */
export const statusMeanings = ['active', 'blocked', 'leftOut'] as const;
export type StatusMeaning = (typeof statusMeanings)[number];

/** Which of the first two numbers of a date such as `03/04/2026` is the day. */
export const dateOrders = ['dayFirst', 'monthFirst'] as const;

const columnKey = (description: string, example: string) => rawText(description, example);
const optionalColumn = (description: string, example: string) =>
  Type.Optional(nullable(columnKey(description, example)));
const columnList = (description: string, example: string) =>
  Type.Optional(Type.Array(columnKey('A column.', example), { maxItems: 100, description }));

const StatusWord = request('StatusWord', {
  word: text('The word, in upper or lower case; `*` stands for all others.', 'Former', {
    maxLength: maxRawValueLength,
    pattern: noNull,
  }),
  meaning: enumeration(
    statusMeanings,
    'People who are `blocked` or `leftOut` are not in the collection.',
    'leftOut',
  ),
});

/** Fields for lists at a URL, which are synchronized while nobody can be asked about them. */
const listColumns = {
  firstName: optionalColumn('The column with first names; null if there is none.', 'First name'),
  groupsEndAt: optionalColumn(
    'The column with the end of the membership, or one for each of the groups, separated by `;`. People who no ' +
      'longer have a group are not in the collection. A date without a time is the last day, in the time zone of the ' +
      'site. Null if there is none.',
    'Valid until',
  ),
  furtherGroups: columnList('Further columns with the names of groups.', 'Labels'),
  groupColumns: columnList(
    'Columns that are named after a group and whose marks, such as `x`, `yes` and `1`, say who belongs to it.',
    'Board',
  ),
  groupSeparator: Type.Optional(
    nullable(
      text(
        'What separates the names of groups in a cell; empty if each cell is one name. If null or left out, the list ' +
          'and the groups of the source decide; rows whose groups are still not clear are skipped as `unclear_groups`.',
        ',',
        { maxLength: 10, pattern: noNull },
      ),
    ),
  ),
  status: optionalColumn(
    'The column with the state of people in another system. Only those who are `active` are in the collection. Null if ' +
      'there is none.',
    'State',
  ),
  statusWords: Type.Optional(
    Type.Array(StatusWord, {
      maxItems: 100,
      description:
        'What the words in the column `status` mean, besides `active` and `blocked`. Rows with another word are ' +
        'skipped as `invalid_status`.',
    }),
  ),
  dateOrder: Type.Optional(
    nullable(
      enumeration(
        dateOrders,
        'Which of the first two numbers of a date such as `03/04/2026` is the day. If null or left out, the other dates ' +
          'of the list decide; rows whose date is still not clear are skipped as `unclear_date`.',
        'dayFirst',
      ),
    ),
  ),
  export: Type.Optional(
    nullable(
      rawText(
        'The system whose export the list is, as in the preview: its words for states and payment, its dates and its ' +
          'separators are used. Null if the list is none.',
        'ghost',
      ),
    ),
  ),
  exportColumns: columnList(
    'Further columns of the export that say who is active and until when, as in the preview. While one of them is ' +
      'missing, the collection is not synchronized. If left out, these are the columns that every such export has.',
    'suspended_till',
  ),
};

export const CollectionColumns = request(
  'CollectionColumns',
  {
    email: columnKey('The column with the email addresses.', 'Email'),
    displayName: optionalColumn(
      'The column with the names; null if names stay as they are in Gatehouse.',
      'Name',
    ),
    lastName: optionalColumn(
      'The column with last names, which are added to the names unless these have them; null if there is none.',
      'Surname',
    ),
    paid: optionalColumn('The column that says who is paying; null if `paid` stays as it is.', 'Status'),
    paidValues: Type.Optional(
      Type.Array(columnKey('A value.', 'Member'), {
        maxItems: 100,
        description:
          'The values of the column `paid` that mean that somebody is paying, in upper or lower case. If left out or ' +
          'empty, these are a ticked box and the words for yes, such as `yes`, `true`, `1` and `x`.',
      }),
    ),
    groups: optionalColumn(
      'The column with the names of groups, each a scope group of the source; null if the collection is one group.',
      'Teams',
    ),
    ...listColumns,
  },
  {
    description:
      'Which columns of a collection are used, by their keys. Those after `groups` are for the type `list` only.',
  },
);
export type CollectionColumns = Static<typeof CollectionColumns>;

const keys = (description: string, example: string) =>
  Type.Array(Type.String({ examples: [example] }), { description });

export const CollectionQuestion = shape(
  'CollectionQuestion',
  'Something that is not clear from the list, and that `columns` of the collection can say. Until then, the rows that ' +
    'depend on it are skipped, and their people stay as they are.',
  {
    type: openEnumeration(
      ['column', 'dateOrder', 'groupSeparator', 'statusWords', 'groups'] as const,
      'What is not clear. `column`: which one of `columns` contains the field in `field`. `dateOrder`: whether the dates ' +
        'in `examples` begin with the day or the month. `groupSeparator`: which one of `separators` stands between the ' +
        'names of groups in `examples`. `statusWords`: what each of `words` means. `groups`: whether `columns` contain ' +
        'names of groups, and whether each of `markColumns` is named after a group; until that is said, these columns ' +
        'are not used.',
      'groupSeparator',
    ),
    field: nullable(text('The field that the type `column` is about; null for other types.', 'lastName')),
    columns: keys('The keys of the columns that the question is about.', 'Labels'),
    markColumns: keys('The keys of columns that may be named after a group.', 'Board'),
    separators: keys('What may separate the names of groups in a cell.', ','),
    examples: keys('Cells of the list.', 'Rowing, Board'),
    words: Type.Array(
      Type.Object(
        {
          word: text('The word, as it is in the list.', 'Former'),
          rows: count('The number of rows with this word.', 3),
          suggestion: openEnumeration(statusMeanings, 'What the word probably means.', 'leftOut'),
        },
        { title: 'OpenStatusWord' },
      ),
      { description: 'Words for states that have no meaning yet.' },
    ),
  },
);
export type CollectionQuestion = Static<typeof CollectionQuestion>;
