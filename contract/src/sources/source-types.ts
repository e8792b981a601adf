// This file needs no schema, so that the dashboard can import it alone.

/** What has to be known of a type of source wherever sources are offered, connected or read. */
export interface SourceTypeFacts {
  /** What a source of this type is, in the middle of a sentence. */
  readonly description: string;
  /** The field of the API in which operators enter how the source is reached; null if a program uploads its lists. */
  readonly connectionField: 'token' | 'address' | null;
  /**
   * The key of the only collection of a list, which has the name of the source and is read like an import; null if there
   * may be many collections.
   */
  readonly onlyCollection: string | null;
  /** Whether the workspace can report changes to a webhook. */
  readonly reportsChanges: boolean;
}

/** The types of sources, in the order in which they are offered. */
export const sourceTypes = {
  notion: {
    description: 'the databases of a Notion workspace',
    connectionField: 'token',
    onlyCollection: null,
    reportsChanges: true,
  },
  list: {
    description: 'a CSV or TSV file at a URL',
    connectionField: 'address',
    onlyCollection: 'list',
    reportsChanges: false,
  },
  program: {
    description: 'a program uploads the lists',
    connectionField: null,
    onlyCollection: null,
    reportsChanges: false,
  },
} as const satisfies Readonly<Record<string, SourceTypeFacts>>;

export type SourceType = keyof typeof sourceTypes;

/** A type that Gatehouse reads itself. */
export type ConnectedType = {
  [Type in SourceType]: (typeof sourceTypes)[Type]['connectionField'] extends null ? never : Type;
}[SourceType];

export const sourceTypeNames = Object.keys(sourceTypes) as SourceType[];

/** The facts of a type; undefined for one of a newer version. */
export function factsOfType(type: string): SourceTypeFacts | undefined {
  return Object.hasOwn(sourceTypes, type) ? sourceTypes[type as SourceType] : undefined;
}

/** Whether sources of this type are lists: one collection, with the columns of an import. */
export function isList(type: string): boolean {
  return (factsOfType(type)?.onlyCollection ?? null) !== null;
}

/** Whether Gatehouse reads sources of this type itself. */
export function isConnected(type: string): type is ConnectedType {
  return (factsOfType(type)?.connectionField ?? null) !== null;
}
