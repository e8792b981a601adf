import { type CommandName, phrases } from './phrases.ts';

/** What an operator has typed to have something done. */
export interface TypedCommand {
  readonly name: CommandName;
  /** The name or email address of a member, or the beginning of it; undefined if nobody is named. */
  readonly who: string | undefined;
  /** The path of a page, also if its URL was typed. */
  readonly path: string | undefined;
  /** The name of an access group, or the beginning of it. */
  readonly group: string | undefined;
}

/** `unblock` before `block`, which is a part of it in some languages. */
const order: readonly CommandName[] = ['unblock', 'block', 'test', 'add'];

const patterns = order.flatMap((name) =>
  Object.values(phrases).flatMap((language) =>
    language[name].map((phrase) => ({ name, pattern: toPattern(phrase) })),
  ),
);

/** Reads `block ada`, `test /course as ada` or `add ada to crew`, in any language. Undefined for other texts. */
export function parseCommand(typed: string): TypedCommand | undefined {
  const text = typed.normalize('NFC').trim().replace(/\s+/g, ' ');
  for (const { name, pattern } of patterns) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return { name, who: groups.who, path: pathOf(groups.path), group: groups.group };
  }
  return undefined;
}

/** The placeholders of a phrase become groups of the same name. */
function toPattern(phrase: string): RegExp {
  const source = phrase
    .replace('{who}', '(?<who>\\S.*?)')
    .replace('{group}', '(?<group>\\S.*?)')
    .replace('{path}', '(?<path>(?:https?:/)?/\\S*?)');
  return new RegExp(`^${source}\\??$`, 'iu');
}

function pathOf(typed: string | undefined): string | undefined {
  return typed && URL.canParse(typed) ? new URL(typed).pathname : typed;
}
