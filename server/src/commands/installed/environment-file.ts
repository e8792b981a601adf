/**
 * The variables of a file of the environment that systemd reads (systemd.exec(5)): assignments, comments after `#` or
 * `;`, values in quotes of either kind, and lines that a backslash continues. Later assignments replace earlier ones.
 */
export function parseEnvironmentFile(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const [, name = '', written = ''] of text.matchAll(assignment)) {
    if (/^[A-Za-z_]\w*$/.test(name)) variables.set(name, readValue(written));
  }
  return variables;
}

/** Parts of a value: in single quotes, in double quotes, and without. Only within quotes does a value span lines. */
const singleQuoted = /'[^']*'/.source;
const doubleQuoted = /"(?:[^"\\]|\\[\s\S])*"/.source;
/** Quotes count only where a part of a value begins. */
const unquoted = /(?:[^\s'"\\]|\\[\s\S])(?:[^\r\n\\]|\\[\s\S])*/.source;
const quoted = `(?:${singleQuoted}|${doubleQuoted})`;
const comment = /[#;](?:[^\r\n\\]|\\[\s\S])*/.source;

const assignment = new RegExp(
  `^[ \\t]*(?:${comment}|([^\\s=#;][^=\\r\\n]*?)[ \\t]*=[ \\t]*((?:${quoted}[ \\t]*)*(?:${unquoted})?))`,
  'gm',
);

const parts = new RegExp(`(${singleQuoted})|(${doubleQuoted})|(${unquoted})`, 'g');

function readValue(written: string): string {
  return [...written.matchAll(parts)]
    .map(([, single, double, plain]) => {
      if (single !== undefined) return single.slice(1, -1);
      if (double !== undefined)
        return double.slice(1, -1).replaceAll(/\\(?:\n|(["\\`$]))/g, (_, escaped = '') => escaped);
      return plain!
        .replace(/(?<!\\)[ \t]+$/, '')
        .replaceAll(/\\(?:\n|([\s\S]))/g, (_, escaped = '') => escaped);
    })
    .join('');
}
