import type { Definitions } from '../setting-definition.ts';
import { allowedNetworks, host, httpUrl, networks, oneOf, origin, port } from '../setting-values.ts';

export const networkSettings = {
  GATEHOUSE_HOST: {
    option: '--host <host>',
    default: '127.0.0.1',
    about: 'the IP address or host to listen on',
    ...host,
  },
  GATEHOUSE_PORT: {
    option: '--port <port>',
    default: 8080,
    about: 'the port to listen on',
    ...port,
  },
  GATEHOUSE_PUBLIC_URL: {
    default: undefined,
    shownDefault: '`http://localhost:<port>`',
    about: 'the public URL of the API and the dashboard, without a path: they need a host of their own',
    isUrl: true,
    expected:
      'a URL without a path, such as https://gate.example.org: Gatehouse needs a host of its own, because the links of its pages begin at its root',
    parse: origin,
  },
  GATEHOUSE_TRUSTED_PROXIES: {
    default: [],
    about:
      'IP addresses and networks of your proxies, whose headers are trusted and which may use the gate: `10.0.0.0/8,::1`',
    expected: 'IP addresses or networks, separated by commas: 10.0.0.0/8,::1',
    parse: networks,
  },
  GATEHOUSE_GATE_WITHOUT_STORE: {
    default: 'denied' as const,
    about:
      'with `public`, paths with public access stay accessible while the database is unavailable, as far as nothing is known to have changed since they were last visited',
    ...oneOf(['denied', 'public'], 'denied, or public to allow public paths while the store is unavailable'),
  },
  GATEHOUSE_ALLOWED_NETWORKS: {
    default: [],
    about:
      'private networks and IP addresses that Gatehouse may send requests to when somebody enters a URL that leads there, for example of a webhook: `10.0.0.0/8,fd00::1`',
    details: 'All other IP addresses must be public ([why](decisions/0023-outgoing-requests.md))',
    expected:
      'IP addresses, or networks with their first IP address, separated by commas: 10.0.0.0/8,fd00::1',
    parse: allowedNetworks,
  },
  GATEHOUSE_NOTION_URL: {
    default: 'https://api.notion.com',
    about: 'the API of Notion, for networks in which it is reached at another URL',
    isUrl: true,
    expected: 'the URL of the API of Notion, such as https://api.notion.com',
    parse: httpUrl,
  },
} satisfies Definitions;
