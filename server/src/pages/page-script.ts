import { hash } from 'node:crypto';

/** A small script of a page. */
export interface PageScript {
  readonly name: string;
  readonly text: string;
  /** Changes with the text, so that browsers can cache the script for a day. */
  readonly version: string;
  /** Whether it runs before the page is painted. */
  readonly isFirst: boolean;
}

export function pageScript(name: string, text: string, { isFirst = false } = {}): PageScript {
  return { name, text, version: hash('sha256', text, 'hex').slice(0, 8), isFirst };
}
