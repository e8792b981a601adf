import { readFileSync } from 'node:fs';
import path from 'node:path';

const guides = path.resolve(import.meta.dirname, '../docs/guides/configurations');

/** Parts of a guide's configuration, and what examples/compose has in their place. */
type Parts = readonly (readonly [part: string | RegExp, replacement: string])[];

/** How a proxy reads a variable of the environment. */
type Variable = (name: string) => string;

/**
 * The configurations of the proxies in examples/compose, by their paths there: those of the guides, with the names of the
 * containers, the hosts of `.env`, and a program as the whole site.
 */
export function composeConfigurations(): Record<string, string> {
  const caddy: Variable = (name) => `{$${name}}`;
  const nginx: Variable = (name) => `\${${name}}`;
  const traefik: Variable = (name) => `{{ env "${name}" }}`;
  const caddyfile = changed('Caddyfile', caddy, [
    [' /app/*', ''],
    [/\n\t\t# Files are only read[\s\S]*?\t\tfile_server\n/, ''],
  ]);
  const nginxSite = changed('nginx.conf', nginx, [
    ...http2OfNewerVersions,
    ['    root /srv/club;\n', ''],
    [/ {4}# A static site\.\n {4}location \/ \{\n[\s\S]*?\n {4}\}\n\n/, ''],
    ['location /app/ {', 'location / {'],
  ]);
  const nginxDashboard = changed('dashboard-nginx.conf', nginx, [
    ...http2OfNewerVersions,
    // The upstream of the site has this name.
    ['http://gatehouse:8080', 'http://gatehouse'],
  ]);
  return {
    'caddy/Caddyfile': `${heading('caddy')}${caddyfile}\n${changed('dashboard.Caddyfile', caddy)}`,
    'nginx/site.conf.template': heading('nginx') + nginxSite,
    'nginx/dashboard.conf.template': heading('dashboard') + nginxDashboard,
    'traefik/site.yml': heading('traefik') + changed('traefik-dynamic.yml', traefik),
    'traefik/dashboard.yml': heading('dashboard') + changed('dashboard-traefik.yml', traefik),
  };
}

function heading(guide: string): string {
  return `# As in docs/guides/${guide}.md, with the names of the containers and the hosts of .env.\n\n`;
}

/** Since nginx 1.25.1, the word behind `listen` causes a warning. */
const http2OfNewerVersions: Parts = [
  ['    listen 443 ssl http2;\n', '    listen 443 ssl;\n'],
  ['    listen [::]:443 ssl http2;\n', '    listen [::]:443 ssl;\n    http2 on;\n'],
];

/** A configuration of the guides without its first line, which names a file. A part that it lacks is an error. */
function changed(name: string, variable: Variable, parts: Parts = []): string {
  const configuration = readFileSync(path.join(guides, name), 'utf8')
    .replace(/^#.*\n\n/, '')
    .replaceAll('club.example.org', variable('SITE_HOST'))
    .replaceAll('gate.example.org', variable('DASHBOARD_HOST'))
    .replaceAll('127.0.0.1:8080', 'gatehouse:8080')
    .replaceAll('127.0.0.1:3000', 'whoami:3000');
  return parts.reduce((text, [part, replacement]) => {
    const result = text.replace(part, () => replacement);
    if (result === text) throw new Error(`${name} has no ${part}`);
    return result;
  }, configuration);
}
