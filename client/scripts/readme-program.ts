import { readFileSync } from 'node:fs';

/** The examples of the README as one program, which finds the service by GATEHOUSE_URL. */
export function readmeProgram(): string {
  return examples()
    .filter(({ file }) => file === '')
    .map(({ code }) => code)
    .join('\n')
    .replaceAll("'https://gatehouse.example.com'", 'process.env.GATEHOUSE_URL!')
    .replaceAll("'https://gatehouse.example.com/api/v1'", '`$' + '{process.env.GATEHOUSE_URL}/api/v1`');
}

/** The examples of the README that stand for themselves, by the name of their file. */
export function readmeFiles(): Map<string, string> {
  const files = examples().filter(({ file }) => file !== '');
  return new Map(files.map(({ file, code }) => [file, code]));
}

/** The blocks to paste that the README begins with: building, installing by the path, and by a packed file. */
export function readmeInstallation(): string[] {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  return Array.from(readme.matchAll(/^```sh\n((?:.*\n)*?)^```$/gm), ([, code]) => code!);
}

function examples(): { file: string; code: string }[] {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const found = readme.matchAll(/^```ts ?(.*)\n((?:.*\n)*?)^```$/gm);
  return Array.from(found, ([, file, code]) => ({ file: file!, code: code! }));
}
