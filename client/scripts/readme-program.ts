import { readFileSync } from 'node:fs';

/** The examples of the README as one program, which finds the service by GATEHOUSE_URL. */
export function readmeProgram(): string {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const examples = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, code]) => code!);
  return examples
    .join('\n')
    .replaceAll("'https://gatehouse.example.com'", 'process.env.GATEHOUSE_URL!')
    .replaceAll("'https://gatehouse.example.com/api/v1'", '`$' + '{process.env.GATEHOUSE_URL}/api/v1`');
}
