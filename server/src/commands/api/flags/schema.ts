/** The parts of a JSON Schema of the contract that the command line reads. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export function typesOf({ type = [] }: Schema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

/** The first sentence of a description, as plain text. */
export function firstSentence(description = ''): string {
  const [sentence = ''] = /^.*?(?:\.(?=\s)|$)/s.exec(description) ?? [];
  return lowered(sentence.replaceAll('`', '').replace(/\.$/, ''));
}

/** As the descriptions of the other commands begin; a name such as `API` or `IP` stays. */
export function lowered(text: string): string {
  return /^[A-Z](?![A-Z])/.test(text) ? `${text[0]!.toLowerCase()}${text.slice(1)}` : text;
}
