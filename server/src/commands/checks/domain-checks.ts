import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { AccessRule, Site } from '@gatehouse/contract';
import {
  answerProof,
  proofHeader,
  type SeenRequest,
  selfCheckAuthorization,
  selfCheckPath,
} from '../../http/self-check.ts';
import { isThisMachine, originOf } from '../../sites/site.ts';
import type { ServiceState } from '../service-state.ts';
import { type Check, fail, ok, reasonOf, warn, within } from './check.ts';

const timeoutMilliseconds = 5_000;
const fewDays = 14;
/** Characters of an answer that are read; that of the service is far shorter. */
const maxAnswerLength = 100_000;
const dayMilliseconds = 86_400_000;
/** An address for documentation (RFC 5737), and a host that cannot exist (RFC 2606): nobody has them. */
const forged = { address: '192.0.2.1', host: 'forged.invalid' };

/** Everything on the way from a visitor to a site: name, certificate, proxy and gate. Each of them has its bound in time. */
export async function checkDomain(
  site: Site,
  rules: readonly AccessRule[],
  service: ServiceState | undefined,
): Promise<Check[]> {
  const checks = await checksOf(site, rules, service);
  return checks.map((check) => ({ ...check, site: site.slug }));
}

async function checksOf(
  site: Site,
  rules: readonly AccessRule[],
  service: ServiceState | undefined,
): Promise<Check[]> {
  const origin = originOf(site);
  if (origin === null) {
    return [
      warn(
        'domain',
        'it has no domain',
        `Set one: ./gatehouse site update ${site.slug} --domain <host name>`,
      ),
    ];
  }
  const { hostname } = new URL(origin);
  try {
    await within(timeoutMilliseconds, lookup(hostname.replace(/^\[|\]$/g, '')));
  } catch (error) {
    const advice = 'Correct the DNS record of the domain, or the domain of the site.';
    return [fail('domain', `${hostname} leads to no address: ${reasonOf(error)}`, advice)];
  }
  const certificate = origin.startsWith('https:') ? await checkCertificate(new URL(origin)) : undefined;
  const first = certificate === undefined ? [] : [certificate];
  if (certificate?.state === 'failed') {
    return [
      ...first,
      warn('proxy', 'not checked', 'Repair the certificate first; the gate was not checked either.'),
    ];
  }
  const { checks, isProxied } = await checkWay(site, origin, service);
  return [...first, ...checks, ...(isProxied ? [await checkGate(origin, rules)] : [])];
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
        // What is wrong with it is the question: nothing is sent over this connection.
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
      'Look whether the proxy runs, and has a certificate for this name.',
    );
  } finally {
    socket?.destroy();
  }
}

function describeCertificate({ valid_to }: PeerCertificate, problem: string | undefined): Check {
  const days = Math.floor((Date.parse(valid_to) - Date.now()) / dayMilliseconds);
  const renew = 'Renew it, and look why it was not renewed by itself.';
  if (days < 0) return fail('certificate', `expired on ${valid_to}`, renew);
  if (problem !== undefined) {
    const advice =
      'Use one for this name from an authority that browsers trust, with its intermediate certificates.';
    return fail('certificate', `browsers refuse it: ${problem}`, advice);
  }
  const found = `valid for this name, ${days} days left`;
  return days < fewDays ? warn('certificate', found, renew) : ok('certificate', found);
}

