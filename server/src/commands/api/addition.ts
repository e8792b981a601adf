import type { Command } from 'commander';
import type { AnyShape, SiteApi } from './calls/site-api.ts';

/** A call that a command is about to make, or has made. */
export interface Calls {
  readonly api: SiteApi;
  readonly params: Readonly<Record<string, string>>;
  /** The body, once it has been sent. */
  readonly body?: unknown;
  /** Aborted by Ctrl-C, from before the call on, if the command waits with `--wait`. */
  readonly interrupted?: AbortSignal | undefined;
  /** All options of the command. */
  readonly options: Readonly<Record<string, AnyShape>>;
}

/** What a command has beside its operation: options that are easier to write than JSON, waiting, and text. */
export interface Addition {
  /** Properties whose flags its options replace. */
  readonly replaces?: readonly string[];
  /** The last path parameter can be left out. */
  readonly isLastOptional?: true;
  /** The end of its example in the help, if that of the schema is hard to write. */
  readonly example?: string;
  readonly addOptions?: (command: Command) => void;
  /** The fields of the body that the options set. @param fields those that other options have set */
  readonly fieldsOf?: (call: Calls, fields: AnyShape) => Promise<object>;
  /** Whether its options replace all flags that are required. */
  readonly isWhole?: (options: Calls['options']) => boolean;
  /** What has to be done first. */
  readonly before?: (call: Calls) => Promise<void>;
  /** What is waited for, which is printed instead of the result. */
  readonly after?: (resource: AnyShape, call: Calls) => Promise<unknown>;
  /** The text in place of a line for each property; undefined for those. */
  readonly text?: (resource: AnyShape, call: Calls) => Promise<string | undefined>;
}
