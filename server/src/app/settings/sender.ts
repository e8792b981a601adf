import { normalizeEmail } from '@gatehouse/contract/email-address';

/** Who sends emails. */
export interface Sender {
  readonly address: string;
  /** What mail programs show instead of the title of the site; undefined for that title. */
  readonly name: string | undefined;
}

const maxNameLength = 200;

/**
 * Reads an address, also with a name: `Club <office@example.org>` (RFC 5322, section 3.4). Quotation marks around all of
 * it are ignored, because `docker --env-file` and Compose pass on those that a shell removes. Undefined if it is not one
 * sender.
 */
export function parseSender(text: string): Sender | undefined {
  const [, , quoted] = /^(["'])(.*)\1$/s.exec(text.trim()) ?? [];
  return parseMailbox(text.trim()) ?? (quoted === undefined ? undefined : parseMailbox(quoted.trim()));
}

function parseMailbox(text: string): Sender | undefined {
  const [, quoted, plain, addressInBrackets] =
    /^(?:"((?:[^"\\]|\\.)*)"|([^"<>@]*))\s*<([^<>]*)>$/.exec(text) ?? [];
  const address = normalizeEmail(addressInBrackets ?? text);
  const name = (quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '').trim();
  if (address === null || name.length > maxNameLength || /\p{Cc}/u.test(name)) return undefined;
  return { address, name: name || undefined };
}
