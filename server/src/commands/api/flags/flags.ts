import { type Operation, type OperationId, operations } from '@gatehouse/contract';
import { kebab } from '../operation-names.ts';
import { isReference } from '../references.ts';
import { firstSentence, propertiesOf, type Schema, typesOf } from './schema.ts';

export type FlagKind = 'text' | 'number' | 'boolean' | 'time' | 'image' | 'json';

/** One property of the query or the body of an operation, as a flag of its command. */
export interface Flag {
  /** Without dashes. */
  readonly name: string;
  /** The name as it is spelled in the API, if that differs: `member-id` of `member`. */
  readonly longName: string | undefined;
  readonly property: string;
  readonly place: 'query' | 'body';
  readonly kind: FlagKind;
  /** The flag may be given several times. */
  readonly isList: boolean;
  /** `--no-…` sends null. */
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  readonly choices: readonly string[] | undefined;
  readonly description: string;
  /** What the API uses without it. */
  readonly default: string | undefined;
}

/** What every command of an operation has, so that no property can be a flag of this name. */
export const commonFlags = ['json', 'jsonl', 'site', 'url', 'key', 'yes', 'file', 'help'];

/** The flags of an operation, by its ID. */
export function flagsOfId(id: OperationId): Flag[] {
  return flagsOf(operations[id]);
}

/** The flags of an operation: what is required first. */
export function flagsOf({ path, query, body }: Operation): Flag[] {
  const resource = path.split('/')[1]!.replace(/s$/, '');
  const flags = [
    ...flagsIn(query as Schema, 'query', resource),
    ...(body === null ? [] : flagsIn(body as Schema, 'body', resource)),
  ];
  return [...flags.filter((flag) => flag.isRequired), ...flags.filter((flag) => !flag.isRequired)];
}

/** The only resource that a body requires, which is also an argument: `access-groups members add <group> [member]`. */
export function subjectOf(flags: readonly Flag[]): Flag | undefined {
  const [subject, ...others] = flags.filter(
    ({ isRequired, isList, place, property }) =>
      isRequired && !isList && place === 'body' && isReference(property),
  );
  return others.length === 0 ? subject : undefined;
}

function flagsIn(schemaOfPlace: Schema, place: Flag['place'], resource: string): Flag[] {
  const { properties, required } = propertiesOf(schemaOfPlace);
  return Object.entries(properties).map(([property, schema]) => {
    const longName = kebab(property);
    const name = isReference(property) ? longName.replace(/-id(s?)$/, '$1') : longName;
    const types = typesOf(schema);
    const isList = types.includes('array') && kindOf(schema.items ?? {}) !== 'json';
    const single = isList ? schema.items! : schema;
    const choices = single.enum ?? single['x-extensible-enum'];
    return {
      name: commonFlags.includes(name) ? `${resource}-${name}` : name,
      longName: name === longName ? undefined : longName,
      property,
      place,
      kind: kindOf(single),
      isList,
      isNullable: types.includes('null'),
      isRequired: required.includes(property),
      choices: choices?.filter((choice) => typeof choice === 'string'),
      description: descriptionOf(property, schema),
      default: defaultOf(property, schema),
    };
  });
}

function kindOf(schema: Schema): FlagKind {
  const [type = 'json'] = typesOf(schema);
  if (schema.format === 'date-time') return 'time';
  if (schema.pattern?.startsWith('^data:image')) return 'image';
  if (type === 'string') return 'text';
  if (type === 'integer') return 'number';
  return type === 'boolean' ? 'boolean' : 'json';
}

function descriptionOf(property: string, { description }: Schema): string {
  if (property === 'limit') return 'the maximum number of items';
  return description ? firstSentence(description) : `the ${property}`;
}

function defaultOf(property: string, { description, default: value }: Schema): string | undefined {
  // A page is not what a person wants: the command follows all of them.
  if (property === 'limit') return 'all';
  const [, quoted, plain] =
    /\. Defaults to (?:`([\w-]+)`|(\d+|true|false)\b)(?! (?:days|if)\b)/.exec(description ?? '') ?? [];
  const shown = value ?? quoted ?? plain;
  return shown === undefined ? undefined : String(shown);
}
