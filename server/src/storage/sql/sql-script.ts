/** The parts of a script in which a semicolon or two hyphens have another meaning, and everything between them. */
const tokens =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|(?<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<tag>\$\w*\$)[\s\S]*?\k<tag>)|(?<end>;)|[^;'"$\-/]+|[\s\S]/g;

/** The statements of an SQL script of PostgreSQL, without comments, each on one line. */
export function statementsOf(script: string): string[] {
  const statements = [''];
  for (const { 0: text, groups } of script.matchAll(tokens)) {
    if (groups?.end) statements.push('');
    else if (groups?.comment) statements.push(`${statements.pop()} `);
    else statements.push(statements.pop() + (groups?.quoted ? text : flat(text)));
  }
  return statements.map((statement) => statement.trim().replaceAll(/ {2,}/g, ' ')).filter(Boolean);
}

/** Splits a list at the commas that are not in brackets or quotes. */
export function splitAtCommas(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[\s\S]/g)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth === 0) parts.push('');
    else parts.push(parts.pop() + token);
  }
  return parts.map((part) => part.trim());
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
