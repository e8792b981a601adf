import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from '../../server/test/free-port.ts';
import { allPathTricks } from '../../server/test/gate/path-tricks.ts';
import { requestsWithKey } from '../parts/http.ts';
import { startMariaDb } from '../parts/mariadb.ts';
import { type Outcome, promise } from '../parts/outcome.ts';
import { createSite, startService } from '../parts/service.ts';
import { startWordPress } from '../parts/wordpress.ts';
import type { World } from '../parts/world.ts';
import type { Scenario } from './scenario.ts';

const host = 'club.example.org';
const secret = 'only for members of the club';
const greeting = 'for everybody';

const pages = [
  { name: 'members', text: secret },
  { name: 'minutes', parent: 'members', text: secret },
  { name: 'my-course', text: secret },
  { name: 'club-news', isPost: true, text: secret },
  { name: '会員', text: secret },
  { name: 'welcome', isPost: true, text: greeting },
  { name: 'members-2', text: greeting },
  { name: 'membership', text: greeting },
  { name: 'my-courses', text: greeting },
  { name: 'about', text: greeting },
];
const protectedPaths = ['/members', '/my-course', '/club-news', '/会員'];
const publicPaths = ['/members-2/', '/membership/', '/my-courses/', '/welcome/', '/about/', '/about/?a=b'];

/** Ways to write the name of a page that WordPress may find. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `${name}-`,
  (name) => `-${name}`,
  (name) => `--${name}--`,
  (name) => `${name}!`,
  (name) => `@${name}`,
  (name) => `${name.slice(0, 2)}'${name.slice(2)}`,
  (name) => `${name.slice(0, 2)}!${name.slice(2)}`,
  (name) => `${name.slice(0, 2)},${name.slice(2)}`,
  (name) => `${name.slice(0, 2)}(${name.slice(2)})`,
  (name) => `${name.slice(0, 2)}%24${name.slice(2)}`,
  (name) => name.replace('-', '--'),
  (name) => name.replace('-', '%20'),
  (name) => name.replace('-', '+'),
  (name) => name.replace('-', '.'),
  (name) => name.replace('-', '-!'),
  (name) => name.replace('-', '-%40'),
  (name) => name.replace('-', '.-.'),
  (name) => name.replace('-', '%20%20'),
  (name) => `${name}.`,
  (name) => `.${name}`,
  (name) => `${name}.-`,
  (name) => name.toUpperCase(),
  (name) => name.replace('e', '%C3%A9'),
  (name) => name.replace('e', 'e%CC%81'),
  (name) => name.replace('s', '%C5%BF'),
  (name) => name.replace('m', '%EF%BD%8D'),
  (name) => `${name}%25`,
  (name) => name.replace('e', '---65---'),
  (name) => name.replace('会', '---e4------bc------9a---'),
  (name) => `${name.slice(0, 2)}+${name.slice(2)}`,
  (name) => `${name}${'-'.repeat(200 - name.length)}x`,
  (name) => `${name}${'!'.repeat(200 - name.length)}x`,
  (name) => `${name}${'.'.repeat(200 - name.length)}x`,
];

/** WordPress behind `serve --upstream`, with pages for members on a public site. */
export const wordpress: Scenario = {
  title: 'WordPress looks pages up by names that differ from those of the access rules',
  programs: ['mariadb', 'php', 'phpMysql', 'wordpress'],
  maxMinutes: 5,
  run: async (world) => [await run(world)],
};

async function run(world: World): Promise<Outcome> {
  const home = `http://${host}`;
  const { address } = await startWordPress(world, await startMariaDb(world), home, pages);
  const databaseUrl = `sqlite:${world.folder}/gatehouse.db`;
  const permissions = 'site:write,login-links:write';
  const site = await createSite(world, 'club', { databaseUrl }, ['--permissions', permissions]);
  const sitePort = await freePort();
  const settings = {
    GATEHOUSE_SITE: site.slug,
    GATEHOUSE_SITE_PORT: sitePort,
    GATEHOUSE_SITE_UPSTREAM: address,
  };
  const service = await startService(world, 'gatehouse', { databaseUrl, settings });
  const api = requestsWithKey(() => service.address, site.key);
  const change = async (method: string, path: string, body: object) => {
    const response = await api(method, path, { body });
    if (response.status !== 200) throw new Error(`${method} ${path} was refused: ${response.text}`);
  };
  const setRules = (...rules: object[]) => change('PUT', '/access-rules', { rules });
  await change('PATCH', '/site', { domain: host, scheme: 'http' });
  const targets = [...requested(), ...allPathTricks.map(({ target }) => target)];
  const everything = { path: '/', access: 'public' };

  await setRules(everything);
  const reached = await shownBy(sitePort, targets);
  world.say(
    `without rules, WordPress shows a page for members at ${reached.length} of ${targets.length} paths:`,
  );
  for (const target of reached) world.say(target.slice(0, 60));
  await setRules(everything, ...protectedPaths.map((path) => ({ path, access: 'members' })));
  const shown = await shownBy(sitePort, targets);
  const served: string[] = [];
  for (const path of publicPaths) {
    if ((await get(sitePort, path)).includes(greeting)) served.push(path);
  }
  return {
    what: 'other names of pages',
    tried: `${targets.length} paths with GET and POST`,
    disturbed: '-',
    lost: '-',
    promises: [
      promise('WordPress itself finds the pages at other paths', reached.length >= 26, reached.length),
      promise('none of them shows a page for members', shown.length === 0, shown.join(' ') || 0),
      promise(
        'pages whose names are similar are served',
        served.length === publicPaths.length,
        served.join(' '),
      ),
    ],
  };
}

/** Every protected page in every spelling, with and without a slash, and a page below it. */
function requested(): string[] {
  return protectedPaths.flatMap((path) =>
    spellings.flatMap((spell) => {
      const name = spell(path.slice(1)).replace(/[^\x20-\x7e]+/g, encodeURIComponent);
      return [`/${name}`, `/${name}/`, `/${name}/minutes/`];
    }),
  );
}

/** The targets that show a page for members to an anonymous visitor. */
async function shownBy(port: number, targets: readonly string[]): Promise<string[]> {
  const shown: string[] = [];
  for (const target of targets) {
    const responses = [await get(port, target), await get(port, target, 'POST')];
    if (responses.some((response) => response.includes(secret))) shown.push(target);
  }
  return shown;
}

/** The body; empty if the target cannot be sent, or no response arrives. */
function get(port: number, target: string, method = 'GET'): Promise<string> {
  return new Promise((resolve) => {
    if (!/^\/[\x21-\x7e]*$/.test(target)) return resolve('');
    const sent = request({ port, method, path: target, headers: { host, 'content-length': 0 } }, (response) =>
      text(response).then(resolve, () => resolve('')),
    );
    sent.on('error', () => resolve(''));
    sent.end();
  });
}
