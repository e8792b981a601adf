import { CommandFailure, WrongUsage } from '../failure.ts';

/** What a file can tell of a person. */
export const personFields = ['email', 'displayName', 'paid', 'status', 'groups'] as const;
export type PersonField = (typeof personFields)[number];

/** The columns of a file of failed rows, and of an export, that are no part of a person. */
export const failureColumns = ['error_line', 'error_code', 'error_message'] as const;
const otherExportColumns = ['id', 'verified', 'groupsEndAt', 'registeredAt', 'lastLoginAt', 'createdAt'];

/** Other names of the fields, as `simplified` writes them. */
const aliases: Readonly<Record<PersonField, readonly string[]>> = {
  email: ['mail', 'emailaddress', 'mailaddress'],
  displayName: ['name', 'fullname', 'membername'],
  paid: ['paying', 'ispaid', 'payingmember', 'payingcustomer'],
  status: ['memberstatus'],
  groups: ['group', 'accessgroup', 'accessgroups'],
};

/** Where in a row each field stands. */
export interface Columns {
  readonly places: Readonly<Partial<Record<PersonField, number>>>;
  /** Columns whose name nobody knows. */
  readonly unknown: readonly string[];
}

export type Mapping = Readonly<Partial<Record<PersonField, string>>>;

/**
 * Finds the columns by their headings: those of the mapping, then the names of the fields, then their aliases.
 * @throws CommandFailure when there is no column of addresses, or several for one field
 */
export function findColumns(headings: readonly string[], mapping: Mapping): Columns {
  const places: Partial<Record<PersonField, number>> = {};
  for (const field of personFields) {
    const place = findPlace(field, headings, mapping, new Set(Object.values(places)));
    if (place !== undefined) places[field] = place;
  }
  if (places.email === undefined) {
    throw new CommandFailure(
      'no_email_column',
      `There is no column of addresses among ${quoted(headings)}. Name it with --map "email=<heading>".`,
    );
  }
  const own = new Set([...failureColumns, ...otherExportColumns].map(simplified));
  const taken = new Set(Object.values(places));
  return {
    places,
    unknown: headings.filter(
      (heading, place) => !taken.has(place) && !own.has(simplified(heading)) && heading !== '',
    ),
  };
}

/** Reads `email=E-mail,displayName=Name`, for the option `--map`. A heading may itself have a comma. */
export function parseMapping(texts: readonly string[]): Mapping {
  const mapping: Partial<Record<PersonField, string>> = {};
  const start = new RegExp(`,(?=\\s*(?:${personFields.join('|')})\\s*=)`, 'i');
  for (const part of texts.flatMap((text) => text.split(start))) {
    const [name = '', ...heading] = part.split('=');
    const field = personFields.find((each) => simplified(each) === simplified(name));
    if (field === undefined || heading.length === 0) {
      throw new WrongUsage(
        `Write --map as field=heading, such as "email=E-mail"; the fields are ${personFields.join(', ')}.`,
      );
    }
    mapping[field] = heading.join('=').trim();
  }
  return mapping;
}

function findPlace(
  field: PersonField,
  headings: readonly string[],
  mapping: Mapping,
  taken: ReadonlySet<number>,
): number | undefined {
  const wanted = mapping[field];
  const mappedElsewhere = new Set(
    Object.entries(mapping).flatMap(([key, heading]) => (key === field ? [] : heading)),
  );
  const withName = (matches: (heading: string) => boolean) =>
    headings.flatMap((heading, place) =>
      matches(heading) && !taken.has(place) && !mappedElsewhere.has(heading.trim()) ? [place] : [],
    );
  if (wanted !== undefined) {
    const exact = withName((heading) => heading.trim() === wanted);
    const found =
      exact.length > 0 ? exact : withName((heading) => simplified(heading) === simplified(wanted));
    if (found.length > 0) return theOnly(found, field, headings);
    throw new CommandFailure(
      'no_such_column',
      `There is no column "${wanted}" among ${quoted(headings)}. Correct --map.`,
    );
  }
  const named = withName((heading) => simplified(heading) === simplified(field));
  if (named.length > 0) return theOnly(named, field, headings);
  return theOnly(
    withName((heading) => aliases[field].includes(simplified(heading))),
    field,
    headings,
  );
}

function theOnly(
  places: readonly number[],
  field: PersonField,
  headings: readonly string[],
): number | undefined {
  if (places.length <= 1) return places[0];
  const found = places.map((place) => headings[place]!);
  throw new CommandFailure(
    'ambiguous_column',
    `Several columns can be ${field}: ${quoted(found)}. Choose one with --map "${field}=<heading>", or rename the others.`,
  );
}

/** `E-Mail`, `e_mail` and `Email` are one heading. */
function simplified(heading: string): string {
  return heading
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\-_.]/g, '');
}

function quoted(headings: readonly string[]): string {
  return headings.map((heading) => `"${heading}"`).join(', ');
}
