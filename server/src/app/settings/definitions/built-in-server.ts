import type { Definitions } from '../setting-definition.ts';
import { folder, host, numberParser, origin, port, wholeNumber } from '../setting-values.ts';

export const builtInServerSettings = {
  GATEHOUSE_SITE_FOLDER: {
    option: '--folder <folder>',
    default: undefined,
    about: 'also serve the pages in this folder, behind the gate',
    details: 'Either this or a program ([guide](guides/built-in-server.md))',
    ...folder,
  },
  GATEHOUSE_SITE_UPSTREAM: {
    option: '--upstream <url>',
    default: undefined,
    about: 'also pass requests on to the program at this URL, behind the gate',
    isUrl: true,
    expected: 'the URL of a program, without a path, such as http://127.0.0.1:3000',
    parse: origin,
  },
  GATEHOUSE_SITE: {
    option: '--site <slug>',
    default: undefined,
    shownDefault: 'the only site',
    about: 'the slug of the site of these pages, if there are several',
    expected: 'the slug of a site',
    parse: (text: string) => text.trim() || undefined,
  },
  GATEHOUSE_SITE_HOST: {
    option: '--site-host <host>',
    default: '127.0.0.1',
    about: 'the IP address or host to listen on for the site',
    ...host,
  },
  GATEHOUSE_SITE_PORT: {
    option: '--site-port <port>',
    default: 8081,
    about: 'the port to listen on for the site',
    ...port,
  },
  GATEHOUSE_SITE_UPSTREAM_TIMEOUT_SECONDS: {
    default: 60,
    about: 'the maximum time without a byte from the program; then the visitor gets an error page (504)',
    ...wholeNumber(1, 3_600, 'seconds'),
  },
  GATEHOUSE_SITE_CONNECTIONS_PER_ADDRESS: {
    default: 500,
    about:
      'how many requests and WebSockets one IP address may have open at this site, in each process; further ones get an error page (429); 0 for no limit',
    details: 'Behind a trusted proxy, the IP address that the proxy names counts',
    expected: 'a whole number from 0 (no limit) to 100000',
    parse: numberParser(0, 100_000),
  },
} satisfies Definitions;
