import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { segmentFault } from '@gatehouse/contract/rule-paths';

// `node scripts/collations/read-tables.ts`: writes which characters the collations of databases read as the same, for
// the tests of access rules. It asks MariaDB (Debian: `apt-get install mariadb-server`, without starting it) and, for
// 0900_ai_ci of MySQL, the table of the Unicode Collation Algorithm that Perl contains. Run it as root.

const target = fileURLToPath(new URL('../../server/test/gate/collations.json', import.meta.url));
const collations = ['general_ci', 'unicode_ci', 'unicode_520_ci', 'uca1400_ai_ci'];
const replacement = '\ufffd';

/** What a collation compares for a character: several weights for one that is read as several. */
type Weights = ReadonlyMap<string, readonly string[]>;

const characters = acceptedCharacters();
const tables: Record<string, Record<string, string>> = {};
const server = await startMariaDb();
try {
  for (const collation of collations) tables[collation] = tableOf(server.weightsIn(collation));
} finally {
  await server.stop();
}
tables['0900_ai_ci'] = tableOf(weightsOfPerl());
writeFileSync(target, `${JSON.stringify(shared(tables), undefined, 1).replace(/[^\0-\x7f]/g, escaped)}\n`);

/** The characters that a name may contain, but those of Hangul, whose parts Unicode alone defines. */
function acceptedCharacters(): string[] {
  const accepted: string[] = [];
  for (let code = 0x21; code <= 0x10ffff; code += 1) {
    if ((code >= 0xd800 && code <= 0xdfff) || (code >= 0xac00 && code <= 0xd7a3)) continue;
    const character = String.fromCodePoint(code);
    if (segmentFault(`a${character}a`, true) === undefined) accepted.push(character);
  }
  return accepted;
}

/** The characters that are read as a text, by that text: the empty one for those that are ignored. */
function tableOf(weights: Weights): Record<string, string> {
  const byWeight = new Map<string, string>();
  for (const character of characters) {
    const [weight, ...more] = weights.get(character) ?? [];
    if (weight === undefined || more.length > 0 || weight === 'FFFD') continue;
    const other = byWeight.get(weight);
    if (other === undefined || preferenceOf(character) < preferenceOf(other)) byWeight.set(weight, character);
  }
  const table: Record<string, string> = {};
  for (const character of characters) {
    const own = weights.get(character);
    if (!own) continue;
    const isReplaced = own.join() === 'FFFD';
    // All characters beyond U+FFFF: too many for a table.
    if (isReplaced && character.length > 1) continue;
    const text = isReplaced ? replacement : own.map((weight) => byWeight.get(weight)).join('');
    if (own.some((weight) => weight !== 'FFFD' && !byWeight.has(weight)) || text === character) continue;
    table[text] = (table[text] ?? '') + character;
  }
  return table;
}

/** What several collations have in common is written once, under their names. */
function shared(all: typeof tables): typeof tables {
  const names = new Map<string, string[]>();
  for (const [collation, table] of Object.entries(all)) {
    for (const [text, members] of Object.entries(table)) {
      for (const member of members) {
        const pair = `${text}\n${member}`;
        names.set(pair, [...(names.get(pair) ?? []), collation]);
      }
    }
  }
  const together: typeof tables = {};
  for (const [pair, collations] of names) {
    const [text, member] = pair.split('\n') as [string, string];
    const table = together[collations.join(' ')] ?? {};
    table[text] = (table[text] ?? '') + member;
    together[collations.join(' ')] = table;
  }
  return together;
}

function preferenceOf(character: string): number {
  if (/[a-z]/.test(character)) return 0;
  return /\p{L}/u.test(character) && character === character.normalize('NFKD').toLowerCase() ? 1 : 2;
}

async function startMariaDb() {
  const folder = mkdtempSync(path.join(tmpdir(), 'collations-'));
  const [data, socket] = [path.join(folder, 'data'), path.join(folder, 'socket')];
  execFileSync('chown', ['mysql', folder]);
  const options = ['--no-defaults', '--user=mysql', `--datadir=${data}`];
  execFileSync('mariadb-install-db', [...options, '--auth-root-authentication-method=normal'], {
    stdio: 'ignore',
  });
  const running = spawn('mariadbd', [...options, '--skip-networking', `--socket=${socket}`], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => running.once('exit', resolve));
  const query = (sql: string) =>
    execFileSync('mariadb', ['--no-defaults', `--socket=${socket}`, '-uroot', '-NB', 'mysql', '-e', sql], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
  for (let tries = 0; !isAnswering(() => query('SELECT 1')); tries += 1) {
    if (tries > 50) throw new Error('MariaDB does not start.');
    await sleep(200);
  }
  return {
    weightsIn(collation: string): Weights {
      const character = "CONVERT(UNHEX(LPAD(HEX(seq), 8, '0')) USING utf32)";
      const weight = `HEX(WEIGHT_STRING(${character} COLLATE utf32_${collation}))`;
      const lines = query(
        `SELECT seq, ${weight} FROM seq_33_to_1114111 WHERE seq NOT BETWEEN 55296 AND 57343`,
      );
      const pairs = lines.trimEnd().split('\n');
      return new Map(
        pairs.map((line) => line.split('\t')).map(([code, hex]) => [characterOf(code!), weightsFrom(hex!)]),
      );
    },
    async stop() {
      running.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function isAnswering(attempt: () => string): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

function characterOf(code: string): string {
  return String.fromCodePoint(Number(code));
}

/** Two numbers make one weight where the first one is only the beginning of an implicit weight. */
function weightsFrom(hex: string): string[] {
  return hex.match(/FB.{6}|.{4}/g) ?? [];
}

/** The primary weights of the Default Unicode Collation Element Table. */
function weightsOfPerl(): Weights {
  const [file] = execFileSync('sh', ['-c', 'ls /usr/share/perl/*/Unicode/Collate/allkeys.txt'], {
    encoding: 'utf8',
  }).split('\n');
  const weights = new Map<string, string[]>();
  for (const line of readFileSync(file!, 'utf8').split('\n')) {
    const [, code, elements] = /^([0-9A-F]{4,6})\s*;\s*(.*?)\s*#/.exec(line) ?? [];
    if (code === undefined) continue;
    const primary = [...elements!.matchAll(/\[[.*]([0-9A-F]{4})/g)].map(([, weight]) => weight!);
    weights.set(
      characterOf(`0x${code}`),
      primary.filter((weight) => weight !== '0000'),
    );
  }
  return weights;
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
