import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');

/**
 * An address that is neither that of an email nor an IP address, by language. In Spanish the word also means a
 * direction.
 */
const bareAddress: Readonly<Record<string, RegExp>> = {
  en: /(?<!\b(?:email|IP|postal) )\baddress(?:es)?\b/i,
  de: /(?<!E-Mail-|IP-)Adresse/,
  fr: /\badresses?\b(?! e-mail| IP)/i,
  es: /\bdirecci(?:ón|ones)\b(?! de correo| IP| del texto)/i,
  ja: /(?<!メール|IP ?)アドレス/,
};

/** Further words that English texts do not use, because there is another one for the same thing. */
const otherWords = [
  { word: /\bhost ?names?\b/i, instead: 'host' },
  { word: /\bweb ?address/i, instead: 'URL' },
  { word: /marked as paid|who (?:has|have) paid|“paid”/i, instead: 'paying' },
  { word: /\bexternal workspace|\bscope group/i, instead: 'source, group of a source' },
];

/** British spellings; texts use the American ones. */
const british =
  /\b(?:colour|behaviour|favour|honour|neighbour|cancell(?:ed|ing)\b|labell|travell|modell|signall|centre\b|catalogue|licence|grey\b|whilst|learnt|spelt|(?:organ|recogn|normal|synchron|initial|author|serial|custom|summar|minim|optim|util)is(?:e|ed|es|ing|ation)\b)/i;

test('an address in a text is an email address or an IP address', () => {
  const found = Object.entries(bareAddress).flatMap(([language, pattern]) =>
    textsOf(language).filter(({ text }) => pattern.test(text)),
  );
  expect(found).toEqual([]);
});

test('English texts have one word for each thing, in American spelling', () => {
  const patterns = [...otherWords.map(({ word }) => word), british];
  expect(textsOf('en').filter(({ text }) => patterns.some((pattern) => pattern.test(text)))).toEqual([]);
});

test('the descriptions of the API use the same words', () => {
  const descriptions = ['contract/openapi.json', 'contract/dashboard-openapi.json'].flatMap((file) =>
    descriptionsIn(JSON.parse(readFileSync(path.join(root, file), 'utf8'))),
  );
  expect(descriptions.length).toBeGreaterThan(500);
  const patterns = [bareAddress.en!, ...otherWords.slice(0, 3).map(({ word }) => word), british];
  expect(withoutCode(descriptions).filter((text) => patterns.some((pattern) => pattern.test(text)))).toEqual(
    [],
  );
});

test('messages of the service, its command line and its client use the same words', () => {
  const files = trackedFiles().filter(
    (file) => /^(?:server|client)\/src\/.*(?<!\.test)\.ts$/.test(file) && !file.startsWith('client/src/api/'),
  );
  expect(files.length).toBeGreaterThan(300);
  const patterns = [bareAddress.en!, ...otherWords.slice(0, 3).map(({ word }) => word), british];
  const found = files.flatMap((file) =>
    withoutCode(sentencesIn(readFileSync(path.join(root, file), 'utf8'), file))
      .filter((text) => patterns.some((pattern) => pattern.test(text)))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test('guides use the same words', () => {
  const patterns = [bareAddress.en!, ...otherWords.slice(0, 3).map(({ word }) => word), british];
  const found = guides().flatMap((file) => {
    const prose = proseOf(readFileSync(path.join(root, file), 'utf8'));
    return withoutCode(prose)
      .filter((text) => patterns.some((pattern) => pattern.test(text)))
      .map((text) => `${file}: ${text}`);
  });
  expect(found).toEqual([]);
});

test('each of the words is found', () => {
  const wrong = [
    'the address of your site',
    'Open this web address',
    'The host name is wrong',
    'Marked as paid',
  ];
  const patterns = [bareAddress.en!, ...otherWords.map(({ word }) => word), british];
  for (const text of [...wrong, 'The colour of buttons', 'It was cancelled', 'A scope group'])
    expect([text, patterns.some((pattern) => pattern.test(text))]).toEqual([text, true]);
  expect(patterns.some((pattern) => pattern.test('The email address or IP address of a canceled one'))).toBe(
    false,
  );
});

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The texts of the dashboard, of pages and of emails in a language, without their placeholders. */
function textsOf(language: string): NamedText[] {
  const files = trackedFiles().filter(
    (file) =>
      file.startsWith(`dashboard/src/languages/${language}/`) || file === `server/src/i18n/${language}.json`,
  );
  expect(files.length).toBeGreaterThan(10);
  return files.flatMap((file) => {
    const texts = JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, unknown>;
    return Object.entries(texts).map(([key, text]) => ({
      name: `${file} ${key}`,
      text: JSON.stringify(text).replace(/\{\w+\}/g, ''),
    }));
  });
}

function descriptionsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(descriptionsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    (key === 'description' || key === 'summary') && typeof inner === 'string'
      ? [inner]
      : descriptionsIn(inner),
  );
}

/** Without names in backticks and options, which are those of code. */
function withoutCode(texts: readonly string[]): string[] {
  return texts.map((text) => text.replace(/`[^`]*`|--[\w-]+/g, '…'));
}

/** The string literals of a file that consist of words; those with a tag are SQL and HTML. */
function sentencesIn(source: string, file: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    else if (typeof node === 'object' && node !== null) {
      const { type, value, cooked } = node as { type?: string; value?: unknown; cooked?: unknown };
      if (type === 'TaggedTemplateExpression') return;
      const text = type === 'Literal' ? value : cooked;
      if (typeof text === 'string' && /[a-z] [a-z]/i.test(text)) found.push(text);
      for (const inner of Object.values(node)) visit(inner);
    }
  };
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file));
  return found;
}

function guides(): string[] {
  return trackedFiles().filter((file) =>
    /^(README\.md|docs\/((guides|operations)\/.*|[a-z-]+)\.md)$/.test(file),
  );
}

/** The paragraphs of a document, without blocks of code. */
function proseOf(document: string): string[] {
  return document
    .replace(/```.*?```/gs, '')
    .split(/\n{2,}/)
    .filter((paragraph) => !paragraph.startsWith('    '))
    .map((paragraph) => paragraph.replace(/\s*\n\s*/g, ' '));
}

function trackedFiles(): string[] {
  const output = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
  return output.split('\n').filter((file) => file !== '');
}
