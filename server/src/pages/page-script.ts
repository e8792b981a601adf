import { hash } from 'node:crypto';

/** A small script of a page. */
export interface PageScript {
  readonly name: string;
  readonly text: string;
  /** Changes with the text, so that browsers can cache the script for a day. */
  readonly version: string;
}

export function pageScript(name: string, text: string): PageScript {
  return { name, text, version: hash('sha256', text, 'hex').slice(0, 8) };
}
