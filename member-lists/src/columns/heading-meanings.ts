import { type Field, fields } from './fields.ts';
import { generalNames, type HeadingNames, headingNames } from './heading-names.ts';
import { headingKey } from './headings.ts';

/** How well a heading matches a field: its own name, a name that only this field has, a similar one, a general one. */
export const matches = ['own', 'exact', 'similar', 'further', 'general'] as const;
export type Match = (typeof matches)[number];

/** Similar headings of something else that belongs to a member as well. */
const further = /2|3|second|zweit|altern|recovery|manager|parent|eltern|notfall|emergency|backup|cc$/;

const ownKeys = Object.fromEntries(fields.map((field) => [field, headingKey(field)]));

/** The fields that a heading could mean. */
export type HeadingMeanings = ReadonlyMap<Field, Match>;

export function meaningsOf(heading: string): HeadingMeanings {
  const found = new Map<Field, Match>();
  const key = headingKey(heading);
  if (key === '') return found;
  for (const field of fields) {
    const match = matchOf(key, field, headingNames[field]);
    if (match) found.set(field, match);
  }
  return found;
}

function matchOf(key: string, field: Field, { exact, similar, general }: HeadingNames): Match | undefined {
  if (key === ownKeys[field]) return 'own';
  if (exact.includes(key)) return 'exact';
  if (general.includes(key)) return 'general';
  if (!similar?.test(key)) return undefined;
  return further.test(key) ? 'further' : 'similar';
}

/** Whether a heading could be that of full names, first and last names alike. */
export function isGeneralName(heading: string): boolean {
  return generalNames.includes(headingKey(heading));
}
