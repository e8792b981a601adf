import {
  defaultIdentityHeaders,
  type IdentityHeaders,
  identityHeaderFields,
  isReservedHeaderName,
} from '@gatehouse/contract/identity-headers';
import { invalidRequest } from '../../base/api-error.ts';

/** The stored form: null for the default. */
export function storedIdentityHeaders(headers: IdentityHeaders): IdentityHeaders | null {
  const ordered = inOrder(headers);
  return JSON.stringify(ordered) === JSON.stringify(inOrder(defaultIdentityHeaders)) ? null : ordered;
}

/**
 * The headers in lower case, as names of headers are the same in any case. Their form was checked by the contract.
 * @throws {ApiError} `invalid_request`
 */
export function checkIdentityHeaders(headers: IdentityHeaders): IdentityHeaders {
  const checked = { ...headers };
  const taken = new Set<string>();
  for (const field of identityHeaderFields) {
    const name = headers[field]?.toLowerCase() ?? null;
    checked[field] = name;
    if (name === null) continue;
    const pointer = `/identityHeaders/${field}`;
    if (isReservedHeaderName(name)) {
      throw invalidRequest(
        pointer,
        `${name} has a meaning of its own in HTTP. Use a name such as remote-${field}.`,
      );
    }
    if (taken.has(name))
      throw invalidRequest(pointer, `${name} is the name of two headers. Use another name.`);
    taken.add(name);
  }
  return checked;
}

function inOrder({ encoding, user, email, name, groups, signed }: IdentityHeaders): IdentityHeaders {
  return { encoding, user, email, name, groups, signed };
}
