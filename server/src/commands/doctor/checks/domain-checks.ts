import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { AccessRule, Site } from '@gatehouse/contract';
import type { ServiceState } from '../../../app/service-state.ts';
import { findMembersPath } from '../../../domain/access-rules/members-path.ts';
import { isThisMachine, originOf } from '../../../domain/sites/site.ts';
import {
  proofHeader,
  responseProof,
  type SeenRequest,
  selfCheckAuthorization,
  selfCheckPath,
} from '../../../http/health/self-check.ts';
import { type Check, fail, ok, reasonOf, warn, within } from './check.ts';
import { checkPublicPages } from './public-pages-check.ts';

const timeoutMilliseconds = 5_000;
const minDaysLeft = 14;
/** The number of characters read from a response; the service's own response is much shorter. */
const maxResponseLength = 100_000;
const dayMilliseconds = 86_400_000;
/**
 * An address for documentation (RFC 5737) and a host that cannot exist (RFC 2606): neither belongs to a real machine.
 */
const forged = { address: '192.0.2.1', host: 'forged.invalid' };

/**
 * Checks everything between a visitor and a site: name, certificate, proxy and gate. Each check has its own time
 * limit.
 */
export async function checkDomain(
  site: Site,
  rules: readonly AccessRule[],
  service: ServiceState | undefined,
): Promise<Check[]> {
  const { hosts } = site;
  const primary = await checksOf(site, rules, service);
  const others = hosts.slice(1).map(async ({ domain, scheme, redirect }) => {
    const checks = await checksOf({ ...site, domain, scheme }, redirect ? undefined : rules, service);
    return checks.map((check) => ({ ...check, message: `${domain}: ${check.message}` }));
  });
  const checks = [...primary, ...(await Promise.all(others)).flat()];
  return checks.map((check) => ({ ...check, site: site.slug }));
}

/** @param rules undefined for a host that is redirected */
async function checksOf(
  site: Site,
  rules: readonly AccessRule[] | undefined,
  service: ServiceState | undefined,
): Promise<Check[]> {
  const origin = originOf(site);
  if (origin === null) {
    return [
      warn('domain', 'no domain is set', `Set one: ./gatehouse site update ${site.slug} --domain <domain>`),
    ];
  }
  const { hostname } = new URL(origin);
  try {
    await within(timeoutMilliseconds, lookup(hostname.replace(/^\[|\]$/g, '')));
  } catch (error) {
    const advice = 'Correct the DNS record, or the domain of the site.';
    return [fail('domain', `${hostname} does not resolve: ${reasonOf(error)}`, advice)];
  }
  const certificate = origin.startsWith('https:') ? await checkCertificate(new URL(origin)) : undefined;
  const first = certificate === undefined ? [] : [certificate];
  if (certificate?.status === 'failed') {
    return [
      ...first,
      warn('proxy', 'not checked', 'Fix the certificate first. The gate was not checked either.'),
    ];
  }
  const { checks, isProxied } = await checkWay(site, origin, service);
  const gate = isProxied && rules ? [await checkGate(origin, rules, site.domain)] : [];
  const pages = isProxied && rules ? await checkPublicPages(origin, rules, site.domain) : [];
  return [...first, ...checks, ...gate, ...pages];
}

async function checkCertificate(url: URL): Promise<Check> {
  let socket: TLSSocket | undefined;
  try {
    const { certificate, problem } = await within(
      timeoutMilliseconds,
      new Promise<{ certificate: PeerCertificate; problem: string | undefined }>((resolve, reject) => {
        const host = url.hostname.replace(/^\[|\]$/g, '');
        const names = isIP(host) === 0 ? { servername: host } : {};
        const port = Number(url.port || 443);
        // An invalid certificate must be inspected too: nothing is sent over this connection.
        socket = connect({ host, port, ...names, rejectUnauthorized: false }, () =>
          resolve({
            certificate: socket!.getPeerCertificate(),
            problem: socket!.authorized ? undefined : String(socket!.authorizationError),
          }),
        );
        socket.on('error', reject);
      }),
    );
    return describeCertificate(certificate, problem);
  } catch (error) {
    return fail(
      'certificate',
      `no secure connection to ${url.host}: ${reasonOf(error)}`,
      'Check that the proxy is running and has a certificate for this name.',
    );
  } finally {
    socket?.destroy();
  }
}

function describeCertificate({ valid_to }: PeerCertificate, problem: string | undefined): Check {
  const days = Math.floor((Date.parse(valid_to) - Date.now()) / dayMilliseconds);
  const renew = 'Renew it, and find out why it was not renewed automatically.';
  if (days < 0) return fail('certificate', `expired on ${valid_to}`, renew);
  if (problem !== undefined) {
    const advice =
      'Use a certificate for this name from an authority that browsers trust, with its intermediate certificates.';
    return fail('certificate', `browsers reject it: ${problem}`, advice);
  }
  const found = `valid for this name, ${days} days left`;
  return days < minDaysLeft ? warn('certificate', found, renew) : ok('certificate', found);
}

