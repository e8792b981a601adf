import { readFileSync } from 'node:fs';

/** The examples of the README as one program, which reads the URL of the service from GATEHOUSE_URL. */
export function readmeProgram(): string {
  return examples()
    .filter(({ file }) => file === '')
    .map(({ code }) => code)
    .join('\n')
    .replaceAll("'https://gatehouse.example.com'", 'process.env.GATEHOUSE_URL!')
    .replaceAll("'https://gatehouse.example.com/api/v1'", '`$' + '{process.env.GATEHOUSE_URL}/api/v1`');
}

/** The standalone examples of the README, by file name. */
export function readmeFiles(): Map<string, string> {
  const files = examples().filter(({ file }) => file !== '');
  return new Map(files.map(({ file, code }) => [file, code]));
}

/** The first shell blocks of the README: building, installing by path, and installing a packed file. */
export function readmeInstallation(): string[] {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  return Array.from(readme.matchAll(/^```sh\n((?:.*\n)*?)^```$/gm), ([, code]) => code!);
}

function examples(): { file: string; code: string }[] {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const found = readme.matchAll(/^```ts ?(.*)\n((?:.*\n)*?)^```$/gm);
  return Array.from(found, ([, file, code]) => ({ file: file!, code: code! }));
}
