/** A setting of the service. Its type, parser, errors, help and row in docs/settings.md follow from this. */
export interface Definition {
  readonly default: unknown;
  /** What the documentation shows instead of the default, in Markdown. */
  readonly shownDefault?: string;
  /** What it is, in one line for the help and the documentation, in Markdown. */
  readonly about: string;
  /** What only the documentation adds, as sentences in Markdown. */
  readonly details?: string;
  /** What the error for an invalid value says after “Use”. */
  readonly expected: string;
  /** Whether the value is a password, a key or a token, or a URL that may contain one. */
  readonly isSecret?: boolean;
  /** Whether it is a URL that contains no secret. An invalid one may contain a password, and is not shown. */
  readonly isUrl?: boolean;
  /** The option of `serve` that replaces it, such as `--port <port>`. */
  readonly option?: string;
  /** Returns undefined for an invalid value. */
  parse(text: string): unknown;
}

export type Definitions = Readonly<Record<`GATEHOUSE_${string}`, Definition>>;