/** Checks whether the domain points to this service, and whether the proxy in between forwards the right headers. */
async function checkWay(
  { domain, slug }: Site,
  origin: string,
  service: ServiceState | undefined,
): Promise<{ checks: Check[]; isProxied: boolean }> {
  let response: Response;
  let text: string;
  const nonce = randomBytes(16).toString('base64url');
  try {
    const headers = {
      ...(service && { authorization: selfCheckAuthorization(service.selfCheckToken, nonce) }),
      'x-forwarded-for': forged.address,
      'x-forwarded-host': forged.host,
    };
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    response = await fetch(origin + selfCheckPath, { headers, redirect: 'manual', signal });
    text = await response.text().then((all) => all.slice(0, maxResponseLength));
  } catch (error) {
    const advice = 'Check that the proxy or the service is running and listens there.';
    return {
      checks: [fail('domain', `no answer at ${origin}: ${reasonOf(error)}`, advice)],
      isProxied: false,
    };
  }
  if (service === undefined) {
    const answers = ok('domain', `${origin} responds (status ${response.status})`);
    const advice = 'Start the service with ./gatehouse serve, and run doctor again on the same machine.';
    return {
      checks: [answers, warn('proxy', 'not checked, because no service is running here', advice)],
      isProxied: true,
    };
  }
  const isFromService =
    response.headers.get(proofHeader) === responseProof(service.selfCheckToken, nonce, text);
  if (response.status !== 200 || !isFromService) {
    const advice =
      'Make the proxy forward /_gatehouse/ to this service, as in the guides. If the domain points to another machine, ' +
      'run doctor there.';
    const found = `${origin} responds (status ${response.status}), but the response is not from this service`;
    return { checks: [fail('domain', found, advice)], isProxied: true };
  }
  const seen = JSON.parse(text) as SeenRequest;
  const port = isThisMachine(domain!) ? new URL(service.address).port : undefined;
  return describeWay(seen, { domain: domain!, slug, origin }, port === new URL(origin).port);
}

interface Destination {
  readonly domain: string;
  readonly slug: string;
  readonly origin: string;
}

/** @param isOwn whether the domain is the address of the service on this machine */
function describeWay(
  seen: SeenRequest,
  { domain, slug, origin }: Destination,
  isOwn: boolean,
): { checks: Check[]; isProxied: boolean } {
  const reached = ok('domain', `${origin} points to this service`);
  if (seen.isBuiltIn) {
    return {
      checks: [reached, ok('proxy', 'not needed: Gatehouse serves the site itself')],
      isProxied: true,
    };
  }
  if (isOwn) {
    return { checks: [reached, ok('proxy', 'none: the service itself responds here')], isProxied: false };
  }
  // The forged headers arrived unchanged: there is no proxy, or it does not set these headers.
  const isUntouched = seen.forwardedFor === forged.address && seen.forwardedHost === forged.host;
  if (isUntouched && !seen.isTrusted) {
    const advice =
      'Set up a proxy in front of the site as described in docs/guides: without one its pages are not protected.';
    return {
      checks: [reached, warn('proxy', `requests come from ${seen.peer}, without a proxy`, advice)],
      isProxied: false,
    };
  }
  return { checks: [reached, describeProxy(seen, domain, slug)], isProxied: true };
}

function describeProxy(
  { peer, isTrusted, host, ipAddress, site }: SeenRequest,
  domain: string,
  slug: string,
): Check {
  const guides = 'See the configuration in docs/guides.';
  if (!isTrusted) {
    return fail(
      'proxy',
      `its IP address ${peer} is not in GATEHOUSE_TRUSTED_PROXIES: the gate denies all visitors`,
      'Add the IP address, and restart the service.',
    );
  }
  if (host === forged.host) {
    return fail(
      'proxy',
      'it forwards an X-Forwarded-Host that a visitor can forge',
      `Make it set this header. ${guides}`,
    );
  }
  if (site !== slug) {
    return fail(
      'proxy',
      `it forwards the host ${host} instead of ${domain}`,
      `Make it send ${domain}. ${guides}`,
    );
  }
  if (ipAddress === forged.address) {
    return fail(
      'proxy',
      'it forwards an X-Forwarded-For that a visitor can forge to bypass rate limits',
      `Make it set this header to the IP address of the client. ${guides}`,
    );
  }
  return ok(
    'proxy',
    `${peer} is trusted, and forwards the host and the IP address of the client, ${ipAddress}`,
  );
}

/** Requests a page that is not public, as an anonymous visitor. */
async function checkGate(
  origin: string,
  rules: readonly AccessRule[],
  domain: string | null,
): Promise<Check> {
  const path = findMembersPath(rules, domain, Date.now());
  if (path === undefined) return ok('gate', 'no page requires a login from everywhere');
  let target = new URL(encodeURI(path), origin);
  try {
    // Some servers first append a slash to the name of a folder.
    for (let follows = 0; ; follows += 1) {
      const response = await fetch(target, {
        headers: { accept: 'text/html' },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      await response.body?.cancel();
      const location = response.headers.get('location');
      const next = location === null ? undefined : new URL(location, target);
      if (next?.origin === origin && !next.pathname.startsWith('/_gatehouse/') && follows === 0) {
        target = next;
        continue;
      }
      return describeGate(path, response.status, next);
    }
  } catch (error) {
    return fail('gate', `no answer for ${path}: ${reasonOf(error)}`, 'Check the log of the proxy.');
  }
}

function describeGate(path: string, status: number, next: URL | undefined): Check {
  if (next?.pathname === '/_gatehouse/login')
    return ok('gate', `${path} redirects an anonymous visitor to the login page`);
  if (status === 401) return ok('gate', `${path} is denied for an anonymous visitor (status 401)`);
  if (status === 403) {
    return warn(
      'gate',
      `${path} is denied for all visitors (status 403), without a redirect to the login page`,
      'A folder without an index page or a proxy that is not trusted can cause this. Open the page in a browser.',
    );
  }
  if (status >= 500) {
    return warn(
      'gate',
      `${path} is unavailable (status ${status})`,
      'Check the log of the proxy: it cannot reach the gate, or sends it a wrong request.',
    );
  }
  return fail(
    'gate',
    `${path} is not public, but an anonymous visitor has access (status ${status})`,
    'The proxy does not send requests for it to the gate. See the configuration in docs/guides.',
  );
}
