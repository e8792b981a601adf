import { readFileSync } from 'node:fs';
import path from 'node:path';
import { configurations, type ProxyProgram } from './proxies.ts';

/** The configuration of a guide with the lines of its section "Preflights". */
export function withPreflights({ name }: ProxyProgram, configuration: string): string {
  const changed = name === 'nginx' ? changeNginx(configuration) : changeCaddy(configuration);
  if (changed.split('preflights=without-body').length !== 2) throw new Error('The lines do not fit.');
  return changed;
}

function changeNginx(configuration: string): string {
  const [map = '', server = '', line = ''] = linesOf('nginx.md');
  return configuration
    .replace(
      '\nserver {\n    listen 80 default_server;',
      () => `\n${map}\nserver {\n    listen 80 default_server;`,
    )
    .replace('    # A static site.', () => `${server}\n    # A static site.`)
    .replace('proxy_pass http://gatehouse/_gatehouse/auth?method=$request_method;', () => line);
}

function changeCaddy(configuration: string): string {
  const [before = '', line = ''] = linesOf('caddy.md');
  return configuration
    .replace('\t\tforward_auth', () => `${before}\n\t\tforward_auth`)
    .replace('uri /_gatehouse/forward-auth', () => line);
}

function linesOf(guide: string): string[] {
  const [, section = ''] = readFileSync(path.join(configurations, '..', guide), 'utf8').split(
    '## Preflights\n',
  );
  return [...section.split('\n## ')[0]!.matchAll(/```\w+\n(.*?)```/gs)].map(([, block = '']) => block.trim());
}
