import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import {
  connectionError,
  type OutgoingRequestError,
  OutgoingRequestFailed,
  OutgoingRequestRejected,
} from '../../base/networks/outgoing-error.ts';
import { addressProblem } from '../../base/networks/outgoing-url.ts';
import { isReachable } from '../../base/networks/public-networks.ts';

/** Returns all addresses of a name. It may reject for a name without one. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** Resolves a name like all programs of this machine, with its hosts file. */
export const resolveLikeSystem: ResolveName = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/**
 * Opens connections only to addresses that may be reached. A name is resolved once, by the connection itself: a check
 * before it could get another answer from the name server (DNS rebinding).
 * @param certificateAuthority a PEM to trust instead of the authorities of Node
 */
export function checkedConnector(
  allowedNetworks: readonly string[],
  resolve: ResolveName,
  certificateAuthority: string | undefined,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: checkedLookup(allowedNetworks, onceAtATime(resolve)),
    autoSelectFamily: true,
    allowH2: false,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    rejectUnauthorized: true,
    ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
  });
  return (options, callback) => {
    const { hostname, protocol } = options;
    // Node does not look up addresses.
    if (isIP(hostname) !== 0 && !isReachable(hostname, allowedNetworks)) {
      return callback(notPublic(hostname), null);
    }
    connect(options, (error, socket) => {
      if (error === null) callback(null, socket);
      else callback(connectionError(error, hostname, protocol === 'https:'), null);
    });
  };
}

/**
 * Connections that begin at the same time share the lookup of a name. A name whose servers do not answer then takes one of
 * the few places for lookups that the process has.
 */
function onceAtATime(resolve: ResolveName): ResolveName {
  const running = new Map<string, ReturnType<ResolveName>>();
  return (name) => {
    const started = running.get(name);
    if (started) return started;
    const addresses = resolve(name).finally(() => running.delete(name));
    running.set(name, addresses);
    return addresses;
  };
}

function checkedLookup(allowedNetworks: readonly string[], resolve: ResolveName): LookupFunction {
  return (name, _options, callback) => {
    resolveReachable(name, allowedNetworks, resolve).then(
      (addresses) =>
        callback(
          null,
          [...addresses].map((address) => ({ address, family: isIP(address) })),
        ),
      (error: Error) => callback(error, []),
    );
  };
}

/** One address that must not be reached rejects the name: with several, the result would depend on luck. */
async function resolveReachable(
  name: string,
  allowedNetworks: readonly string[],
  resolve: ResolveName,
): Promise<readonly string[]> {
  const addresses = await resolve(name).catch(() => []);
  if (addresses.length === 0) {
    throw new OutgoingRequestFailed(
      'name_not_found',
      `The name ${name} was not found. Check the URL, or try again later.`,
    );
  }
  if (!addresses.every((address) => isReachable(address, allowedNetworks))) throw notPublic(name);
  return addresses;
}

function notPublic(host: string): OutgoingRequestError {
  return new OutgoingRequestRejected('address_not_allowed', addressProblem(host));
}