/** Whether the domain leads to this service, and whether the proxy between them passes on what it should. */
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
    text = await response.text().then((all) => all.slice(0, maxAnswerLength));
  } catch (error) {
    const advice = 'Look whether the proxy or the service runs and listens there.';
    return {
      checks: [fail('domain', `no answer at ${origin}: ${reasonOf(error)}`, advice)],
      isProxied: false,
    };
  }
  if (service === undefined) {
    const answers = ok('domain', `${origin} answers (status ${response.status})`);
    const advice = 'Start the service with ./gatehouse serve, and run doctor again beside it.';
    return {
      checks: [answers, warn('proxy', 'not checked, as no service runs here', advice)],
      isProxied: true,
    };
  }
  const isFromService =
    response.headers.get(proofHeader) === answerProof(service.selfCheckToken, nonce, text);
  if (response.status !== 200 || !isFromService) {
    const advice =
      'Have the proxy pass /_gatehouse/ on to this service, as in the guides. If the domain leads to another machine, ' +
      'run doctor there.';
    const found = `${origin} answers (status ${response.status}), but not from this service`;
    return { checks: [fail('domain', found, advice)], isProxied: true };
  }
  const seen = JSON.parse(text) as SeenRequest;
  const reached = ok('domain', `${origin} leads to this service`);
  if (isThisMachine(domain!) && new URL(origin).port === new URL(service.address).port) {
    return { checks: [reached, ok('proxy', 'none: the service itself answers here')], isProxied: false };
  }
  // What was forged came through as it was: nothing stands in between, or nothing that sets these headers.
  const isUntouched = seen.forwardedFor === forged.address && seen.forwardedHost === forged.host;
  if (isUntouched && !seen.isTrusted) {
    const advice =
      'Put a proxy in front of the site as in docs/guides: without one nothing protects its pages.';
    return {
      checks: [reached, warn('proxy', `requests come from ${seen.peer}, without a proxy`, advice)],
      isProxied: false,
    };
  }
  return { checks: [reached, describeProxy(seen, domain!, slug)], isProxied: true };
}

function describeProxy(
  { peer, isTrusted, host, clientAddress, site }: SeenRequest,
  domain: string,
  slug: string,
): Check {
  const guides = 'See the configuration in docs/guides.';
  if (!isTrusted) {
    return fail(
      'proxy',
      `it comes from ${peer}, which is not in GATEHOUSE_TRUSTED_PROXIES: the gate refuses everybody`,
      'Add that address there, and restart the service.',
    );
  }
  if (host === forged.host) {
    return fail(
      'proxy',
      'it passes on an X-Forwarded-Host that a visitor has forged',
      `Have it set that header. ${guides}`,
    );
  }
  if (site !== slug) {
    return fail(
      'proxy',
      `it passes on the host ${host} in place of ${domain}`,
      `Have it send ${domain}. ${guides}`,
    );
  }
  if (clientAddress === forged.address) {
    return fail(
      'proxy',
      'it passes on an X-Forwarded-For that a visitor has forged, so anybody gets past limits',
      `Have it set that header to the address of the client. ${guides}`,
    );
  }
  return ok('proxy', `${peer} is trusted, passes on the host, and the client address ${clientAddress}`);
}

/** Asks for a page that is not for everybody, as a visitor who is not logged in. */
async function checkGate(origin: string, rules: readonly AccessRule[]): Promise<Check> {
  const isPublic = rules.find(({ path }) => path === '/')?.access === 'public';
  const path = isPublic ? rules.find(({ access }) => access !== 'public')?.path : '/';
  if (path === undefined) return ok('gate', 'every page is public');
  let target = new URL(encodeURI(path), origin);
  try {
    // Some servers first put a slash behind the name of a folder.
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
    return fail('gate', `no answer for ${path}: ${reasonOf(error)}`, 'Look at the log of the proxy.');
  }
}

function describeGate(path: string, status: number, next: URL | undefined): Check {
  if (next?.pathname === '/_gatehouse/login') return ok('gate', `${path} leads a visitor to log in`);
  if (status === 401) return ok('gate', `${path} is denied to a visitor (status 401)`);
  if (status === 403) {
    return warn(
      'gate',
      `${path} is denied to everybody (status 403), and visitors are not sent to log in`,
      'A folder without a page answers so by itself, and a proxy that is not trusted: open the page in a browser.',
    );
  }
  if (status >= 500) {
    return warn(
      'gate',
      `${path} is unavailable (status ${status})`,
      'Look at the log of the proxy: it cannot ask the gate, or not what it should.',
    );
  }
  return fail(
    'gate',
    `${path} is not public, and a visitor who is not logged in gets it (status ${status})`,
    'The proxy does not ask the gate about it. See the configuration in docs/guides.',
  );
}
